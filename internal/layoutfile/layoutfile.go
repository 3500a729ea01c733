// Package layoutfile reads and writes layout files: JSON that replaces assumed members of a codec.Layout.
//
// Every key is optional; what is absent keeps its default. An unknown or repeated key is an error, and so is a value that
// does not fit its member: the whole file is refused, never half taken.
//
//	{
//	  "command": 55,                      // u8
//	  "version": 1,                       // u16
//	  "kinds": {"Boolean": 1, …},         // u8 each, all twelve different
//	  "booleanTrue": "ff",                // hex, 1 byte
//	  "booleanFalse": "00",
//	  "booleanElementTrue": "ffff",       // hex, 1, 2, 4 or 8 bytes; both equally long
//	  "booleanElementFalse": "0000",
//	  "normalTail": ["discriminator", "filetime", "clientToken", "writeIndex"],
//	  "timestampedTail": […],             // the same four, in any order
//	  "arrayHeader": {"reservedWidth": 4, "elementWidthWidth": 4},
//	  "stringElementWidth": 0,
//	  "learned": {"command": ["a.json"]}  // written by `mxrest learn`: the captures that settle a member
//	}
package layoutfile

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mxrest/internal/codec"
)

// file is the layout file's JSON. Pointers tell what is absent from what is zero.
type file struct {
	Command             *uint8              `json:"command,omitempty"`
	Version             *uint16             `json:"version,omitempty"`
	Kinds               map[string]uint8    `json:"kinds,omitempty"`
	BooleanTrue         *string             `json:"booleanTrue,omitempty"`
	BooleanFalse        *string             `json:"booleanFalse,omitempty"`
	BooleanElementTrue  *string             `json:"booleanElementTrue,omitempty"`
	BooleanElementFalse *string             `json:"booleanElementFalse,omitempty"`
	NormalTail          []string            `json:"normalTail,omitempty"`
	TimestampedTail     []string            `json:"timestampedTail,omitempty"`
	ArrayHeader         *arrayHeader        `json:"arrayHeader,omitempty"`
	StringElementWidth  *uint32             `json:"stringElementWidth,omitempty"`
	Learned             map[string][]string `json:"learned,omitempty"`
}

type arrayHeader struct {
	ReservedWidth     *uint8 `json:"reservedWidth,omitempty"`
	ElementWidthWidth *uint8 `json:"elementWidthWidth,omitempty"`
}

// maxSize bounds what Load reads: a file with every member and thousands of capture names stays far below it.
const maxSize = 4 << 20

// Load reads the layout file at path.
func Load(path string) (*codec.Layout, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("layout file %s: %d bytes, at most %d", path, info.Size(), maxSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("layout file %s: %w", path, err)
	}
	return l, nil
}

// Parse reads a layout file's bytes. Members it names are marked Configured, or Learned where "learned" names them too.
func Parse(data []byte) (*codec.Layout, error) {
	var f file
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, explain(data, err)
	}
	if err := noNulls(data); err != nil {
		return nil, err
	}
	l := codec.DefaultLayout()
	a := applier{l: l, learned: f.Learned, given: map[string]codec.Member{}}
	if f.Command != nil {
		l.Command = *f.Command
		a.mark(codec.MemberCommand, "command")
	}
	if f.Version != nil {
		l.Version = *f.Version
		a.mark(codec.MemberVersion, "version")
	}
	for k := range codec.Kind(codec.NumKinds) {
		if n, ok := f.Kinds[k.String()]; ok {
			l.Kinds[k] = n
			a.mark(codec.MemberKind0+codec.Member(k), "kinds."+k.String())
			delete(f.Kinds, k.String())
		}
	}
	for name := range f.Kinds {
		return nil, fmt.Errorf("kinds: %q is not a kind; they are Boolean, Int32, Float32, Float64, String, DateTime and each with Array", name)
	}
	if err := a.booleans(&f); err != nil {
		return nil, err
	}
	if err := a.tail(&l.NormalTail, f.NormalTail, codec.MemberNormalTail, "normalTail"); err != nil {
		return nil, err
	}
	if err := a.tail(&l.TimestampedTail, f.TimestampedTail, codec.MemberTimestampedTail, "timestampedTail"); err != nil {
		return nil, err
	}
	if h := f.ArrayHeader; h != nil {
		if h.ReservedWidth != nil {
			l.ArrayReservedWidth = *h.ReservedWidth
			a.mark(codec.MemberArrayReservedWidth, "arrayHeader.reservedWidth")
		}
		if h.ElementWidthWidth != nil {
			l.ArrayElementWidthWidth = *h.ElementWidthWidth
			a.mark(codec.MemberArrayElementWidthWidth, "arrayHeader.elementWidthWidth")
		}
	}
	if f.StringElementWidth != nil {
		l.StringElementWidth = *f.StringElementWidth
		a.mark(codec.MemberStringElementWidth, "stringElementWidth")
	}
	for name := range f.Learned {
		if m, ok := a.given[name]; ok {
			l.Standing[m] = codec.Learned
			continue
		}
		return nil, fmt.Errorf("learned: %q is not a member that this file gives", name)
	}
	if err := l.Validate(); err != nil {
		var e *codec.Error
		if errors.As(err, &e) {
			return nil, fmt.Errorf("%s: %w", e.Field, e.Err)
		}
		return nil, err
	}
	return l, nil
}

