package jsonin

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is one thing wrong with a request, worded for the person who sent it.
type Error struct {
	// Pointer is the RFC 6901 pointer to the member at fault, "" for the whole body.
	Pointer string
	// Reason says what is wrong and quotes numbers as they were typed.
	Reason string
	// Limit is what would have been taken: a range, or the allowed names; "" where no limit was broken.
	Limit string
	// Offset is where the member begins, or where the syntax breaks: bytes from the start of the body (in NDJSON, of the line).
	Offset int64
	// Syntax is true when the body is not JSON or breaks the strict rules (400), false when the JSON is fine and the value does not
	// fit (422).
	Syntax bool
	// Broken is true when the text is not JSON at all, so that nothing after Offset can be trusted. It implies Syntax.
	Broken bool
}

// Error is one line: pointer, reason, limit, offset.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pointer != "" {
		b.WriteString(e.Pointer)
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	if e.Limit != "" {
		b.WriteString(" (allowed: ")
		b.WriteString(e.Limit)
		b.WriteString(")")
	}
	if e.Syntax {
		b.WriteString(" at offset ")
		b.WriteString(strconv.FormatInt(e.Offset, 10))
	}
	return b.String()
}

// maxQuoted is how many bytes of the caller's own text an error repeats.
const maxQuoted = 64

// typed is raw JSON as it was typed, cut to a readable length.
func typed(raw []byte) string {
	if len(raw) <= maxQuoted {
		return string(raw)
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(raw[n]) {
		n--
	}
	return string(raw[:n]) + "…"
}

// pointerTo appends a member's name to a pointer; a name too long to be shown stays away.
func pointerTo(ptr string, name string) string {
	if len(name) > 2*maxQuoted {
		return ptr
	}
	return ptr + "/" + pointerEscapes.Replace(name)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
