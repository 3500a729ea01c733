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
// more for each that begins a code point beyond the BMP. Eight bytes a step.
func utf16Units(text []byte) int {
	n := len(text)
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

// appendUTF16 appends UTF-8 text as UTF-16LE, units*2 bytes, where units is utf16Units(text); ErrText when it is not UTF-8.
func appendUTF16(dst, text []byte, units int) ([]byte, error) {
	off := len(dst)
	dst = slices.Grow(dst, 2*units)[:off+2*units]
	b := dst[off:]
	for len(text) > 0 {
		// Eight bytes a step, taken for ASCII letters and spread to eight units. Those before the first that is none are right
		// and stay; what was written after them is overwritten.
		for len(text) >= 8 && len(b) >= 16 {
			x := binary.LittleEndian.Uint64(text)
			binary.LittleEndian.PutUint64(b, spread(uint32(x)))
			binary.LittleEndian.PutUint64(b[8:], spread(uint32(x>>32)))
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
			if c := text[0]; c < utf8.RuneSelf {
				b[0], b[1] = c, 0
				text, b = text[1:], b[2:]
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

// spread puts a 0 after each of four bytes.
func spread(x uint32) uint64 {
	v := uint64(x)
	v = (v | v<<16) & 0x0000ffff0000ffff
	return (v | v<<8) & 0x00ff00ff00ff00ff
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