// applier notes which members a file gives.
type applier struct {
	l       *codec.Layout
	learned map[string][]string
	given   map[string]codec.Member
}

func (a *applier) mark(m codec.Member, name string) {
	a.l.Standing[m] = codec.Configured
	a.given[name] = m
}

func (a *applier) booleans(f *file) error {
	for _, b := range []struct {
		text *string
		to   *uint8
		m    codec.Member
		name string
	}{
		{f.BooleanTrue, &a.l.BooleanTrue, codec.MemberBooleanTrue, "booleanTrue"},
		{f.BooleanFalse, &a.l.BooleanFalse, codec.MemberBooleanFalse, "booleanFalse"},
	} {
		if b.text == nil {
			continue
		}
		raw, err := hex.DecodeString(*b.text)
		if err != nil || len(raw) != 1 {
			return fmt.Errorf("%s: %q is not 1 byte as two hex digits: a Boolean's body must stay 37 bytes long", b.name, *b.text)
		}
		*b.to = raw[0]
		a.mark(b.m, b.name)
	}
	width := [2]int{}
	for i, b := range []struct {
		text *string
		to   *uint64
		m    codec.Member
		name string
	}{
		{f.BooleanElementTrue, &a.l.BooleanElementTrue, codec.MemberBooleanElementTrue, "booleanElementTrue"},
		{f.BooleanElementFalse, &a.l.BooleanElementFalse, codec.MemberBooleanElementFalse, "booleanElementFalse"},
	} {
		width[i] = int(a.l.BooleanElementWidth)
		if b.text == nil {
			continue
		}
		raw, err := hex.DecodeString(*b.text)
		if err != nil || len(raw) == 0 || len(raw) > 8 {
			return fmt.Errorf("%s: %q is not 1, 2, 4 or 8 bytes in hex", b.name, *b.text)
		}
		*b.to = 0
		for j, c := range raw {
			*b.to |= uint64(c) << (8 * j)
		}
		width[i] = len(raw)
		a.mark(b.m, b.name)
	}
	if width[0] != width[1] {
		return fmt.Errorf("booleanElementTrue is %d bytes and booleanElementFalse %d: they must be equally long", width[0], width[1])
	}
	a.l.BooleanElementWidth = uint8(width[0])
	return nil
}

func (a *applier) tail(to *codec.TailOrder, names []string, m codec.Member, name string) error {
	if names == nil {
		return nil
	}
	all := codec.DefaultLayout().NormalTail
	if len(names) != len(all) {
		return fmt.Errorf("%s: names %d members, must be discriminator, filetime, clientToken and writeIndex once each: 18 bytes", name, len(names))
	}
next:
	for i, n := range names {
		for _, t := range all {
			if t.String() == n {
				to[i] = t
				continue next
			}
		}
		return fmt.Errorf("%s: %q is not one of discriminator, filetime, clientToken, writeIndex", name, n)
	}
	a.mark(m, name)
	return nil
}

// noNulls refuses null, which would read like an absent member. The data is known to be valid JSON.
func noNulls(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.ReadToken()
		if err != nil {
			return nil //nolint:nilerr // the end; the decoder proper has judged the syntax
		}
		if t.Kind() == 'n' {
			return fmt.Errorf("%s: null does not fit; leave the key out to keep the default", memberName(d.StackPointer()))
		}
	}
}

