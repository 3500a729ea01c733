//go:build !race

package codec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Encoding allocates nothing in a buffer with room, whatever the type; into a fresh one, once.
func TestAppendWriteAllocs(t *testing.T) {
	dst := make([]byte, 0, 4096)
	for _, c := range writeCases(t) {
		assert.Zerof(t, testing.AllocsPerRun(100, func() { dst, _ = AppendWrite(dst[:0], &c.w) }), "%s: AppendWrite", c.name)
		assert.Zerof(t, testing.AllocsPerRun(100, func() { _, _ = PutWrite(dst[:cap(dst)], &c.w) }), "%s: PutWrite", c.name)
		assert.Equalf(t, 1.0, testing.AllocsPerRun(100, func() { dst, _ = EncodeWrite(&c.w) }), "%s: EncodeWrite", c.name)
		dst = make([]byte, 0, 4096)
	}
}

// Neither do signatures, known before or not, and handles.
func TestSignatureAllocs(t *testing.T) {
	dst := make([]byte, 0, HandleSize)
	for _, c := range signatures {
		name := []byte(c.name)
		assert.Zerof(t, testing.AllocsPerRun(100, func() { _, _ = Signature(name) }), "%q", c.name)
	}
	h := testHandle
	assert.Zero(t, testing.AllocsPerRun(100, func() { dst = AppendHandle(dst[:0], &h) }))
	_, err := DecodeHandle(dst)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { h, _ = DecodeHandle(dst) }))
}

// Nor does making an array's elements.
func TestElemAllocs(t *testing.T) {
	dst, text := make([]byte, 0, 256), []byte("Größe 😀, twice sixteen letters or more")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		dst = std.AppendBooleanElem(dst[:0], true)
		dst = AppendInt32Elem(dst, -1)
		dst = AppendFloat32Elem(dst, NaN32)
		dst = AppendFloat64Elem(dst, NaN64)
		dst = AppendDateTimeElem(dst, 1)
		dst, _ = AppendStringElem(dst, text)
	}))
}
