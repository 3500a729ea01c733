package codec

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// utf16Units counts the UTF-16 units that valid UTF-8 text becomes: one for each byte that begins a code point, and one
// more for each that begins a code point beyond the BMP. Eight bytes a step.
func utf16Units(text []byte) (n int) {
	for len(text) >= 8 {
		// In each byte of sum the units of the bytes at that place of the steps, at most 2 a step.
		var sum uint64
		for steps := 0; steps < 127 && len(text) >= 8; steps++ {
			x := binary.LittleEndian.Uint64(text)
			text = text[8:]
			// A continuation byte is 10xxxxxx, the lead of four bytes 1111xxxx.
			lead := x & (x << 1)
			sum += lowBits - (x>>7&^(x>>6))&lowBits + (lead & (lead << 2) >> 7 & lowBits)
		}
		const pairs = 0x00ff00ff00ff00ff
		n += int((sum&pairs + sum>>8&pairs) * 0x0001000100010001 >> 48)
	}
	for _, b := range text {
		switch {
		case b&0xc0 == 0x80:
		case b >= 0xf0:
			n += 2
		default:
			n++
		}
	}
	return n
}

func word(t *[32]byte, at int) uint64 { return binary.LittleEndian.Uint64(t[at : at+8]) }

// putUTF16 fills b, 2*utf16Units(text) bytes, with UTF-8 text as UTF-16LE; ErrText when it is not UTF-8.
func putUTF16(b, text []byte) error {
	n := widen(b, text)
	text, b = text[n:], b[2*n:]
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
				return ErrText // more units than counted: only invalid UTF-8 does that
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
				return ErrText
			}
			text = text[size:]
			if r < 0x10000 {
				b[0], b[1] = byte(r), byte(r>>8)
				b = b[2:]
				continue
			}
			if len(b) < 4 {
				return ErrText
			}
			r1, r2 := utf16.EncodeRune(r)
			b[0], b[1], b[2], b[3] = byte(r1), byte(r1>>8), byte(r2), byte(r2>>8)
			b = b[4:]
		}
	}
	if len(b) != 0 {
		return ErrText
	}
	return nil
}

// widen writes the ASCII letters that text begins with as units, as far as b has room, and returns how many they are. It writes nothing
// after them. 32 letters a step, then eight, then one.
func widen(b, text []byte) int {
	all := len(text)
	for len(text) >= 32 && len(b) >= 64 {
		from, to := (*[32]byte)(text), (*[64]byte)(b)
		x0, x1, x2, x3 := word(from, 0), word(from, 8), word(from, 16), word(from, 24)
		if (x0|x1|x2|x3)&highBits != 0 {
			break
		}
		putSpread(to[:8], uint32(x0))
		putSpread(to[8:16], uint32(x0>>32))
		putSpread(to[16:24], uint32(x1))
		putSpread(to[24:32], uint32(x1>>32))
		putSpread(to[32:40], uint32(x2))
		putSpread(to[40:48], uint32(x2>>32))
		putSpread(to[48:56], uint32(x3))
		putSpread(to[56:], uint32(x3>>32))
		text, b = text[32:], b[64:]
	}
	for len(text) >= 8 && len(b) >= 16 {
		x, to := binary.LittleEndian.Uint64(text), (*[16]byte)(b)
		if x&highBits != 0 {
			break
		}
		putSpread(to[:8], uint32(x))
		putSpread(to[8:], uint32(x>>32))
		text, b = text[8:], b[16:]
	}
	for len(text) > 0 && len(b) >= 2 && text[0] < utf8.RuneSelf {
		b[0], b[1] = text[0], 0
		text, b = text[1:], b[2:]
	}
	return all - len(text)
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
