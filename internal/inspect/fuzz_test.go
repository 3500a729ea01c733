package inspect

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

// FuzzBody: whatever the bytes, the fields tile what was read, the answer can be written and stays within a small multiple of the body, and the JSON of a
// write makes the body again.
func FuzzBody(f *testing.F) {
	files, err := filepath.Glob("testdata/*.hex")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var t testing.T
		_, body := readGolden(&t, text)
		f.Add(body)
	}
	l := codec.DefaultLayout()
	dec := jsonin.New(l, jsonin.Limits{})
	f.Fuzz(func(t *testing.T, body []byte) {
		rep := Body(l, body, Options{Object: "x"})
		end := len(body)
		if rep.Err != nil {
			if end = 0; len(rep.Fields) > 0 {
				last := rep.Fields[len(rep.Fields)-1]
				end = last.Offset + last.Length
			}
			_, reason, _, off := Reason(l, body, rep.Err)
			require.NotEmpty(t, reason)
			require.LessOrEqual(t, end, off)
			require.LessOrEqual(t, off, len(body))
		}
		tilesTo(t, rep.Fields, body, end)
		if rep.Err != nil {
			return
		}
		require.True(t, rep.Exact)
		view := rep.View(l, body, Options{Object: "x"})
		out, err := json.Marshal(view)
		require.NoError(t, err)
		require.Less(t, len(out), 4<<20+16*len(body))
		if view.Write == nil {
			return
		}
		var w codec.Write
		_, err = dec.Write(&w, view.Write, nil)
		require.NoError(t, err, "%s", view.Write)
		again, err := l.EncodeWrite(&w)
		require.NoError(t, err)
		require.Equal(t, hex.EncodeToString(body), hex.EncodeToString(again), "%s", view.Write)
	})
}
