package inspect

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// unhex reads hex in which spaces set fields apart.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

const baseHex = "37 0100 0500 36d7 0200 9b00 0a00 3eda 0000 02 78563412 ffff 0000000000000000 00000000 00000000"

// tiles checks that fields begin where the one before ended, from 0 to end, and that each shows the bytes it covers.
func tiles(t testing.TB, fields []Field, body []byte, end int) {
	t.Helper()
	off := 0
	paths := map[string]bool{}
	for _, f := range fields {
		require.Equal(t, off, f.Offset, "%s begins where the field before ends", f.Path)
		off += f.Length
		require.LessOrEqual(t, off, len(body))
		require.Equal(t, hex.EncodeToString(body[f.Offset:off]), f.Hex, f.Path)
		require.NotNil(t, f.Value, f.Path)
		require.NotEmpty(t, f.Standing.String(), f.Path)
		require.False(t, paths[f.Path], "%s stands once", f.Path)
		paths[f.Path] = true
	}
	require.Equal(t, end, off)
}

func TestWriteFields(t *testing.T) {
	body := unhex(t, baseHex)
	got := Fields(codec.DefaultLayout(), body, Options{Object: "TESTCHILDOBJECT", Attribute: "TestInt"})
	tiles(t, got, body, len(body))
	type row struct {
		name, path string
		length     int
		value      any
		standing   codec.Standing
	}
	want := []row{
		{"command", "command", 1, int64(0x37), codec.Assumed},
		{"version", "version", 2, int64(1), codec.Assumed},
		{"object id", "handle.objectId", 2, int64(5), codec.Derived},
		{"object signature", "handle.objectSignature", 2, int64(0xd736), codec.Derived},
		{"primitive id", "handle.primitiveId", 2, int64(2), codec.Derived},
		{"attribute id", "handle.attributeId", 2, int64(155), codec.Derived},
		{"property id", "handle.propertyId", 2, int64(10), codec.Derived},
		{"attribute signature", "handle.attributeSignature", 2, int64(0xda3e), codec.Derived},
		{"attribute index", "handle.attributeIndex", 2, int64(0), codec.Derived},
		{"kind", "kind", 1, int64(2), codec.Assumed},
		{"value", "value", 4, int64(305419896), codec.Confirmed},
		{"discriminator", "tail.discriminator", 2, int64(-1), codec.Assumed},
		{"filetime", "tail.filetime", 8, "0", codec.Assumed},
		{"client token", "tail.clientToken", 4, int64(0), codec.Assumed},
		{"write index", "tail.writeIndex", 4, int64(0), codec.Assumed},
	}
	require.Len(t, got, len(want))
	for i, w := range want {
		assert.Equal(t, w, row{got[i].Name, got[i].Path, got[i].Length, got[i].Value, got[i].Standing})
	}
	assert.Equal(t, "CRC-16/ARC of testchildobject in UTF-16LE", got[3].How)
	assert.Equal(t, Summary{Assumed: true, Bytes: Bytes{Confirmed: 4, Derived: 14, Assumed: 22}}, Summarize(got))
}

func TestHandleFields(t *testing.T) {
	body := unhex(t, "01 00 0100 0200 0500 36d7 0200 9b00 0a00 3eda 0000")
	got := Handle(body, Options{})
	tiles(t, got, body, 20)
	assert.Equal(t, Summary{Bytes: Bytes{Confirmed: 20}}, Summarize(got))
}

// The sign of a zero is not lost on the way through JSON, in a scalar and in elements.
func TestNegativeZero(t *testing.T) {
	for _, v := range []codec.Value{
		{Type: codec.Float32, Bits: 1 << 31},
		{Type: codec.Float64, Bits: 1 << 63},
		{Type: codec.Float32Array, Count: 1, Elems: []byte{0, 0, 0, 0x80}},
		{Type: codec.Float64Array, Count: 1, Elems: []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
	} {
		w := codec.Write{Value: v}
		if v.Type.IsArray() {
			w.Handle.AttributeIndex = -1
		}
		body, err := codec.EncodeWrite(&w)
		require.NoError(t, err)
		text, err := json.Marshal(Fields(codec.DefaultLayout(), body, Options{}))
		require.NoError(t, err)
		require.Contains(t, string(text), `"value":-0.0`)
		require.NotContains(t, string(text), `"value":-0,`)
	}
}
