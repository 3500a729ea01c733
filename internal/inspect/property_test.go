package inspect

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mxrest/internal/codec"
	"mxrest/internal/codec/codectest"
	"mxrest/internal/codec/jsonin"
)

// Any message under any layout: the fields tile the body, and of a body cut anywhere they tile what was read.
func TestFieldsTileProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		body := codectest.Message(t, l)
		rep := Body(l, body, Options{Object: "TestChildObject", Attribute: "TestInt"})
		require.NoError(t, rep.Err)
		require.True(t, rep.Exact)
		tilesTo(t, rep.Fields, body, len(body))
		view := rep.View(l, body, Options{})
		_, err := json.Marshal(view)
		require.NoError(t, err)

		cut := body[:rapid.IntRange(0, len(body)-1).Draw(t, "cut")]
		rep = Body(l, cut, Options{})
		if rep.Err == nil {
			return // 00 alone
		}
		var e *codec.Error
		require.True(t, errors.As(rep.Err, &e))
		end := 0
		for _, f := range rep.Fields {
			end = f.Offset + f.Length
		}
		require.LessOrEqual(t, end, e.Offset)
		tilesTo(t, rep.Fields, cut, end)
		_, reason, _, off := Reason(l, cut, rep.Err)
		require.NotEmpty(t, reason)
		require.Equal(t, e.Offset, off)
	})
}

func tilesTo(t require.TestingT, fields []Field, body []byte, end int) {
	off := 0
	for _, f := range fields {
		require.Equal(t, off, f.Offset, f.Path)
		off += f.Length
		require.Equal(t, hexOf(body[f.Offset:off]), f.Hex, f.Path)
		require.NotNil(t, f.Value, f.Path)
		require.NotEmpty(t, f.Standing.String(), f.Path)
	}
	require.Equal(t, end, off)
}

// The JSON of any write, read as /v1/write reads it, makes the same bytes; where there is none, there is a reason.
func TestWriteJSONProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		w := codectest.Write(t, l)
		body, err := l.EncodeWrite(&w)
		require.NoError(t, err)
		rep := Body(l, body, Options{})
		require.NoError(t, rep.Err)
		text, reason := WriteJSON(l, &rep.Message.Write, Options{})
		if text == nil {
			require.NotEmpty(t, reason)
			return
		}
		require.Empty(t, reason)
		var again codec.Write
		_, err = jsonin.New(l, jsonin.Limits{}).Write(&again, text, nil)
		require.NoError(t, err, "%s", text)
		got, err := l.EncodeWrite(&again)
		require.NoError(t, err)
		require.Equal(t, body, got, "%s", text)
	})
}

// An answer stays within a small multiple of the body, however many elements or records it has.
func TestViewStaysSmall(t *testing.T) {
	l := codec.DefaultLayout()
	w := codec.Write{Value: codec.Value{Type: codec.Int32Array, Count: codec.MaxElements, Elems: make([]byte, 4*codec.MaxElements)}}
	w.Handle.AttributeIndex = -1
	body, err := l.EncodeWrite(&w)
	require.NoError(t, err)
	records := make([]codec.Record, 50_000)
	for i := range records {
		records[i].Value = codec.Value{Type: codec.Boolean}
	}
	s, err := l.NewSubscription(codec.OpDataUpdate, codec.GUID{}, codec.GUID{}, records)
	require.NoError(t, err)
	update, err := l.AppendSubscription(nil, &s)
	require.NoError(t, err)
	for _, body := range [][]byte{body, update} {
		rep := Body(l, body, Options{})
		require.NoError(t, rep.Err)
		tilesTo(t, rep.Fields, body, len(body))
		require.LessOrEqual(t, len(rep.Fields), maxFields+20)
		out, err := json.Marshal(rep.View(l, body, Options{}))
		require.NoError(t, err)
		require.Less(t, len(out), 16*len(body))
	}
}