// memberName writes a JSON pointer the way members are named: kinds.Int32.
func memberName(p jsontext.Pointer) string {
	if p == "" {
		return "a layout file is one JSON object"
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

// explain turns the JSON library's error into one that speaks of the file: key, line, and what was expected.
func explain(data []byte, err error) error {
	line := func(off int64) int { return 1 + strings.Count(string(data[:min(max(off, 0), int64(len(data)))]), "\n") }
	var sem *json.SemanticError
	if errors.As(err, &sem) {
		switch {
		case errors.Is(err, json.ErrUnknownName):
			return fmt.Errorf("line %d: %q is not a key of a layout file", line(sem.ByteOffset), memberName(sem.JSONPointer))
		case sem.JSONPointer == "":
			return fmt.Errorf("line %d: a layout file is one JSON object", line(sem.ByteOffset))
		}
		return fmt.Errorf("line %d: %s: %s does not fit this member", line(sem.ByteOffset), memberName(sem.JSONPointer), found(sem))
	}
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return fmt.Errorf("line %d: key %q appears twice", line(syn.ByteOffset), memberName(syn.JSONPointer))
		}
		return fmt.Errorf("line %d: not valid JSON", line(syn.ByteOffset))
	}
	return errors.New("not valid JSON")
}

// found names the JSON value that did not fit.
func found(e *json.SemanticError) string {
	if len(e.JSONValue) > 0 && len(e.JSONValue) <= 40 {
		return string(e.JSONValue)
	}
	switch e.JSONKind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[', '{':
		return "an array or object"
	}
	return "this value"
}

// Marshal writes l as a layout file: every member that is Configured or Learned, with the captures that settle each learned one.
func Marshal(l *codec.Layout, learned map[string][]string) ([]byte, error) {
	f := file{Learned: learned}
	has := func(m codec.Member) bool { return l.Standing[m] == codec.Configured || l.Standing[m] == codec.Learned }
	if has(codec.MemberCommand) {
		f.Command = &l.Command
	}
	if has(codec.MemberVersion) {
		f.Version = &l.Version
	}
	for k := range codec.Kind(codec.NumKinds) {
		if has(codec.MemberKind0 + codec.Member(k)) {
			if f.Kinds == nil {
				f.Kinds = map[string]uint8{}
			}
			f.Kinds[k.String()] = l.Kinds[k]
		}
	}
	element := func(v uint64, width int) *string {
		b := make([]byte, width)
		for i := range b {
			b[i] = byte(v >> (8 * i))
		}
		s := hex.EncodeToString(b)
		return &s
	}
	if has(codec.MemberBooleanTrue) {
		f.BooleanTrue = element(uint64(l.BooleanTrue), 1)
	}
	if has(codec.MemberBooleanFalse) {
		f.BooleanFalse = element(uint64(l.BooleanFalse), 1)
	}
	if has(codec.MemberBooleanElementTrue) {
		f.BooleanElementTrue = element(l.BooleanElementTrue, int(l.BooleanElementWidth))
	}
	if has(codec.MemberBooleanElementFalse) {
		f.BooleanElementFalse = element(l.BooleanElementFalse, int(l.BooleanElementWidth))
	}
	order := func(o codec.TailOrder) []string {
		return []string{o[0].String(), o[1].String(), o[2].String(), o[3].String()}
	}
	if has(codec.MemberNormalTail) {
		f.NormalTail = order(l.NormalTail)
	}
	if has(codec.MemberTimestampedTail) {
		f.TimestampedTail = order(l.TimestampedTail)
	}
	var h arrayHeader
	if has(codec.MemberArrayReservedWidth) {
		h.ReservedWidth = &l.ArrayReservedWidth
		f.ArrayHeader = &h
	}
	if has(codec.MemberArrayElementWidthWidth) {
		h.ElementWidthWidth = &l.ArrayElementWidthWidth
		f.ArrayHeader = &h
	}
	if has(codec.MemberStringElementWidth) {
		f.StringElementWidth = &l.StringElementWidth
	}
	return json.Marshal(&f, json.Deterministic(true), jsontext.WithIndent("  "))
}
