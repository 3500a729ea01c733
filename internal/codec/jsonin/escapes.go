package jsonin

import (
	"unicode/utf16"
	"unicode/utf8"

	"mxrest/internal/codec"
)

// valueText reads a string that may hold escapes, as programs write them that send nothing but ASCII: without escapes it aliases the
// document, else it is unescaped to the end of scratch. Names have none as a rule, and are left to the judge when they do.
func (f *fast) valueText() ([]byte, bool) {
	if text, ok := f.text(); ok {
		return text, len(text) <= f.d.limits.MaxText
	}
	b, i := f.b, f.i+1
	if i > len(b) || b[i-1] != '"' {
		return nil, false
	}
	dst := f.scratch
	for {
		plain := i
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
			i++
		}
		dst = append(dst, b[plain:i]...)
		if i+1 >= len(b) || b[i] < ' ' {
			return nil, false
		}
		if b[i] == '"' {
			break
		}
		c := unescapes[b[i+1]]
		i += 2
		switch c {
		case 0:
			return nil, false
		case 'u':
			r, ok := hex4(b, i)
			if i += 4; utf16.IsSurrogate(r) && ok {
				// Only a pair of them is a character.
				if i+2 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
					return nil, false
				}
				var low rune
				low, ok = hex4(b, i+2)
				r = utf16.DecodeRune(r, low)
				ok = ok && r != utf8.RuneError
				i += 6
			}
			if !ok {
				return nil, false
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
	text := dst[len(f.scratch):len(dst):len(dst)]
	// An escape makes whole characters, so that text is sound just when what stood between the escapes was.
	if len(text) > f.d.limits.MaxText || !utf8.Valid(text) {
		return nil, false
	}
	f.i, f.scratch = i+1, dst
	return text, true
}

// unescapes gives the character that stands for each letter after a backslash; u for four hex digits, 0 for what JSON does not have.
var unescapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u'}

// hex4 reads four hex digits.
func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var r rune
	var bad byte
	for _, c := range b[i : i+4] {
		bad |= unhex[c]
		r = r<<4 | rune(unhex[c]&15)
	}
	return r, bad < 16
}

// stringElem reads one element of a StringArray.
func (f *fast) stringElem() bool {
	start := len(f.scratch)
	text, ok := f.valueText()
	if !ok {
		return false
	}
	unescaped := len(f.scratch)
	var err error
	if f.scratch, err = codec.AppendStringElem(f.scratch, text); err != nil {
		return false
	}
	if unescaped > start { // the element takes the place of its unescaped text
		n := copy(f.scratch[start:], f.scratch[unescaped:])
		f.scratch = f.scratch[:start+n]
	}
	return true
}
