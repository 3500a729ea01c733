package jsonin

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// text reads a string without escapes and returns its text, which aliases the document.
func (f *fast) text() (text []byte, ok bool) {
	text, f.i, ok = textAt(f.b, f.i)
	return text, ok
}

// textAt reads the string without escapes that stands at i, eight bytes a step, and returns where it ends; i itself where there is none.
func textAt(b []byte, i int) (text []byte, end int, ok bool) {
	if i >= len(b) || b[i] != '"' {
		return nil, i, false
	}
	at := i + 1
	var all uint64
	for ; at+8 <= len(b); at += 8 {
		x := binary.LittleEndian.Uint64(b[at:])
		// A byte below 0x80 becomes one with the high bit set when it is a quote, a backslash or below a space. A borrow may mark
		// bytes after the first true one, never before it.
		stop := ((x ^ ones*'"') - ones) | ((x ^ ones*'\\') - ones) | (x - ones*' ')
		if stop &= ^x & highs; stop != 0 {
			n := bits.TrailingZeros64(stop) / 8
			all |= x & (1<<(8*n) - 1)
			at += n
			break
		}
		all |= x
	}
	// Near the end of the document what is left is read byte by byte.
	high := byte(0)
	for at < len(b) && b[at] != '"' && b[at] != '\\' && b[at] >= ' ' {
		high |= b[at]
		at++
	}
	if at >= len(b) || b[at] != '"' {
		return nil, i, false
	}
	text = b[i+1 : at : at]
	if (all&highs != 0 || high >= utf8.RuneSelf) && !utf8.Valid(text) {
		return nil, i, false
	}
	return text, at + 1, true
}
