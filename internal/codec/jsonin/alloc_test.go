//go:build !race

package jsonin

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

func TestWriteAllocs(t *testing.T) {
	d := New(nil, Limits{})
	scratch := make([]byte, 0, 4096)
	var w codec.Write
	for name, doc := range fastDocuments {
		src := []byte(doc)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			var err error
			if scratch, err = d.Write(&w, src, scratch[:0]); err != nil {
				t.Fatal(err)
			}
		}), name)
	}
}

// A batch allocates its window and its scratch, and nothing for an item.
func TestBatchAllocs(t *testing.T) {
	for _, form := range []Form{Lines, List} {
		d := New(nil, Limits{})
		g := &generator{n: 20_000, form: form, buf: make([]byte, 0, 1024)}
		old := debug.SetGCPercent(-1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b := d.Batch(g, form, nil, nil)
		n := 0
		for {
			_, err := b.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			n++
		}
		runtime.ReadMemStats(&after)
		debug.SetGCPercent(old)
		assert.Equal(t, 20_000, n)
		assert.LessOrEqual(t, after.Mallocs-before.Mallocs, uint64(8), "0.0004 an item")
		assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(3*minGrow))
	}
}
