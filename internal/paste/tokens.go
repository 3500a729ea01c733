package paste

import (
	"bytes"
	"encoding/hex"
	"strings"
)

// tokens reads hex without offsets, its groups set apart by white space, commas, colons or hyphens, with or without 0x; or else base64.
func (p *parser) tokens() (Result, error) {
	r, err := p.groups()
	// Base64 is broken into lines, not into words.
	b64, b64Err := Base64(strings.NewReplacer("\r", "", "\n", "").Replace(strings.TrimSpace(p.s)))
	switch {
	case err == nil && b64Err == nil && r.Form != PrefixedHex && !bytes.Equal(r.Bytes, b64):
		r.Others = append(r.Others, Base64Text)
	case err != nil && b64Err == nil:
		return Result{Bytes: b64, Form: Base64Text, Certain: true}, nil
	case err != nil && p.looksLikeBase64():
		return Result{}, b64Err
	}
	r.Certain = len(r.Others) == 0
	return r, err
}

// looksLikeBase64 tells which error to show: that of base64 when there are letters beyond f, and nothing but base64's digits.
func (p *parser) looksLikeBase64() bool {
	beyond := false
	s := strings.TrimSpace(p.s)
	for i := range len(s) {
		c := s[i]
		if !isBase64(c) && c != '=' && c != '\r' && c != '\n' {
			return false
		}
		beyond = beyond || isBase64(c) && !isHex(c) && c != 'x' && c != 'X'
	}
	return beyond
}

// groups reads the hex forms. Only one separator besides white space may stand in a text.
func (p *parser) groups() (Result, error) {
	var (
		r        Result
		sep      byte // the separator that was seen, 0 for none
		n        int  // groups
		prefixed int  // of them with 0x
		space    bool
		decimal  = true // every group could be a decimal number of two digits
		longest  int
		longAt   int
	)
	s := p.s
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isSpace(c):
			space = space || n > 0 && strings.TrimSpace(s[i:]) != ""
			i++
			continue
		case strings.IndexByte(",;:-", c) >= 0:
			if n == 0 {
				return r, fail(i, "", "%s stands before the first byte", quoteAt(s, i))
			}
			if c == ';' {
				c = ','
			}
			if sep != 0 && sep != c {
				return r, fail(i, "one separator", "%s stands beside another separator, %q", quoteAt(s, i), sep)
			}
			sep = c
			i++
			continue
		}
		start := i
		if c == '0' && i+1 < len(s) && (s[i+1] == 'x' || s[i+1] == 'X') {
			prefixed++
			i += 2
		}
		digits := i
		for i < len(s) && isHex(s[i]) {
			i++
		}
		if i == digits {
			return r, fail(i, "hex digits", "%s is no hex digit", quoteEnd(s, i))
		}
		if (i-digits)%2 != 0 {
			return r, fail(start, evenLimit, "the group %q has an odd number of digits", clip(s[start:i]))
		}
		if i-digits > longest {
			longest, longAt = i-digits, start
		}
		decimal = decimal && i-digits == 2 && s[digits] >= '1' && s[digits] <= '9' && s[digits+1] <= '9'
		n++
		b, err := hex.DecodeString(s[digits:i])
		if err != nil {
			return r, fail(start, "hex digits", "this is no hex")
		}
		r.Bytes = append(r.Bytes, b...)
		if len(r.Bytes) > p.max {
			return r, tooLong(start, p.max)
		}
	}
	switch {
	case prefixed > 0 && prefixed < n:
		return r, fail(0, "0x before each byte or before none", "0x stands before some bytes only")
	case prefixed > 1 && longest > 2:
		return r, fail(longAt, "two digits after each 0x", "the word %q does not say in which order its bytes stand", clip(s[longAt:longAt+2+longest]))
	case prefixed > 0:
		r.Form = PrefixedHex
	case sep == ',':
		r.Form = CommaHex
		if decimal && n > 1 {
			r.Others = []Form{DecimalList}
		}
	case sep == ':':
		r.Form = ColonHex
	case sep == '-':
		r.Form = HyphenHex
	case space:
		r.Form = SpacedHex
	default:
		r.Form = HexDigits
	}
	return r, nil
}

// quoteEnd quotes the character at an offset, or says that the text ends there.
func quoteEnd(s string, i int) string {
	if i >= len(s) {
		return "the end of the text"
	}
	return quoteAt(s, i)
}

// clip cuts what an error repeats to a readable length.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

func tooLong(off, max int) error {
	return fail(off, "", "there are more than %d bytes", max)
}
