// Package plain does the codec's work in the plain way: the honest counterparts that times are compared with. Nothing of it serves
// requests.
//
// Each function makes a loop that does one thing n times, so that no call through a function value stands between the clock and
// what is measured. But for the JSON ones none allocates while it runs.
package plain

import (
	"fmt"
	"unicode/utf16"

	"mxrest/internal/codec"
)

// Loop does one thing n times.
type Loop = func(n int)

// Where the loops leave their results, so that the compiler keeps the work.
var (
	bytes []byte
	crc   uint16
)

// Memcpy copies src, of a length the compiler does not know, to offset at of a buffer.
func Memcpy(src []byte, at int) Loop {
	dst := make([]byte, at, at+len(src))
	return func(n int) {
		dst := dst
		for range n {
			dst = append(dst[:at], src...)
		}
		bytes = dst
	}
}

// Names are pairs of object and attribute, 12 letters each, so many that neither a cache of signatures nor the branch predictor has
// met the next one.
type Names [1024][2][]byte

// MakeNames makes the same names every time.
func MakeNames() *Names {
	var list Names
	for i := range list {
		list[i] = [2][]byte{
			fmt.Appendf(nil, "Machine_%04d", uint32(i)*2654435761%10000),
			fmt.Appendf(nil, "TestInt%05d", uint32(i)*40503%100000),
		}
	}
	return &list
}

// CRC computes both signatures of a pair of ASCII names with the usual table of 256 entries, over the UTF-16 bytes of the
// lower-cased name.
func CRC(list *Names) Loop {
	table := crcTable()
	return func(n int) {
		var c uint16
		for i := range n {
			pair := &list[i%len(list)]
			c ^= crcName(table, pair[0]) ^ crcName(table, pair[1])
		}
		crc = c
	}
}

func crcName(table *[256]uint16, name []byte) uint16 {
	var c uint16
	for _, b := range name {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		c = c>>8 ^ table[byte(c)^b]
		c = c>>8 ^ table[byte(c)]
	}
	return c
}

func crcTable() *[256]uint16 {
	var t [256]uint16
	for i := range t {
		c := uint16(i)
		for range 8 {
			odd := c & 1
			c >>= 1
			if odd != 0 {
				c ^= 0xa001
			}
		}
		t[i] = c
	}
	return &t
}

// Runes encodes a String write of text, one rune after the other.
func Runes(text string) Loop {
	head, tail := make([]byte, codec.ValueOffset), make([]byte, codec.TailSize)
	dst, src := make([]byte, 0, 8*len(text)+64), []byte(text)
	return func(n int) {
		const at = codec.ValueOffset
		dst := dst
		for range n {
			dst = append(dst[:0], head...)
			dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
			for _, r := range string(src) { // the conversion costs nothing: the compiler ranges over the bytes
				if r < 0x10000 {
					dst = append(dst, byte(r), byte(r>>8))
					continue
				}
				r1, r2 := utf16.EncodeRune(r)
				dst = append(dst, byte(r1), byte(r1>>8), byte(r2), byte(r2>>8))
			}
			dst = append(dst, 0, 0)
			size := len(dst) - at - 8
			dst[at], dst[at+1], dst[at+2], dst[at+3] = byte(size+4), byte((size+4)>>8), byte((size+4)>>16), byte((size+4)>>24)
			dst[at+4], dst[at+5], dst[at+6], dst[at+7] = byte(size), byte(size>>8), byte(size>>16), byte(size>>24)
			dst = append(dst, tail...)
		}
		bytes = dst
	}
}
