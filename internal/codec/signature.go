package codec

import (
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
	if n := len(name); n-1 < sigPositions { // one branch for both ends: n is checked for 0 below
		var crc uint16
		var all byte
		for i, b := range name {
			crc ^= sigTable[(n-1-i)&(sigPositions-1)][b&0x7f]
			all |= b
		}
		if all < utf8.RuneSelf {
			if n == 0 {
				return 0, ErrName
			}
			return crc, nil
		}
	}
	return signatureSlow(name)
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

// sigPositions is the longest ASCII name that takes the table: AVEVA's names end at 32 letters, and 32 rows of 128 entries are 8 KiB,
// which leaves the first-level cache to others. A power of two, so that an index mask replaces a bounds check.
const sigPositions = 32

// sigTable[d][b] is what the letter b, d letters before the end of the name, adds to the CRC.
var sigTable = func() (t [sigPositions][128]uint16) {
	for b := range t[0] {
		crc := crcUnit(0, uint16(lower(rune(b))))
		for d := range t {
			t[d][b] = crc
			crc = crcUnit(crc, 0)
		}
	}
	return t
}()
