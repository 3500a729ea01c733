package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/layoutfile"
)

// encodeCmd turns writes in JSON into message bodies, without a server.
type encodeCmd struct {
	File   string `arg:"" optional:"" default:"-" help:"The writes: one JSON object, NDJSON, or a JSON array. - or nothing: stdin."`
	Hex    bool   `xor:"form" help:"Write hex, a line for each body."`
	JSON   bool   `name:"json" xor:"form" help:"Write a JSON result a line for each write, also for one that failed: index, line, id, status, length, hex, base64, or detail and errors."`
	Frames bool   `xor:"form" help:"Write frames, u32 little-endian length and body, also for a single write."`
	Output string `short:"o" placeholder:"FILE" help:"Write to FILE instead of stdout; - is stdout even where that is a terminal."`
	Layout string `env:"MXREST_LAYOUT" placeholder:"FILE" help:"Layout file with the numbers that a plant has instead of the assumed ones."`
}

// Help is shown below the flags.
func (encodeCmd) Help() string {
	return `One write gives its body as it is. Several give frames, each a u32 little-endian length and the body, as POST /v1/write/batch does.
A write that fails is left out of bytes and hex, is told on stderr with its line, and the exit code is 1.
In NDJSON, blank lines and lines that begin with # are passed over but counted.

Exit code 0: all were encoded. 1: some were not. 2: wrong arguments.

Examples:
  echo '{"handle":{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject","primitiveId":2,
    "attributeId":155,"propertyId":10,"attribute":"TestInt"},"type":"Int32","value":305419896}' | mxrest encode --hex
  echo '{"handleBytes":"010001000200050036d702009b000a003eda0000","type":"Boolean","value":true}' | mxrest encode -o body.bin
  mxrest encode --json writes.ndjson
  mxrest encode --layout plant.json writes.json | xxd`
}

func (c *encodeCmd) Run(e *env) (err error) {
	layout := codec.DefaultLayout()
	if c.Layout != "" {
		if layout, err = layoutfile.Load(c.Layout); err != nil {
			return usageError{err}
		}
	}
	name, in := "<stdin>", e.stdin
	if c.File != "-" && c.File != "" {
		f, err := os.Open(c.File)
		if err != nil {
			return usageError{err}
		}
		defer f.Close()
		name, in = c.File, f
	}
	if err := bytesMayGo(e.stdout, c.Output, c.Hex || c.JSON); err != nil {
		return err
	}
	out, done, err := openOutput(e, c.Output)
	if err != nil {
		return err
	}
	defer done(&err)

	w := bufio.NewWriter(out)
	var sink encodeSink
	switch {
	case c.Hex:
		sink = &hexSink{w: w}
	case c.JSON:
		sink = &resultSink{w: w}
	default:
		sink = &bytesSink{w: w, frames: c.Frames}
	}
	failed, err := encodeAll(sink, layout, name, in, e.stderr)
	if err == nil {
		err = sink.end()
	}
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if err == nil && failed > 0 {
		return errFailed
	}
	return err
}

// encodeSink takes the outcome of each write in turn: its body, or what is wrong with it.
type encodeSink interface {
	take(it *encodeItem, body []byte) error
	end() error
}

// encodeItem is one write of the input.
type encodeItem struct {
	index, line int
	id          string
	fault       *jsonin.Error
}

func (it *encodeItem) good() bool { return it.fault == nil }

