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
		// Sixteen ASCII letters a step: each half of eight bytes spreads into two words of four units.
		for len(text) >= 16 && len(b) >= 32 {
			lo, hi := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])
			if (lo|hi)&highBits != 0 {
				break
			}
			binary.LittleEndian.PutUint64(b, spread(uint32(lo)))
			binary.LittleEndian.PutUint64(b[8:], spread(uint32(lo>>32)))
			binary.LittleEndian.PutUint64(b[16:], spread(uint32(hi)))
			binary.LittleEndian.PutUint64(b[24:], spread(uint32(hi>>32)))
			text, b = text[16:], b[32:]
		}
		// Then up to sixteen code points one by one, so that mixed text does not try the wide step at each.
		for n := 16; n > 0 && len(text) > 0; n-- {
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
			r2 := rune(utf8.RuneError)
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
