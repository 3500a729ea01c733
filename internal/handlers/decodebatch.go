package handlers

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"mxrest/internal/capture"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
)

// decodeLine is one line of a streamed decode answer.
type decodeLine struct {
	Index   int              `json:"index"`
	Line    int              `json:"line,omitempty"`
	ID      string           `json:"id,omitempty"`
	Status  int              `json:"status"`
	Decoded *capture.Decoded `json:"decoded,omitempty"`
	Problem *Problem         `json:"problem,omitempty"`
}

// batchSummary is the last line of a streamed answer.
type batchSummary struct {
	Count     int `json:"count"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// lineWriter sends NDJSON while the input is still coming: whenever enough lines are ready, and before each wait for more input.
type lineWriter struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	buf     bytes.Buffer
	enc     *json.Encoder
	started bool
	sum     batchSummary
	gone    error // the client is
}

func newLineWriter(w http.ResponseWriter) *lineWriter {
	lw := &lineWriter{w: w, rc: http.NewResponseController(w)}
	_ = lw.rc.EnableFullDuplex() // HTTP/2 needs none and has none
	lw.enc = json.NewEncoder(&lw.buf)
	lw.enc.SetEscapeHTML(false)
	return lw
}

// send sends what is ready.
func (lw *lineWriter) send() error {
	if lw.buf.Len() == 0 || lw.gone != nil {
		return lw.gone
	}
	if !lw.started {
		lw.started = true
		lw.w.Header()["Content-Type"] = headerNDJSON
		lw.w.WriteHeader(http.StatusOK)
	}
	_, lw.gone = lw.w.Write(onlyLineFeeds(lw.buf.Bytes()))
	if lw.gone == nil {
		lw.gone = lw.rc.Flush()
	}
	if lw.buf.Reset(); lw.buf.Cap() > 16*sendAt {
		lw.buf = bytes.Buffer{} // one large body must not be paid for until the end
	}
	return lw.gone
}

// add writes the line of one item; an item without a problem was decoded.
func (lw *lineWriter) add(l decodeLine) {
	l.Index = lw.sum.Count
	lw.sum.Count++
	l.Status = http.StatusOK
	if l.Problem != nil {
		lw.sum.Failed++
		l.Decoded = nil
		l.Status = l.Problem.Status
		l.Problem.Instance = EnsureRequestID(lw.w.Header())
	} else {
		lw.sum.Succeeded++
	}
	if err := lw.enc.Encode(l); err != nil {
		lw.gone = err
		return
	}
	if lw.buf.Len() >= sendAt {
		_ = lw.send()
	}
}

// end writes the summary, after a last line for what ended the input early. Before anything was sent that is the whole answer instead.
func (lw *lineWriter) end(r *http.Request, p *Problem) {
	if p != nil && !lw.started && lw.sum.Count == 0 {
		WriteProblem(lw.w, r, p)
		return
	}
	if p != nil {
		lw.add(decodeLine{Problem: p})
	}
	if lw.gone == nil && lw.enc.Encode(lw.sum) == nil {
		_ = lw.send()
	}
}

// readAhead is how much of a batch to decode is read at a time.
const readAhead = 32 << 10

// DecodeBatch reads frames, a u32 length and a body each, and answers with a line for each, in constant memory.
func (a *API) DecodeBatch(w http.ResponseWriter, r *http.Request) {
	lw := newLineWriter(w)
	s := a.openStream(r, lw.send)
	in := bufio.NewReaderSize(s, readAhead)
	var body []byte
	for lw.gone == nil {
		var p *Problem
		if body, p = a.readFrame(in, s, body); p != nil || body == nil {
			lw.end(r, p)
			return
		}
		if lw.sum.Count >= a.cfg.Limits.BatchItems {
			lw.end(r, a.tooManyItems())
			return
		}
		view, p := a.view(body, inspect.Options{}, "")
		lw.add(decodeLine{Decoded: &capture.Decoded{View: view, Form: octetForm}, Problem: p})
		if cap(body) > 16*sendAt {
			body = nil
		}
	}
}

// readFrame reads the next frame into buf; nil at the end of the input. A frame takes memory as its bytes come, never by what its length says.
func (a *API) readFrame(in *bufio.Reader, s *stream, buf []byte) ([]byte, *Problem) {
	var head [4]byte
	_, err := io.ReadFull(in, head[:])
	switch {
	case err == io.EOF:
		return nil, nil
	case errors.Is(err, io.ErrUnexpectedEOF) && s.broken == nil: // which a connection that broke off says too
		return nil, frameProblem(s, "the input ends inside a frame's length", "4 bytes")
	case err != nil:
		return nil, s.problem(err)
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size > a.cfg.Limits.Body {
		return nil, NewProblem(KindTooLarge, fmt.Sprintf("A frame of %d bytes is larger than this server takes; the frames after it were not read.", size),
			ProblemError{Reason: fmt.Sprintf("the frame has %d bytes", size), Limit: fmt.Sprintf("at most %d bytes", a.cfg.Limits.Body)})
	}
	out := bytes.NewBuffer(buf[:0])
	got, err := io.CopyN(out, in, size)
	switch {
	case err == io.EOF:
		return nil, frameProblem(s, fmt.Sprintf("the input ends after %d of the frame's %d bytes", got, size), fmt.Sprintf("%d bytes", size))
	case err != nil:
		return nil, s.problem(err)
	}
	if body := out.Bytes(); body != nil {
		return body, nil
	}
	return []byte{}, nil
}

// frameProblem is the 422 of an input that ends inside a frame.
func frameProblem(s *stream, reason, limit string) *Problem {
	off := s.n
	return NewProblem(KindBody, reason, ProblemError{Reason: reason, Limit: limit, Offset: &off})
}

// DecodeTextBatch reads a TextInput a line and answers with a line for each, in constant memory. Blank lines and those that begin with # are
// passed over but counted.
func (a *API) DecodeTextBatch(w http.ResponseWriter, r *http.Request) {
	lw := newLineWriter(w)
	s := a.openStream(r, lw.send)
	in := bufio.NewReaderSize(s, readAhead)
	var buf []byte
	for n := 1; lw.gone == nil; n++ {
		line, tooLong, err := readLine(in, buf[:0], int(a.cfg.Limits.Body))
		if err != nil && err != io.EOF {
			lw.end(r, s.problem(err))
			return
		}
		if buf = line; cap(buf) > 16*sendAt {
			buf = nil
		}
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0 || line[0] == '#':
		case lw.sum.Count >= a.cfg.Limits.BatchItems:
			lw.end(r, a.tooManyItems())
			return
		case tooLong:
			limit := fmt.Sprintf("at most %d bytes", a.cfg.Limits.Body)
			lw.add(decodeLine{Line: n, Problem: NewProblem(KindTooLarge, "The line is too long.", ProblemError{Reason: "the line is too long", Limit: limit})})
		default:
			d, p := a.decodeTextLine(bytes.TrimRight(line, "\r\n"))
			if p != nil && d.ID == "" {
				d.ID = string(jsonin.LooseID(line))
			}
			lw.add(decodeLine{Line: n, ID: d.ID, Decoded: &d, Problem: p})
		}
		if err == io.EOF {
			lw.end(r, nil)
			return
		}
	}
}

func (a *API) decodeTextLine(line []byte) (capture.Decoded, *Problem) {
	var (
		root jsonin.Node
		err  error
	)
	if root, err = a.parseObject(line); err != nil {
		return capture.Decoded{}, problemOf(err)
	}
	return a.decodeText(root)
}

// readLine appends the next line to buf, with its end. Of one longer than limit only the beginning is kept, and the rest passed over.
func readLine(in *bufio.Reader, buf []byte, limit int) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if room := limit + 2 - len(buf); len(part) > room { // the line's end does not count
			tooLong = true
			part = part[:max(room, 0)]
		}
		buf = append(buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, tooLong, err
		}
	}
}
