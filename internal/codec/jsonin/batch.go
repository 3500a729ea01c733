package jsonin

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
)

// Form is how a batch's items follow each other.
type Form uint8

// The forms.
const (
	Lines Form = iota // NDJSON: an object a line; blank lines, and lines that begin with #, are passed over but counted
	List              // one JSON array
)

// Entry is one item of a batch as [Batch.Next] gives it. It is valid until the next call.
type Entry struct {
	Item
	Index  int    // the item's place among the items, from 0
	Line   int    // the line it stands on, from 1; 0 in a List
	Offset int64  // where it begins in the input
	Raw    []byte // the item as typed
	// Err is what is wrong with the item, nil when it is good. Its Offset counts from the start of the line, and in a List from
	// the start of the input.
	Err *Error
}

// Batch reads a stream of writes one by one and never holds more than one item and what a read brought along.
// Nothing is allocated for an item that takes the fast path, once the buffers have grown to the largest.
type Batch struct {
	r    io.Reader
	form Form
	f    fast // reads one item after the other, each into the same scratch

	buf      []byte // the window; buf[pos:] is not yet used
	pos      int
	base     int64 // offset of buf[0] in the input
	readErr  error // what ended the reading; the bytes before it still count
	entry    Entry
	index    int
	line     int
	began    bool  // a List's opening bracket is behind us
	finished error // what every further call returns
}

// minRead is the least room that is offered to a read, minGrow the least that the window grows by.
const (
	minRead = 4 << 10
	minGrow = 32 << 10
)

// Batch reads items from r. The two buffers are used and grown as needed; take them back with [Batch.Buffers] to use them again.
func (d *Decoder) Batch(r io.Reader, form Form, window, scratch []byte) *Batch {
	return &Batch{r: r, form: form, f: fast{d: d, scratch: scratch, withID: true}, buf: window[:0]}
}

// Buffers gives back the window and the scratch buffer, grown as they may be. The Batch must not be used afterwards.
func (b *Batch) Buffers() (window, scratch []byte) { return b.buf[:0], b.f.scratch[:0] }

// Next reads the next item. A bad item is returned with Err set, and the batch goes on. The error is io.EOF after the last item; an
// [*Error] with Broken set when the input is no array of JSON values from here on, in which case the entry tells index and offset
// and has the same Err; or the reader's own error as it came. After an error every call returns it again.
func (b *Batch) Next() (*Entry, error) {
	if b.finished != nil {
		return &b.entry, b.finished
	}
	b.entry = Entry{}
	b.entry.Index = b.index
	var err error
	if b.form == Lines {
		err = b.nextLine()
	} else {
		err = b.nextElement()
	}
	if err != nil {
		b.finished = err
		var e *Error
		if errors.As(err, &e) {
			b.entry.Err = e
		}
		return &b.entry, err
	}
	b.index++
	return &b.entry, nil
}

