package codec

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// Signature is the name signature of an object or attribute: CRC-16/IBM (reflected polynomial 0xA001, initial value 0, no
// final xor) over the UTF-16LE bytes of the lower-cased name (confirmed: only this rule reproduces the captured 0x9247 of
// "ScanState"). Casing is .NET's invariant culture: one code point at a time by its simple mapping, never by locale (derived).
// Names are not normalised. It fails with ErrName for an empty name (assumed) and ErrText for one that is not UTF-8.
//
// Cost: with initial value 0 the CRC is linear, so a short ASCII name is the xor of one table entry a letter, chosen by the
// letter and its distance from the end. The entries are independent loads, and casing is part of the table.
func Signature(name []byte) (uint16, error) {
	n := len(name)
	if n == 0 {
		return 0, ErrName
	}
	if n > sigPositions {
		return signatureSlow(name)
	}
	var crc uint16
	var all uint64
	for k := 0; n > 0; k, n = k+1, n-8 {
		// Eight letters a step, from the end of the name. Where fewer are left they stand in the high bytes, below them 0, which
		// adds nothing to the CRC.
		var x uint64
		switch {
		case n >= 8:
			x = binary.LittleEndian.Uint64(name[n-8:])
		case len(name) >= 8:
			x = binary.LittleEndian.Uint64(name) << (64 - 8*n)
		case n >= 4:
			// Two loads that overlap: what both hold is the same.
			x = uint64(binary.LittleEndian.Uint32(name)) << (64 - 8*n)
			x |= uint64(binary.LittleEndian.Uint32(name[n-4:])) << 32
		default:
			x = (uint64(name[0]) | uint64(name[n/2])<<(n/2*8) | uint64(name[n-1])<<(n*8-8)) << (64 - 8*n)
		}
		all |= x
		t := &sigTable[k&3]
		crc ^= t[7<<8+uint(byte(x))] ^ t[6<<8+uint(byte(x>>8))] ^ t[5<<8+uint(byte(x>>16))] ^ t[4<<8+uint(byte(x>>24))] ^
			t[3<<8+uint(byte(x>>32))] ^ t[2<<8+uint(byte(x>>40))] ^ t[1<<8+uint(byte(x>>48))] ^ t[uint(byte(x>>56))]
	}
	if all&highBits != 0 {
		return signatureSlow(name)
	}
	return crc, nil
}

// signatureSlow walks code points: for names with letters beyond ASCII and for long ones.
func signatureSlow(name []byte) (uint16, error) {
	var crc uint16
	for i := 0; i < len(name); {
		r, n := rune(name[i]), 1
		if r >= utf8.RuneSelf {
			if r, n = utf8.DecodeRune(name[i:]); r == utf8.RuneError && n <= 1 {
				return 0, ErrText
			}
		}
		i += n
		r = lower(r)
		if r < 0x10000 {
			crc = crcUnit(crc, uint16(r))
			continue
		}
		// Beyond the BMP a code point is two UTF-16 units: a high surrogate, then a low one.
		r -= 0x10000
		crc = crcUnit(crc, uint16(0xd800+r>>10))
		crc = crcUnit(crc, uint16(0xdc00+r&0x3ff))
	}
	return crc, nil
}

// LowerName appends the lower-cased name, as Signature sees it, to dst. Invalid UTF-8 becomes U+FFFD; Signature refuses it.
func LowerName(dst, name []byte) []byte {
	for len(name) > 0 {
		r, n := utf8.DecodeRune(name)
		dst = utf8.AppendRune(dst, lower(r))
		name = name[n:]
	}
	return dst
}

// lower is .NET's invariant lower-casing of one code point: Unicode's simple mapping, but U+0130 (İ) stays as it is.
func lower(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case r == 'İ':
		return r
	}
	return unicode.ToLower(r)
}

// crcUnit feeds one UTF-16 unit, low byte first.
func crcUnit(crc, unit uint16) uint16 {
	crc = crc>>8 ^ crcTable[byte(crc)^byte(unit)]
	return crc>>8 ^ crcTable[byte(crc)^byte(unit>>8)]
}

// crcTable is the usual table of CRC-16/IBM by byte.
var crcTable = func() (t [256]uint16) {
	for i := range t {
		crc := uint16(i)
		for range 8 {
			if crc&1 != 0 {
				crc = crc>>1 ^ 0xa001
			} else {
				crc >>= 1
			}
		}
		t[i] = crc
	}
	return t
}()

// sigPositions is the longest ASCII name that takes the table: AVEVA's names end at 32 letters. The ASCII halves of 32 rows are
// 8 KiB, which leaves most of the first-level cache to others.
const sigPositions = 32

// sigTable[d/8][d%8][b] is what the letter b, d letters before the end of the name, adds to the CRC. The rows are as long as a
// byte reaches, so that no letter needs a bounds check; beyond ASCII they are 0, and a name that looks there takes the slow way.
var sigTable = func() (t [sigPositions / 8][8 * 256]uint16) {
	for b := range utf8.RuneSelf {
		crc := crcUnit(0, uint16(lower(rune(b))))
		for d := range sigPositions {
			t[d/8][d%8<<8+b] = crc
			crc = crcUnit(crc, 0)
		}
	}
	return t
}()
