package jsonin

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse checks a whole document against the strict rules of JSON: one value and nothing after it, no member twice, valid UTF-8,
// no lone surrogate, nesting to [MaxDepth]. The error is an [*Error] with Syntax set.
func Parse(src []byte) (Node, error) { return parse(src, MaxDepth) }

// Parse is the function of the same name with the Decoder's own limit on nesting.
func (d *Decoder) Parse(src []byte) (Node, error) { return parse(src, d.limits.MaxDepth) }

func parse(src []byte, depth int) (Node, error) {
	start := skipSpace(src, 0)
	if start == len(src) {
		return Node{}, &Error{Reason: "the body is empty", Offset: int64(start), Syntax: true, Broken: true}
	}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return Node{}, &Error{Reason: "the body begins with a byte order mark, which JSON does not have", Syntax: true, Broken: true}
	}
	if off := tooDeep(src, depth); off >= 0 {
		limit := strconv.Itoa(depth)
		return Node{}, &Error{Reason: "objects and arrays nest deeper than " + limit, Limit: limit + " levels", Offset: int64(off), Syntax: true, Broken: true}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(src))
	value, err := dec.ReadValue()
	if err != nil {
		return Node{}, syntaxError(src, err)
	}
	end := dec.InputOffset()
	if rest := skipSpace(src, int(end)); rest < len(src) {
		return Node{}, &Error{Reason: "text follows the end of the JSON value", Offset: int64(rest), Syntax: true, Broken: true}
	}
	off := end - int64(len(value))
	return Node{raw: src[off:end:end], off: off}, nil
}

// tooDeep gives the offset of the bracket that goes beyond limit, or -1. It needs no more than a glance at each byte, so that a
// body of nothing but brackets is refused at once.
func tooDeep(src []byte, limit int) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '{', '[':
			if depth++; depth > limit {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// syntaxError words what jsontext found. Its own words are not passed on: they change between versions.
func syntaxError(src []byte, err error) error {
	e := &Error{Syntax: true, Broken: true, Offset: int64(len(src))}
	var se *jsontext.SyntacticError
	if errors.As(err, &se) {
		e.Offset = min(se.ByteOffset, e.Offset)
		e.Pointer = string(se.JSONPointer)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		name := se.JSONPointer.LastToken()
		e.Pointer = pointerTo(string(se.JSONPointer.Parent()), name)
		e.Reason = "the member " + strconv.Quote(typed([]byte(name))) + " stands twice"
		e.Broken = false
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), e.Offset == int64(len(src)):
		e.Offset = int64(len(src))
		e.Reason = "the JSON ends before it is complete"
	default:
		e.Reason, e.Broken = misfit(src, int(e.Offset))
	}
	if len(e.Pointer) > 4*maxQuoted {
		e.Pointer = ""
	}
	return e
}

// misfit says what is wrong at an offset where JSON cannot go on, and whether what follows is out of joint: text inside a string that
// is no text leaves the structure as it is.
func misfit(src []byte, off int) (reason string, broken bool) {
	at := src[off:]
	c := at[0]
	before := byte(0)
	if off > 0 {
		before = src[off-1]
	}
	r, size := utf8.DecodeRune(at)
	switch {
	case r == utf8.RuneError && size <= 1:
		return "invalid UTF-8: byte 0x" + hexByte(c), false
	case c == '\\' && len(at) >= 6 && at[1] == 'u' && (at[2] == 'd' || at[2] == 'D') && strings.IndexByte("89abAB", at[3]) >= 0:
		return string(at[:6]) + " is the first half of a surrogate pair without its second", false
	case c == '\\' && len(at) >= 6 && at[1] == 'u' && (at[2] == 'd' || at[2] == 'D') && strings.IndexByte("cdefCDEF", at[3]) >= 0:
		return string(at[:6]) + " is the second half of a surrogate pair without its first", false
	case c == '\\':
		return "this is no escape sequence of JSON", true
	case c < ' ':
		return "unexpected control character 0x" + hexByte(c) + "; inside a string it must be escaped", true
	case bytes.HasPrefix(at, []byte("NaN")), bytes.HasPrefix(at, []byte("Infinity")):
		name := "NaN"
		if c == 'I' {
			name = "Infinity"
			if before == '-' {
				name = "-Infinity"
			}
		}
		return name + ` is not JSON; a float takes the string "` + name + `"`, true
	case before == '0' && '0' <= c && c <= '9':
		return "a number has no leading zeros", true
	case before == '.', before == '-', (before == 'e' || before == 'E' || before == '+') && !letter(c):
		return "unexpected " + strconv.QuoteRune(r) + " where a digit must follow", true
	case c == '+':
		return "a number does not begin with +", true
	case c == '.':
		return "a number does not begin with a decimal point", true
	case c == '\'':
		return "names and strings stand in double quotes", true
	case letter(c):
		n := 1
		for n < len(at) && letter(at[n]) {
			n++
		}
		return "unexpected " + strconv.Quote(typed(at[:n])), true
	}
	return "unexpected " + strconv.QuoteRune(r), true
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func hexByte(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}
