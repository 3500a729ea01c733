package handlers

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mxrest/internal/codec/jsonin"
	"mxrest/internal/pool"
)

// resultsTypes are the types that EncodeBatchResults answers in, as Negotiate counts them.
var resultsTypes = []string{"application/json", "application/x-ndjson"}

// EncodeBatchResults answers with a result for each item: as one JSON object with the counts first, 207 when any failed; or, when Accept
// names it, as NDJSON that is sent while the input is still coming, and ends with the counts.
func (a *API) EncodeBatchResults(w http.ResponseWriter, r *http.Request) {
	if Negotiate(r.Header["Accept"], resultsTypes) == 1 {
		a.streamResults(w, r)
		return
	}
	a.holdResults(w, r)
}

// results encodes the items of a batch one after the other into their results.
type results struct {
	a    *API
	b    *pool.Buffer
	done typeCounts

	count, failed int
}

// append appends the result of one item as JSON.
func (x *results) append(dst []byte, e *jsonin.Entry) []byte {
	x.count++
	if e.Err != nil {
		return x.appendFault(dst, problemOf(e.Err), e)
	}
	var err error
	if x.b.Out, err = x.a.layout.AppendWrite(x.b.Out[:0], &e.Write); err != nil {
		return x.appendFault(dst, problemOf(err), e)
	}
	x.done[e.Value.Type]++
	dst = appendPlace(dst, e)
	dst = append(dst, `,"status":200,"length":`...)
	dst = strconv.AppendInt(dst, int64(len(x.b.Out)), 10)
	dst = append(dst, `,"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, x.b.Out)
	return append(dst, `"}`...)
}

// appendFault appends the result of an item that failed.
func (x *results) appendFault(dst []byte, p *Problem, e *jsonin.Entry) []byte {
	x.failed++
	dst = appendPlace(dst, e)
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(p.Status), 10)
	dst = append(dst, `,"detail":`...)
	dst = appendQuoted(dst, p.Detail)
	if len(p.Errors) > 0 {
		if errs, err := json.Marshal(p.Errors, jsontext.AllowInvalidUTF8(true)); err == nil {
			dst = append(append(dst, `,"errors":`...), errs...)
		}
	}
	return append(dst, '}')
}

// appendPlace begins a result: which item it is of.
func appendPlace(dst []byte, e *jsonin.Entry) []byte {
	dst = append(dst, `{"index":`...)
	dst = strconv.AppendInt(dst, int64(e.Index), 10)
	if e.Line > 0 {
		dst = append(dst, `,"line":`...)
		dst = strconv.AppendInt(dst, int64(e.Line), 10)
	}
	if e.ID != nil {
		dst = append(dst, `,"id":`...)
		dst = appendQuoted(dst, e.ID)
	}
	return dst
}

func appendQuoted[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // fails for invalid UTF-8 only, which it mends, and ids have been checked
	return dst
}

// appendCounts appends the members that count items.
func (x *results) appendCounts(dst []byte) []byte {
	dst = append(dst, `"count":`...)
	dst = strconv.AppendInt(dst, int64(x.count), 10)
	dst = append(dst, `,"succeeded":`...)
	dst = strconv.AppendInt(dst, int64(x.count-x.failed), 10)
	dst = append(dst, `,"failed":`...)
	return strconv.AppendInt(dst, int64(x.failed), 10)
}

// resultRoom is what most results fit in.
const resultRoom = 256

// holdResults answers as JSON: held in pooled pieces until the counts and the status are known.
func (a *API) holdResults(w http.ResponseWriter, r *http.Request) {
	s := a.openStream(r, nil)
	out := chunks{limit: a.cfg.Limits.BatchReply, budget: a.cfg.Budget}
	x := results{a: a, b: pool.Get()}
	p := x.hold(&out, s, r)
	if p != nil {
		out.release(false)
		WriteProblem(w, r, p)
		return
	}
	x.done.report(a)
	head := append(x.appendCounts([]byte{'{'}), `,"results":[`...)
	const tail = "]}\n"
	h := w.Header()
	h["Content-Type"] = headerJSON
	h["Content-Length"] = contentLength(len(head) + int(out.size) + len(tail))
	status := http.StatusOK
	if x.failed > 0 {
		status = http.StatusMultiStatus
	}
	w.WriteHeader(status)
	_, err := w.Write(head)
	if err == nil {
		err = out.writeTo(w)
	}
	if err == nil {
		_, err = w.Write([]byte(tail))
	}
	out.release(err != nil)
}

func (x *results) hold(out *chunks, s *stream, r *http.Request) *Problem {
	items := x.a.openBatch(x.b, s, r)
	defer items.close()
	for {
		e, err := items.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return x.a.batchProblem(s, e, err)
		case x.count >= x.a.cfg.Limits.BatchItems:
			return x.a.tooManyItems()
		}
		dst, err := out.reserve(resultRoom)
		if err == nil {
			if x.count > 0 {
				dst = append(dst, ',')
			}
			err = out.commit(x.append(dst, e))
		}
		if err != nil {
			return x.a.batchProblem(s, e, err)
		}
	}
}

// sendAt is how many bytes of results are gathered before they are sent, unless the input pauses before.
const sendAt = 32 << 10

// streamResults answers as NDJSON, in constant memory: results are sent whenever enough are ready, and before each wait for more
// input. Nothing can be taken back then, so what ends the batch early is its last result.
func (a *API) streamResults(w http.ResponseWriter, r *http.Request) {
	rc := http.NewResponseController(w)
	_ = rc.EnableFullDuplex() // without it a handler that writes while it reads breaks after some 1,600 writes; HTTP/2 needs none
	x := results{a: a, b: pool.Get()}
	var (
		line    bytes.Buffer
		started bool
		s       *stream
	)
	send := func() error {
		if line.Len() == 0 {
			return nil
		}
		if !started {
			started = true
			w.Header()["Content-Type"] = headerNDJSON
			w.WriteHeader(http.StatusOK)
		}
		_, err := w.Write(onlyLineFeeds(line.Bytes()))
		line.Reset()
		if err == nil {
			err = rc.Flush()
		}
		return err
	}
	s = a.openStream(r, send)
	items := a.openBatch(x.b, s, r)
	defer items.close() // line is copied by the connection or lost with it
	var (
		end *Problem
		e   *jsonin.Entry
		err error
	)
	for end == nil {
		if e, err = items.Next(); err != nil {
			break
		}
		if x.count >= a.cfg.Limits.BatchItems {
			end = a.tooManyItems()
			break
		}
		line.Write(append(x.append(line.AvailableBuffer(), e), '\n'))
		if line.Len() >= sendAt && send() != nil {
			return // the client is gone
		}
	}
	if end == nil && !errors.Is(err, io.EOF) {
		end = a.batchProblem(s, e, err)
	}
	if end != nil && !started {
		WriteProblem(w, r, end)
		return
	}
	x.done.report(a)
	if end != nil {
		x.count++
		line.Write(append(x.appendFault(line.AvailableBuffer(), end, e), '\n'))
	}
	line.Write(append(x.appendCounts([]byte{'{'}), "}\n"...))
	_ = send()
}
