package jsonin

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is one value of a JSON document that [Parse] has found to be sound. The zero Node is an absent member.
// It aliases the document.
type Node struct {
	raw    []byte // the value as typed, without the space around it
	off    int64  // of raw in the document
	parent string // pointer of the array when index counts, else of the value itself
	index  int    // 1 and the element's index; 0 for what is no element
}

// Kind is what a value is, in JSON's own words.
type Kind byte

// The kinds; Absent is that of the zero Node.
const (
	Absent  Kind = 0
	Null    Kind = 'n'
	Boolean Kind = 't'
	Number  Kind = '0'
	String  Kind = '"'
	Object  Kind = '{'
	Array   Kind = '['
)

// String is the kind as errors name it.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Boolean:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Object:
		return "an object"
	case Array:
		return "an array"
	}
	return "nothing"
}

// Kind says what the value is.
func (n Node) Kind() Kind {
	if len(n.raw) == 0 {
		return Absent
	}
	switch c := n.raw[0]; c {
	case 'n', '"', '{', '[':
		return Kind(c)
	case 't', 'f':
		return Boolean
	}
	return Number
}

// Present says whether the member is there; null is there.
func (n Node) Present() bool { return len(n.raw) != 0 }

// Raw is the value as it was typed.
func (n Node) Raw() []byte { return n.raw }

// Offset is where the value begins in the document.
func (n Node) Offset() int64 { return n.off }

// Pointer is the RFC 6901 pointer to the value.
func (n Node) Pointer() string {
	if n.index > 0 {
		return n.parent + "/" + strconv.Itoa(n.index-1)
	}
	return n.parent
}

// Fail makes the error that this value does not fit; limit may be "".
func (n Node) Fail(reason, limit string) error {
	return &Error{Pointer: n.Pointer(), Reason: reason, Limit: limit, Offset: n.off}
}

// Missing makes the error that this object lacks a member; limit may be "".
func (n Node) Missing(name, limit string) error {
	return &Error{Pointer: pointerTo(n.Pointer(), name), Reason: name + " is missing", Limit: limit, Offset: n.off}
}

// Wrong makes the error that this value is not what is wanted, such as "an integer"; limit may be "".
func (n Node) Wrong(want, limit string) error {
	switch k := n.Kind(); k {
	case Null:
		return n.Fail("null is not "+want, limit)
	case Object, Array, Absent:
		return n.Fail(k.String()+" is not "+want, limit)
	case String:
		return n.Fail("the string "+typed(n.raw)+" is not "+want, limit)
	}
	return n.Fail(typed(n.raw)+" is not "+want, limit)
}

// wantObject refuses a whole body that is not an object. That counts as syntax: no operation takes another.
func (n Node) wantObject() error {
	if k := n.Kind(); k != Object {
		return &Error{Pointer: n.Pointer(), Reason: "an object is needed here, not " + k.String(), Offset: n.off, Syntax: true}
	}
	return nil
}

// Members reads an object that has no other members than names, and returns one Node for each name in that order, absent ones
// as zero Nodes. It fails when the value is not an object, and with Syntax set at a member of another name.
func (n Node) Members(names ...string) ([]Node, error) {
	if n.Kind() != Object {
		return nil, n.Wrong("an object", "")
	}
	ptr := n.Pointer()
	found := make([]Node, len(names))
	dec := jsontext.NewDecoder(bytes.NewBuffer(n.raw))
	if _, err := dec.ReadToken(); err != nil {
		return nil, n.Wrong("an object", "")
	}
next:
	for dec.PeekKind() == '"' {
		key, err := dec.ReadValue()
		if err != nil {
			return nil, n.Wrong("an object", "")
		}
		keyOff := n.off + dec.InputOffset() - int64(len(key))
		name := unquote(nil, key)
		at := -1
		for i := range names {
			if string(name) == names[i] {
				at = i
				break
			}
		}
		if at < 0 {
			return nil, unknown(ptr, string(name), names, keyOff)
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, n.Wrong("an object", "")
		}
		end := dec.InputOffset()
		start := end - int64(len(value))
		found[at] = Node{raw: n.raw[start:end:end], off: n.off + start, parent: pointerTo(ptr, names[at])} // #nosec G602 -- at is an index of names, found is as long
		continue next
	}
	return found, nil
}

