package jsonin

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// An array's NaNs with bits of their own: the bytes worked out by hand.
func TestArrayBits(t *testing.T) {
	d := New(nil, Limits{})
	for _, c := range []struct{ body, elems string }{
		{`"type":"Float32Array","value":["NaN",1,"NaN"],"bits":[{"index":2,"bits":"7fa00001"}]`, "0000c0ff" + "0000803f" + "0100a07f"},
		{`"type":"Float64Array","value":["NaN"],"bits":[{"bits":"7FF4000000000002","index":0}]`, "020000000000f47f"},
		{`"bits":[],"type":"Float64Array","value":["NaN"]`, "000000000000f8ff"},
	} {
		var w codec.Write
		_, err := d.Write(&w, []byte(`{"handleBytes":"010001000200050036d702009b000a003edaffff",`+c.body+`}`), nil)
		require.NoError(t, err, c.body)
		assert.Equal(t, c.elems, hex.EncodeToString(w.Value.Elems))
	}
	for _, c := range []struct{ bits, pointer, reason string }{
		{`"7fa00001"`, "/bits", "an array of index and bits"},
		{`[{"index":0,"bits":"7fa00001"},{"index":0,"bits":"7fa00001"}]`, "/bits/1/index", "element 0 is named twice"},
		{`[{"index":2,"bits":"7fa00001"}]`, "/bits/0/index", "2 is out of range"},
		{`[{"index":1,"bits":"7fa00001"}]`, "/bits/0/index", `element 1 is not "NaN"`},
		{`[{"index":0,"bits":"7f800000"}]`, "/bits/0/bits", "not the bits of a NaN"},
		{`[{"index":0,"bits":"7fa0001"}]`, "/bits/0/bits", "8 hex digits"},
		{`[{"index":0}]`, "/bits/0/bits", "bits is missing"},
		{`[7]`, "/bits/0", "an object"},
	} {
		var w codec.Write
		_, err := d.Write(&w, []byte(`{"handleBytes":"010001000200050036d702009b000a003edaffff","type":"Float32Array","value":["NaN",1],"bits":`+c.bits+`}`), nil)
		var e *Error
		require.ErrorAs(t, err, &e, c.bits)
		assert.Equal(t, c.pointer, e.Pointer)
		assert.Contains(t, e.Reason, c.reason)
		assert.False(t, e.Syntax)
	}
}
