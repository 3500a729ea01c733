package paste

import (
	"encoding/hex"
	"strings"
)

// cArray reads the bytes between the first braces, or brackets where there are no braces: { 0x37, 0x01 } with casts, suffixes and comments as C, C#,
// Go, Java, Rust and Python write them.
func (p *parser) cArray() ([]byte, error) {
	s := p.s
	open, shut := "{", "}"
	start := strings.Index(s, open)
	if start < 0 {
		open, shut = "[", "]"
		// The last opening bracket: bytes([0x37]) and &[u8; 2] = &[0x37, 0x01] have others before it.
		start = strings.LastIndex(s, open)
	}
	end := strings.Index(s[start:], shut)
	if end < 0 {
		return nil, fail(len(s), "", "%q has no %q", open, shut)
	}
	end += start
	var out []byte
	for i := start + 1; i < end; {
		rest := s[i:end]
		switch c := s[i]; {
		case isSpace(c) || c == ',':
			i++
			continue
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				return nil, fail(i, "", "a comment does not end")
			}
			i += n + 2
			continue
		case strings.HasPrefix(rest, "//") || c == '#':
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
			continue
		case strings.HasPrefix(rest, "(byte)"):
			i += len("(byte)")
			continue
		}
		word := rest
		if n := strings.IndexAny(rest, ", \t\r\n/"); n >= 0 {
			word = rest[:n]
		}
		digits := word
		for _, suffix := range []string{"u8", "U", "u"} {
			digits = strings.TrimSuffix(digits, suffix)
		}
		if digits == "0" {
			digits = "0x00" // zero is zero in every base
		}
		if len(digits) < 2 || digits[0] != '0' || digits[1] != 'x' && digits[1] != 'X' {
			return nil, fail(i, "bytes as 0x00 to 0xff", "%q is no byte with 0x before it", clip(word))
		}
		digits = digits[2:]
		if len(digits)%2 != 0 {
			return nil, fail(i, "two digits after each 0x", "%q has an odd number of digits", clip(word))
		}
		b, err := hex.DecodeString(digits)
		if err != nil || len(b) != 1 {
			return nil, fail(i, "bytes as 0x00 to 0xff", "%q is no byte", clip(word))
		}
		if out = append(out, b[0]); len(out) > p.max {
			return nil, tooLong(i, p.max)
		}
		i += len(word)
	}
	if len(out) == 0 {
		return nil, fail(start, "bytes as 0x00 to 0xff", "there is no byte between %q and %q", open, shut)
	}
	return out, nil
}

// escaped reads \x37\x01 with or without quotes, over several lines as Wireshark writes it, or a bytes literal of Python, in which printable
// bytes stand for themselves.
func (p *parser) escaped() ([]byte, error) {
	s := p.s
	i := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	literal := strings.HasPrefix(s[i:], "b'") || strings.HasPrefix(s[i:], `b"`)
	var quote byte
	if literal {
		quote = s[i+1]
		i += 2
	}
	var out []byte
	for i < len(s) {
		c := s[i]
		switch {
		case literal && c == quote:
			if rest := strings.TrimSpace(s[i+1:]); rest != "" {
				return nil, fail(i+1, "", "the text goes on after its closing quote")
			}
			if len(out) == 0 {
				return nil, fail(i, "at least 1 byte", "there is no byte between the quotes")
			}
			return out, nil
		case c == '\\' && i+1 < len(s) && s[i+1] == 'x':
			if i+4 > len(s) || !isHex(s[i+2]) || !isHex(s[i+3]) {
				return nil, fail(i, "two hex digits after each \\x", "\\x without two hex digits")
			}
			b, _ := hex.DecodeString(s[i+2 : i+4]) // both were looked at
			out = append(out, b[0])
			i += 4
		case literal && c == '\\' && i+1 < len(s):
			b, ok := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '\'': '\'', '"': '"'}[s[i+1]]
			if !ok {
				return nil, fail(i, "", "an escape that a bytes literal does not have")
			}
			out = append(out, b)
			i += 2
		case literal && c >= ' ' && c < 0x7f:
			out = append(out, c)
			i++
		case !literal && (isSpace(c) || c == '"' || c == '\'' || c == '+' || c == ';' || c == '\\' && strings.TrimLeft(s[i+1:], " \t\r") != "" && strings.TrimLeft(s[i+1:], " \t\r")[0] == '\n'):
			i++
		default:
			return nil, fail(i, "bytes as \\x00 to \\xff", "%s stands between the bytes", quoteAt(s, i))
		}
		if len(out) > p.max {
			return nil, tooLong(i, p.max)
		}
	}
	if literal {
		return nil, fail(len(s), "", "the closing quote is missing")
	}
	return out, nil
}