// encodeAll encodes each write of the input, tells of those that fail on stderr, and returns how many did. The error is one of
// reading or writing.
func encodeAll(sink encodeSink, layout *codec.Layout, name string, in io.Reader, stderr io.Writer) (failed int, err error) {
	items, err := openEncodeInput(jsonin.New(layout, jsonin.Limits{}), in)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	var body []byte
	for {
		entry, err := items.Next()
		var broken *jsonin.Error
		last := errors.As(err, &broken) // nothing can be read beyond it
		switch {
		case errors.Is(err, io.EOF):
			return failed, nil
		case err != nil && !last:
			return failed, fmt.Errorf("%s: %w", name, err)
		}
		it := encodeItem{index: entry.Index, line: items.line(entry), id: string(entry.ID), fault: entry.Err}
		if it.good() {
			if body, err = layout.AppendWrite(body[:0], &entry.Write); err != nil {
				it.fault = &jsonin.Error{Reason: err.Error()}
			}
		}
		if !it.good() {
			failed++
			id := ""
			if it.id != "" {
				id = fmt.Sprintf(" (%s)", it.id)
			}
			fmt.Fprintf(stderr, "mxrest: %s:%d: item %d%s: %v\n", name, it.line, it.index, id, it.fault)
		}
		if err := sink.take(&it, body); err != nil {
			return failed, err
		}
		if last {
			return failed, nil
		}
	}
}

// bytesSink writes bodies: a single one as it is, several as frames. Until a second write comes the first is held back.
type bytesSink struct {
	w      io.Writer
	frames bool
	seen   int    // writes, also those that failed
	first  []byte // the first body, while it is the only write
}

func (s *bytesSink) take(it *encodeItem, body []byte) error {
	s.seen++
	if s.seen == 2 {
		s.frames = true
		if s.first != nil {
			if err := s.frame(s.first); err != nil {
				return err
			}
			s.first = nil
		}
	}
	switch {
	case !it.good():
		return nil
	case s.frames:
		return s.frame(body)
	}
	s.first = append([]byte{}, body...)
	return nil
}

func (s *bytesSink) frame(body []byte) error {
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(body)))
	if _, err := s.w.Write(length[:]); err != nil {
		return err
	}
	_, err := s.w.Write(body)
	return err
}

func (s *bytesSink) end() error {
	_, err := s.w.Write(s.first)
	return err
}

// hexSink writes a line of hex for each body.
type hexSink struct {
	w   io.Writer
	buf []byte
}

func (s *hexSink) take(it *encodeItem, body []byte) error {
	if !it.good() {
		return nil
	}
	s.buf = append(hex.AppendEncode(s.buf[:0], body), '\n')
	_, err := s.w.Write(s.buf)
	return err
}

func (s *hexSink) end() error { return nil }

// encodeResult is a line of --json, in the words of POST /v1/write/batch/results.
type encodeResult struct {
	Index  int                 `json:"index"`
	Line   int                 `json:"line"`
	ID     string              `json:"id,omitempty"`
	Status int                 `json:"status"`
	Length int                 `json:"length,omitzero"`
	Hex    string              `json:"hex,omitempty"`
	Base64 string              `json:"base64,omitempty"`
	Detail string              `json:"detail,omitempty"`
	Errors []encodeResultError `json:"errors,omitempty"`
}

type encodeResultError struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"`
	Limit   string `json:"limit,omitempty"`
	Offset  int64  `json:"offset"`
}

// resultSink writes a JSON result a line.
type resultSink struct{ w io.Writer }

func (s *resultSink) take(it *encodeItem, body []byte) error {
	r := encodeResult{Index: it.index, Line: it.line, ID: it.id}
	if e := it.fault; e != nil {
		r.Status = 422
		if e.Syntax {
			r.Status = 400
		}
		r.Detail = e.Reason
		if e.Pointer != "" {
			r.Detail = e.Pointer + ": " + e.Reason
		}
		r.Errors = []encodeResultError{{e.Pointer, e.Reason, e.Limit, e.Offset}}
	} else {
		r.Status, r.Length = 200, len(body)
		r.Hex, r.Base64 = hex.EncodeToString(body), base64.StdEncoding.EncodeToString(body)
	}
	line, err := json.Marshal(&r)
	if err != nil {
		return err
	}
	_, err = s.w.Write(append(line, '\n'))
	return err
}

func (s *resultSink) end() error { return nil }