// unknown is the error for a member that the schema does not have.
func unknown(ptr, name string, names []string, off int64) error {
	reason := "unknown member " + strconv.Quote(typed([]byte(name)))
	for _, known := range names {
		if strings.EqualFold(known, name) {
			reason += ": names are case-sensitive, write " + strconv.Quote(known)
		}
	}
	return &Error{Pointer: pointerTo(ptr, name), Reason: reason, Limit: strings.Join(names, ", "), Offset: off, Syntax: true}
}

// Elements calls yield with each element of an array, in order, until it returns an error, and returns that. It fails when the
// value is not an array, or at the element after the first most; most 0 is no limit.
func (n Node) Elements(most int, yield func(i int, elem Node) error) error {
	if n.Kind() != Array {
		return n.Wrong("an array", "")
	}
	ptr := n.Pointer()
	dec := jsontext.NewDecoder(bytes.NewBuffer(n.raw))
	if _, err := dec.ReadToken(); err != nil {
		return n.Wrong("an array", "")
	}
	for i := 0; dec.PeekKind() != ']'; i++ {
		if most > 0 && i == most {
			return n.Fail("the array has more than "+strconv.Itoa(most)+" elements", "0.."+strconv.Itoa(most)+" elements")
		}
		value, err := dec.ReadValue()
		if err != nil {
			return n.Wrong("an array", "")
		}
		end := dec.InputOffset()
		start := end - int64(len(value))
		if err := yield(i, Node{raw: n.raw[start:end:end], off: n.off + start, parent: ptr, index: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// Text reads a string and returns its text as UTF-8: aliasing the document when it holds no escapes, else appended to dst
// and aliasing that. Give nil for a slice of its own.
func (n Node) Text(dst []byte) ([]byte, error) {
	if n.Kind() != String {
		return nil, n.Wrong("a string", "a string")
	}
	return unquote(dst, n.raw), nil
}

// Bool reads true or false.
func (n Node) Bool() (bool, error) {
	if n.Kind() != Boolean {
		return false, n.Wrong("true or false", "true, false")
	}
	return n.raw[0] == 't', nil
}

// Int reads an integer from lo to hi, both included. A number with a fraction or an exponent is none.
func (n Node) Int(lo, hi int64) (int64, error) {
	return n.integer("an integer", lo, hi)
}

func (n Node) integer(want string, lo, hi int64) (int64, error) {
	limit := func() string { return strconv.FormatInt(lo, 10) + ".." + strconv.FormatInt(hi, 10) }
	if n.Kind() != Number {
		return 0, n.Wrong(want, limit())
	}
	if bytes.ContainsAny(n.raw, ".eE") {
		return 0, n.Fail(typed(n.raw)+" is not "+want+": an integer has no fraction and no exponent", limit())
	}
	v, err := strconv.ParseInt(string(n.raw), 10, 64)
	if err != nil || v < lo || v > hi {
		return 0, n.Fail(typed(n.raw)+" is out of range", limit())
	}
	return v, nil
}

// OneOf reads a string that is one of names and returns its index.
func (n Node) OneOf(names ...string) (int, error) {
	limit := func() string { return strings.Join(names, ", ") }
	if n.Kind() != String {
		return 0, n.Wrong("one of the allowed names", limit())
	}
	text := unquote(nil, n.raw)
	for i := range names {
		if string(text) == names[i] {
			return i, nil
		}
	}
	return 0, n.Fail(typed(n.raw)+" is not one of the allowed names", limit())
}

// unquote gives the text of a sound JSON string literal: aliasing raw without escapes, else appended to dst.
func unquote(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1 : len(raw)-1]
	}
	start := len(dst)
	dst, err := jsontext.AppendUnquote(dst, raw)
	if err != nil {
		return nil // raw is a sound literal
	}
	return dst[start:len(dst):len(dst)]
}

// runes counts the characters of sound text.
func runes(text []byte) int { return utf8.RuneCount(text) }
