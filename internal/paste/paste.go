// Package paste reads bytes from text as people paste it: hex in its many spellings, base64, C arrays, dumps. Every answer names the form that was
// read, and the others that would have been possible; nothing is guessed silently.
package paste

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Form is a way to write bytes.
type Form string

// The forms.
const (
	Octets      Form = "octets"      // no text: the bytes themselves
	HexDigits   Form = "hex"         // 3701 as one run of digits
	Base64Text  Form = "base64"      // standard alphabet, with padding
	SpacedHex   Form = "spacedHex"   // 37 01, in groups of any even length, over any number of lines
	CommaHex    Form = "commaHex"    // 37, 01
	ColonHex    Form = "colonHex"    // 37:01
	HyphenHex   Form = "hyphenHex"   // 37-01, as .NET's BitConverter writes
	PrefixedHex Form = "prefixedHex" // 0x37 0x01, or one long 0x3701
	CArray      Form = "cArray"      // { 0x37, 0x01 } as in C, C#, Go, Java, Rust, Python
	EscapedHex  Form = "escapedHex"  // \x37\x01
	XXD         Form = "xxd"         // 00000000: 3701 0005  7...
	Hexdump     Form = "hexdump"     // 00000000  37 01 00 05  |7...|
	Wireshark   Form = "wireshark"   // 0000  37 01 00 05   7...
	DecimalList Form = "decimalList" // 55, 1: not read, only named as a possibility
)

// Result is what a text was read as.
type Result struct {
	Bytes   []byte
	Form    Form
	Certain bool   // no other form would have given other bytes
	Others  []Form // those that would have
	Note    string // what was left out or repaired; "" for nothing
}

// Error says why a text is no bytes.
type Error struct {
	Reason string
	Limit  string // what would have been taken; "" for nothing in particular
	Offset int    // bytes from the start of the text
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s, at offset %d of the text", e.Reason, e.Offset)
}

func fail(off int, limit, format string, args ...any) error {
	return &Error{Reason: fmt.Sprintf(format, args...), Limit: limit, Offset: off}
}

const evenLimit = "an even number of hex digits"

// Hex reads hex digits and nothing else.
func Hex(s string) ([]byte, error) {
	for i := range len(s) {
		if !isHex(s[i]) {
			return nil, fail(i, "0-9, a-f, A-F", "%s is no hex digit", quoteAt(s, i))
		}
	}
	if len(s)%2 != 0 {
		return nil, fail(len(s), evenLimit, "the number of hex digits, %d, is odd", len(s))
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, fail(0, evenLimit, "this is no hex")
	}
	return b, nil
}

// Base64 reads standard base64 with padding and nothing else.
func Base64(s string) ([]byte, error) {
	const limit = "standard base64 with padding"
	for i := range len(s) {
		if !isBase64(s[i]) && s[i] != '=' {
			return nil, fail(i, limit, "%s is no digit of base64", quoteAt(s, i))
		}
	}
	if len(s)%4 != 0 {
		return nil, fail(len(s), limit, "there are %d characters, not a multiple of 4", len(s))
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, fail(strings.IndexByte(s, '='), limit, "the padding is not right")
	}
	return b, nil
}

// Text finds out the form of a text and reads it; at most max bytes, which matters for dumps that repeat lines with a star.
func Text(s string, max int) (Result, error) {
	if strings.TrimSpace(s) == "" {
		return Result{}, fail(0, "bytes as text", "the text is empty")
	}
	p := &parser{s: s, max: max}
	dump := looksLikeDump(s) // looked at first: an ASCII column may hold brackets and backslashes
	switch {
	case dump:
	case strings.ContainsAny(s, "{["):
		b, err := p.cArray()
		return Result{Bytes: b, Form: CArray, Certain: true}, err
	case strings.Contains(s, `\x`) || strings.HasPrefix(strings.TrimSpace(s), "b'") || strings.HasPrefix(strings.TrimSpace(s), `b"`):
		b, err := p.escaped()
		return Result{Bytes: b, Form: EscapedHex, Certain: true}, err
	}
	if !dump {
		return p.tokens()
	}
	r, err := p.dump()
	other, otherErr := p.tokens()
	switch {
	case err == nil && otherErr == nil && !bytes.Equal(r.Bytes, other.Bytes):
		// A colon, offsets that count up over several lines, or an ASCII column that says what the bytes say are no accident.
		if r.Form != Wireshark || p.checked || strings.Count(strings.TrimSpace(s), "\n") > 0 {
			return r, nil
		}
		// Dumps set their offset apart by more than one space, and begin at 0 as a rule.
		if l, _ := splitOffset(strings.TrimSpace(s)); !strings.HasPrefix(l.rest, "  ") && !strings.HasPrefix(l.rest, "\t") {
			if l.offset == 0 {
				other.Certain, other.Others = false, append(other.Others, Wireshark)
			}
			return other, nil
		}
		r.Certain, r.Others = false, []Form{other.Form}
		return r, nil
	case err != nil && otherErr == nil && strings.Count(strings.TrimSpace(s), "\n") == 0:
		return other, nil // its first group only looked like an offset
	}
	return r, err
}

type parser struct {
	s       string
	max     int
	checked bool // an ASCII column said the same as the bytes beside it
}

// File reads the contents of a file or of standard input: text when all of it is text, else the bytes themselves. A single
// character is never text, since no form writes a byte with one.
func File(data []byte, max int) (Result, error) {
	if isText(data) && len(bytes.TrimSpace(data)) > 1 {
		return Text(string(data), max)
	}
	return Result{Bytes: data, Form: Octets, Certain: true}, nil
}

// isText tells whether there is nothing but printable ASCII and white space, and UTF-8 beyond ASCII, as an ASCII column may have.
func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isBase64(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '+' || c == '/'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// quoteAt quotes the character at an offset.
func quoteAt(s string, i int) string {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return fmt.Sprintf("%q", r)
}
