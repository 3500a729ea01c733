package wire

import "encoding/binary"

// Reader walks a body from front to back. It is sticky: the first read that the remaining bytes cannot hold marks it short,
// moves nothing, and every later read gives zeros. So a caller reads a whole group and checks Short once.
type Reader struct {
	src   []byte
	off   int
	short bool
}

// NewReader returns a Reader at the start of src. It aliases src and never writes to it.
func NewReader(src []byte) Reader { return Reader{src: src} }

// Off is the offset of the next byte to read; after a short read, the offset where the missing field begins.
func (r *Reader) Off() int { return r.off }

// Left is how many bytes remain.
func (r *Reader) Left() int { return len(r.src) - r.off }

// Short tells whether a read ran past the end.
func (r *Reader) Short() bool { return r.short }

// Bytes reads n bytes and returns them, aliasing the source; nil when they are not there.
func (r *Reader) Bytes(n int) []byte {
	if r.short || n < 0 || n > len(r.src)-r.off {
		r.short = true
		return nil
	}
	b := r.src[r.off : r.off+n : r.off+n]
	r.off += n
	return b
}

// U8 reads 1 byte.
func (r *Reader) U8() uint8 {
	if b := r.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads 2 bytes, little-endian.
func (r *Reader) U16() uint16 {
	if b := r.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads 4 bytes, little-endian.
func (r *Reader) U32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads 8 bytes, little-endian.
func (r *Reader) U64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Uint reads width bytes, little-endian; width is 0 to 8.
func (r *Reader) Uint(width int) uint64 {
	var v uint64
	for i, b := range r.Bytes(width) {
		v |= uint64(b) << (8 * i)
	}
	return v
}
