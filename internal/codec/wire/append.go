// Package wire holds the primitives that every message is made of: little-endian integers appended to a slice, and a
// bounds-checked Reader. It knows no message.
package wire

// AppendU16 appends v as 2 bytes, little-endian.
func AppendU16(dst []byte, v uint16) []byte {
	return append(dst, byte(v), byte(v>>8))
}

// AppendU32 appends v as 4 bytes, little-endian.
func AppendU32(dst []byte, v uint32) []byte {
	return append(dst, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// AppendU64 appends v as 8 bytes, little-endian.
func AppendU64(dst []byte, v uint64) []byte {
	return append(dst, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

// AppendUint appends the low width bytes of v, little-endian; width is 0 to 8.
func AppendUint(dst []byte, v uint64, width int) []byte {
	for range width {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst
}

// AppendZeros appends n bytes of 0.
func AppendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, 0)
	}
	return dst
}
