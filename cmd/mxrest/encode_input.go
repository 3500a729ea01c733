package main

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mxrest/internal/codec/jsonin"
)

// encodeInput gives out the writes of an input one by one: Next is that of a jsonin.Batch.
type encodeInput struct {
	Next  func() (*jsonin.Entry, error)
	lines *lineCounter
}

// line is the line on which an item, or what is wrong with it, stands.
func (in *encodeInput) line(e *jsonin.Entry) int {
	switch {
	case e.Line > 0:
		return e.Line
	case e.Err != nil:
		return in.lines.at(e.Err.Offset)
	}
	return in.lines.at(e.Offset)
}

// maxSingle is the longest single object, in bytes; a batch has that limit for each item.
const maxSingle = 16 << 20

// inputForm is how the writes of an input follow each other.
type inputForm int

const (
	unknownForm inputForm = iota // more must be read to tell
	singleForm                   // one object, over as many lines as it likes
	linesForm                    // NDJSON
	listForm                     // a JSON array
)

// openEncodeInput looks at the beginning of an input to find out its form.
func openEncodeInput(d *jsonin.Decoder, r io.Reader) (*encodeInput, error) {
	lines := &lineCounter{r: r}
	var (
		seen  []byte
		form  inputForm
		ended error
	)
	for form == unknownForm {
		if form = formOf(seen, ended != nil || len(seen) > maxSingle); form != unknownForm {
			break
		}
		seen = slices.Grow(seen, 64<<10)
		n, err := lines.Read(seen[len(seen):cap(seen)])
		if seen = seen[:len(seen)+n]; err != nil {
			if ended = err; !errors.Is(err, io.EOF) {
				return nil, err
			}
		}
	}
	rest := io.MultiReader(bytes.NewReader(seen), lines)
	switch form {
	case linesForm:
		return &encodeInput{Next: d.Batch(rest, jsonin.Lines, nil, nil).Next, lines: lines}, nil
	case listForm:
		return &encodeInput{Next: d.Batch(rest, jsonin.List, nil, nil).Next, lines: lines}, nil
	}
	return &encodeInput{Next: single(d, rest), lines: lines}, nil
}

// formOf tells the form by the bytes seen so far; all says that there are no more, or that no more will be looked at.
func formOf(seen []byte, all bool) inputForm {
	rest := bytes.TrimLeft(seen, " \t\r\n")
	switch {
	case len(rest) == 0 && !all:
		return unknownForm
	case len(rest) == 0:
		return singleForm // which is told to be empty
	case rest[0] == '[':
		return listForm
	case rest[0] != '{':
		return linesForm // a comment, or what no form allows
	}
	// An object that ends on its line, and one that the next line does not go on with, is the first of many.
	line, next, found := bytes.Cut(rest, []byte("\n"))
	if !found {
		if all {
			return linesForm
		}
		return unknownForm
	}
	if jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return linesForm
	}
	next = bytes.TrimLeft(next, " \t\r\n")
	switch {
	case len(next) == 0 && !all:
		return unknownForm
	case len(next) == 0, next[0] == '{', next[0] == '#':
		return linesForm
	}
	return singleForm
}

// single reads the whole input as one write.
func single(d *jsonin.Decoder, r io.Reader) func() (*jsonin.Entry, error) {
	done := false
	return func() (*jsonin.Entry, error) {
		if done {
			return nil, io.EOF
		}
		done = true
		raw, err := io.ReadAll(io.LimitReader(r, maxSingle+1))
		if err != nil {
			return nil, err
		}
		if len(raw) > maxSingle {
			return nil, errors.New("the object is longer than 16777216 bytes")
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			return nil, errors.New("the input is empty")
		}
		e := &jsonin.Entry{Raw: raw}
		if _, err := d.Item(&e.Item, raw, nil); err != nil && !errors.As(err, &e.Err) {
			return nil, err
		}
		return e, nil
	}
}

// lineCounter notes where lines end in what is read through it, so that an offset can be told as a line.
type lineCounter struct {
	r      io.Reader
	off    int64
	ends   []int64 // offsets of the newlines that no question has passed yet
	passed int     // newlines before those
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.off+int64(i))
		}
	}
	c.off += int64(n)
	return n, err
}

// at is the line, from 1, of an offset; no later question may go back before it.
func (c *lineCounter) at(off int64) int {
	n, _ := slices.BinarySearch(c.ends, off)
	c.ends = append(c.ends[:0], c.ends[n:]...)
	c.passed += n
	return c.passed + 1
}