// fill reads once more into the window, which moves or grows as needed. It returns false at the end of the input.
func (b *Batch) fill() bool {
	if b.readErr != nil {
		return false
	}
	if cap(b.buf)-len(b.buf) < minRead {
		if b.pos > 0 {
			n := copy(b.buf, b.buf[b.pos:])
			b.base += int64(b.pos)
			b.buf, b.pos = b.buf[:n], 0
		}
		if cap(b.buf)-len(b.buf) < minRead {
			b.buf = slices.Grow(b.buf, max(len(b.buf), minGrow))
		}
	}
	// A reader may return nothing a few times without an error.
	for range 100 {
		n, err := b.r.Read(b.buf[len(b.buf):cap(b.buf)])
		b.buf = b.buf[:len(b.buf)+n]
		b.readErr = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	b.readErr = io.ErrNoProgress
	return false
}

// ended is the reader's error where the input had to go on, nil when it simply ended.
func (b *Batch) ended() error {
	if errors.Is(b.readErr, io.EOF) {
		return nil
	}
	return b.readErr
}

// nextLine reads the next line that holds an item.
func (b *Batch) nextLine() error {
	for {
		line, off, tooLong, err := b.readLine()
		if err != nil {
			return err
		}
		b.line++
		if len(line) > 0 && line[0] == '#' || !tooLong && skipSpace(line, 0) == len(line) {
			continue
		}
		e := &b.entry
		e.Line, e.Offset, e.Raw = b.line, off, line
		if tooLong {
			e.Err = b.tooLong("line")
			return nil
		}
		b.read(line)
		return nil
	}
}

// readLine returns the next line without its end. Of one longer than MaxItem only the beginning is returned, and the rest passed over.
func (b *Batch) readLine() (line []byte, off int64, tooLong bool, err error) {
	seen := 0 // bytes of the line that hold no newline
	for {
		if n := bytes.IndexByte(b.buf[b.pos+seen:], '\n'); n >= 0 {
			line = b.buf[b.pos : b.pos+seen+n]
			off = b.base + int64(b.pos)
			b.pos += seen + n + 1
			break
		}
		if seen = len(b.buf) - b.pos; seen > b.f.d.limits.MaxItem+1 {
			return b.skipLine()
		}
		if b.fill() {
			continue
		}
		if err := b.ended(); err != nil {
			return nil, 0, false, err
		}
		if seen == 0 {
			return nil, 0, false, io.EOF
		}
		line = b.buf[b.pos:]
		off = b.base + int64(b.pos)
		b.pos = len(b.buf)
		break
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, off, len(line) > b.f.d.limits.MaxItem, nil
}

// skipLine passes over a line that is too long. The few bytes that are kept of it tell a comment.
func (b *Batch) skipLine() (line []byte, off int64, tooLong bool, err error) {
	off = b.base + int64(b.pos)
	line = bytes.Clone(b.buf[b.pos : b.pos+1])
	for {
		if n := bytes.IndexByte(b.buf[b.pos:], '\n'); n >= 0 {
			b.pos += n + 1
			return line, off, true, nil
		}
		b.pos = len(b.buf)
		if !b.fill() {
			return line, off, true, b.ended()
		}
	}
}

func (b *Batch) tooLong(what string) *Error {
	limit := strconv.Itoa(b.f.d.limits.MaxItem) + " bytes"
	return &Error{Reason: "the " + what + " is longer than " + limit, Limit: "0.." + limit}
}

// begin makes the fast path begin at src.
func (b *Batch) begin(src []byte) *fast {
	f := &b.f
	f.b, f.i, f.scratch = src, 0, f.scratch[:0]
	return f
}

// read decodes one whole item into the entry, which is empty.
func (b *Batch) read(raw []byte) {
	if err := b.begin(raw).read(&b.entry.Item); err != nil {
		errors.As(err, &b.entry.Err)
	}
}

// peek passes over white space and returns the byte after it; ok is false at the end of the input.
func (b *Batch) peek() (c byte, ok bool) {
	for {
		if b.pos = skipSpace(b.buf, b.pos); b.pos < len(b.buf) {
			return b.buf[b.pos], true
		}
		if !b.fill() {
			return 0, false
		}
	}
}

// broken ends the batch at the present place.
func (b *Batch) broken(reason string) error {
	if err := b.ended(); err != nil && b.pos == len(b.buf) {
		return err
	}
	off := b.base + int64(b.pos)
	b.entry.Offset = off
	return &Error{Reason: reason, Offset: off, Syntax: true, Broken: true}
}

const cutShort = "the array ends before it is complete"

// nextElement reads the next element of the array.
func (b *Batch) nextElement() error {
	c, ok := b.peek()
	switch {
	case !b.began && !ok:
		return b.broken("the body is empty")
	case !b.began && c != '[':
		if c == 0xef {
			return b.broken("the body begins with a byte order mark, which JSON does not have")
		}
		return b.broken("the body is not an array of writes; writes a line each are application/x-ndjson")
	case !b.began:
		b.began = true
		b.pos++
		if c, ok = b.peek(); ok && c == ']' {
			return b.close()
		}
	case !ok:
		return b.broken(cutShort)
	case c == ']':
		return b.close()
	case c == ',':
		b.pos++
		c, ok = b.peek()
	default:
		return b.broken("unexpected " + strconv.QuoteRune(rune(c)) + " after an element; a comma or ] must follow")
	}
	if !ok {
		return b.broken(cutShort)
	}
	if c == ',' || c == ']' || c == '}' || c == ':' {
		return b.broken("unexpected " + strconv.QuoteRune(rune(c)) + " where an element must stand")
	}
	return b.element()
}

// close reads what follows the array: nothing but space.
func (b *Batch) close() error {
	b.pos++
	if _, ok := b.peek(); ok {
		return b.broken("text follows the end of the array")
	}
	if err := b.ended(); err != nil {
		return err
	}
	return io.EOF
}

// element reads the element at the present place.
func (b *Batch) element() error {
	e := &b.entry
	// As a rule it lies in the window whole, and reading it is the way to find its end.
	f := b.begin(b.buf[b.pos:])
	if f.item(&e.Item) && f.i <= f.d.limits.MaxItem {
		e.Offset = b.base + int64(b.pos)
		e.Raw = f.b[:f.i]
		b.pos += f.i
		return nil
	}
	e.Item = Item{}

	// Else its end is found first, and all of it read into the window.
	s := scanner{limit: b.f.d.limits.MaxDepth}
	for !s.scan(b.buf[b.pos:]) {
		if s.depth > s.limit {
			b.pos += s.at
			return b.broken("objects and arrays nest deeper than " + strconv.Itoa(s.limit))
		}
		if s.at > b.f.d.limits.MaxItem {
			break
		}
		if !b.fill() {
			if err := b.ended(); err != nil {
				return err
			}
			b.pos = len(b.buf)
			return b.broken(cutShort)
		}
	}
	e.Offset = b.base + int64(b.pos)
	if s.at > b.f.d.limits.MaxItem {
		// What follows could be found only by reading on for nothing: the sender is to split the item.
		err := b.tooLong("element")
		err.Offset = e.Offset
		return err
	}
	e.Raw = b.buf[b.pos : b.pos+s.at]
	b.pos += s.at
	b.read(e.Raw)
	if e.Err != nil {
		e.Err.Offset += e.Offset
		if e.Err.Broken {
			return e.Err
		}
	}
	return nil
}

// scanner finds the end of a JSON value by its brackets and quotes alone. It goes on where it stopped when more bytes have come.
type scanner struct {
	at      int // bytes looked at; the value's length once it is whole
	depth   int
	limit   int  // of depth
	text    bool // inside a string
	escaped bool // after a backslash
}

// scan tells whether the value that begins at src[0] is whole. It stops early where depth goes beyond limit.
func (s *scanner) scan(src []byte) bool {
	for ; s.at < len(src); s.at++ {
		c := src[s.at]
		switch {
		case s.escaped:
			s.escaped = false
		case s.text:
			if s.text = c != '"'; !s.text && s.depth == 0 {
				s.at++
				return true
			}
			s.escaped = c == '\\'
		case c == '"':
			s.text = true
		case c == '{' || c == '[':
			if s.depth++; s.depth > s.limit {
				return false
			}
		case c == '}' || c == ']':
			if s.depth--; s.depth > 0 {
				continue
			}
			if s.depth == 0 {
				s.at++
			}
			return true // a bracket too many ends a number or a word
		case s.depth == 0 && (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			return true
		}
	}
	return false
}
