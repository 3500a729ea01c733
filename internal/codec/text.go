package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// utf16Units counts the UTF-16 units that valid UTF-8 text becomes: one for each byte that begins a code point, and one
// more for each that begins a code point beyond the BMP. Eight bytes a step, and 32 while they are ASCII.
func utf16Units(text []byte) int {
	n := len(text)
	for len(text) >= 32 {
		t := (*[32]byte)(text)
		if (word(t, 0)|word(t, 8)|word(t, 16)|word(t, 24))&highBits != 0 {
			break
		}
		text = text[32:]
	}
	for len(text) >= 8 {
		x := binary.LittleEndian.Uint64(text)
		text = text[8:]
		if x&highBits == 0 {
			continue
		}
		// A continuation byte is 10xxxxxx, the lead of four bytes 1111xxxx.
		n -= bits.OnesCount64(x >> 7 &^ (x >> 6) & lowBits)
		n += bits.OnesCount64(x >> 7 & (x >> 6) & (x >> 5) & (x >> 4) & lowBits)
	}
	for _, b := range text {
		switch {
		case b&0xc0 == 0x80:
			n--
		case b >= 0xf0:
			n++
		}
	}
	return n
}

func word(t *[32]byte, at int) uint64 { return binary.LittleEndian.Uint64(t[at : at+8]) }

// appendUTF16 appends UTF-8 text as UTF-16LE, units*2 bytes, where units is utf16Units(text); ErrText when it is not UTF-8.
func appendUTF16(dst, text []byte, units int) ([]byte, error) {
	off := len(dst)
	dst = slices.Grow(dst, 2*units)[:off+2*units]
	b := dst[off:]
	if units == len(text) { // ASCII, or no UTF-8
		n := widen(b, text)
		text, b = text[n:], b[2*n:]
	}
	for len(text) > 0 {
		// Eight bytes a step, taken for ASCII letters and spread to eight units. Those before the first that is none are right
		// and stay; what was written after them is overwritten.
		for len(text) >= 8 && len(b) >= 16 {
			x := binary.LittleEndian.Uint64(text)
			putSpread(b[:8], uint32(x))
			putSpread(b[8:16], uint32(x>>32))
			if other := x & highBits; other != 0 {
				n := bits.TrailingZeros64(other) / 8
				text, b = text[n:], b[2*n:]
				break
			}
			text, b = text[8:], b[16:]
		}
		// Letter by letter through what is beyond ASCII, and through the last letters.
		for len(text) > 0 && (text[0] >= utf8.RuneSelf || len(text) < 8 || len(b) < 16) {
			if len(b) < 2 {
				return dst[:off], ErrText // more units than counted: only invalid UTF-8 does that
			}
			c := text[0]
			if c < utf8.RuneSelf {
				b[0], b[1] = c, 0
				text, b = text[1:], b[2:]
				continue
			}
			if c -= 0xc2; c < 0xe0-0xc2 && len(text) > 1 && text[1]&0xc0 == 0x80 { // two bytes: most letters of Europe beyond ASCII
				r := 0x80 + uint16(c)<<6 + uint16(text[1]&0x3f)
				b[0], b[1] = byte(r), byte(r>>8)
				text, b = text[2:], b[2:]
				continue
			}
			r, size := utf8.DecodeRune(text)
			if r == utf8.RuneError && size <= 1 {
				return dst[:off], ErrText
			}
			text = text[size:]
			if r < 0x10000 {
				b[0], b[1] = byte(r), byte(r>>8)
				b = b[2:]
				continue
			}
			if len(b) < 4 {
				return dst[:off], ErrText
			}
			r1, r2 := utf16.EncodeRune(r)
			b[0], b[1], b[2], b[3] = byte(r1), byte(r1>>8), byte(r2), byte(r2>>8)
			b = b[4:]
		}
	}
	if len(b) != 0 {
		return dst[:off], ErrText
	}
	return dst, nil
}

// widen writes ASCII letters as units, 16 letters a step, into b, which has room for all of text. It returns how many letters it wrote: all but
// the last few, or none from the step on in which it met what is no ASCII.
func widen(b, text []byte) (n int) {
	for n+16 <= len(text) && 2*n+32 <= len(b) {
		from, to := (*[16]byte)(text[n:]), (*[32]byte)(b[2*n:])
		x, y := binary.LittleEndian.Uint64(from[:8]), binary.LittleEndian.Uint64(from[8:])
		if (x|y)&highBits != 0 {
			break
		}
		putSpread(to[:8], uint32(x))
		putSpread(to[8:16], uint32(x>>32))
		putSpread(to[16:24], uint32(y))
		putSpread(to[24:], uint32(y>>32))
		n += 16
	}
	return n
}

// putSpread writes four ASCII letters as units: each byte and a 0. The bytes are turned around twice because the compiler, which knows that some
// are 0, would store eight of them one by one; turning them around, it no longer knows, and then does not do it.
func putSpread(b []byte, x uint32) {
	v := uint64(x)
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	binary.BigEndian.PutUint64(b, bits.ReverseBytes64(v))
}

// AppendUTF8 appends UTF-16LE text as UTF-8. A lone surrogate becomes U+FFFD and clears ok: JSON cannot say it.
// An odd last byte is dropped and clears ok too.
func AppendUTF8(dst, text []byte) (out []byte, ok bool) {
	ok = len(text)%2 == 0
	for len(text) >= 2 {
		r := rune(binary.LittleEndian.Uint16(text))
		text = text[2:]
		if utf16.IsSurrogate(r) {
			var r2 rune
			if len(text) >= 2 {
				r2 = utf16.DecodeRune(r, rune(binary.LittleEndian.Uint16(text)))
			} else {
				r2 = utf16.DecodeRune(r, 0)
			}
			if r2 == utf8.RuneError {
				ok = false
			} else {
				text = text[2:]
			}
			r = r2
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, ok
}
