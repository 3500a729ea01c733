package handlers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/pool"
)

// maxListed is how many bad items of a batch a problem lists; it counts all of them.
const maxListed = 100

// typeCounts counts encoded writes by type, to be handed to the metrics once a batch.
type typeCounts [codec.NumTypes + 1]int

func (c *typeCounts) report(a *API) {
	for t, n := range c {
		if n > 0 {
			a.cfg.Metrics.Writes(typeIndex(codec.Type(t)), n)
		}
	}
}

// faults gathers the bad items of a batch.
type faults struct {
	list  []ProblemError
	total int
}

// add notes what is wrong with an item.
func (f *faults) add(err error, item *jsonin.Entry) {
	f.total++
	if len(f.list) < maxListed {
		_, e := fault(err)
		f.list = append(f.list, atItem(e, item))
	}
}

// atItem says in which item of a batch an error is.
func atItem(e ProblemError, item *jsonin.Entry) ProblemError {
	index, line := item.Index, item.Line
	e.Index = &index
	if line > 0 {
		e.Line = &line
	}
	e.ID = idOf(item.ID)
	return e
}

// idOf is an item's id for an answer, nil when it gave none.
func idOf(id []byte) *string {
	if id == nil {
		return nil
	}
	s := string(id)
	return &s
}

// problem is the 422 of a batch of count items.
func (f *faults) problem(count int) *Problem {
	first := f.list[0]
	where := fmt.Sprintf("item %d", *first.Index)
	if first.Line != nil {
		where += fmt.Sprintf(", line %d", *first.Line)
	}
	if first.Pointer != "" {
		where += ", " + first.Pointer
	}
	p := NewProblem(KindValue, fmt.Sprintf("%d of %d items are bad, so nothing was encoded. The first is %s: %s", f.total, count, where, first.Reason), f.list...)
	p.Total = &f.total
	return p
}

// isLines tells whether the request's body is NDJSON rather than a JSON array. The server has checked that it is one of them.
func isLines(r *http.Request) bool {
	ct := r.Header.Get("Content-Type")
	return len(ct) >= len("application/x-ndjson") && strings.EqualFold(ct[:len("application/x-ndjson")], "application/x-ndjson")
}

// input is a batch being read: its items, and what they are read into.
type input struct {
	*jsonin.Batch
	b      *pool.Buffer
	window *chunk
}

// openBatch prepares to read the items of a batch, in a window of a pooled piece: with a smaller one, waiting for the connection shows in what a
// write costs. Unescaped text and elements go to the scratch of b. close gives all of it back.
func (a *API) openBatch(b *pool.Buffer, s *stream, r *http.Request) input {
	form := jsonin.List
	if isLines(r) {
		form = jsonin.Lines
	}
	k := chunkPool.Get()
	return input{a.json.Batch(s, form, k.b[:0], b.Scratch), b, k}
}

// close gives the buffers back. What a long item made of the window is left to the collector.
func (in input) close() {
	_, in.b.Scratch = in.Buffers()
	in.b.Put()
	chunkPool.Put(in.window)
}

// batchProblem words why a batch cannot be read further; at is the item that it ended in.
func (a *API) batchProblem(s *stream, at *jsonin.Entry, err error) *Problem {
	var (
		in *jsonin.Error
		p  *Problem
	)
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &in):
		kind, e := fault(err)
		if !in.Syntax {
			kind = KindTooLarge // an item longer than the limit is the one thing that ends a batch and is not syntax
		}
		return NewProblem(kind, fmt.Sprintf("item %d: %s", at.Index, e.Reason), atItem(e, at))
	case errors.Is(err, errReplyTooLarge):
		return NewProblem(KindTooLarge, "The reply to this batch is larger than the server holds. Send fewer items, or ask /v1/write/batch/results for application/x-ndjson, which is streamed.",
			ProblemError{Reason: "the reply is too large", Limit: fmt.Sprintf("at most %d bytes", a.cfg.Limits.BatchReply)})
	case errors.Is(err, errNoMemory):
		return noMemory()
	}
	return s.problem(err)
}

// tooManyItems is the 413 of a batch with more items than the limit.
func (a *API) tooManyItems() *Problem {
	return NewProblem(KindTooLarge, "The batch has too many items.",
		ProblemError{Reason: "the batch has too many items", Limit: fmt.Sprintf("at most %d items", a.cfg.Limits.BatchItems)})
}

// EncodeBatch answers with one frame an item, the body's length as u32 and the body, all or nothing. The input is read as a
// stream; the frames are held, in pooled pieces, until the last item is known to be good.
func (a *API) EncodeBatch(w http.ResponseWriter, r *http.Request) {
	s := a.openStream(r, nil)
	out := chunks{limit: a.cfg.Limits.BatchReply, budget: a.cfg.Budget}
	var done typeCounts
	if p := a.encodeFrames(&out, s, r, &done); p != nil {
		out.release(false)
		WriteProblem(w, r, p)
		return
	}
	done.report(a)
	h := w.Header()
	h["Content-Type"] = headerOctets
	h["Content-Length"] = contentLength(int(out.size))
	out.release(out.writeTo(w) != nil) // what a failed write left behind is not used again
}

func (a *API) encodeFrames(out *chunks, s *stream, r *http.Request, done *typeCounts) *Problem {
	items := a.openBatch(pool.Get(), s, r)
	defer items.close() // nothing of it is handed to the connection
	var bad faults
	count := 0
	for ; ; count++ {
		e, err := items.Next()
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return a.batchProblem(s, e, err)
		case err != nil && bad.total > 0:
			return bad.problem(count)
		case err != nil:
			return nil
		case count >= a.cfg.Limits.BatchItems:
			return a.tooManyItems()
		case e.Err != nil:
			bad.add(e.Err, e)
			out.release(false) // nothing will be sent: only the other bad items are still looked for
			continue
		case bad.total > 0:
			continue
		}
		dst, err := out.reserve(64)
		if err != nil {
			return a.batchProblem(s, e, err)
		}
		frame, err := a.layout.AppendWrite(dst[:4], &e.Write)
		if err != nil {
			bad.add(err, e)
			out.release(false)
			continue
		}
		binary.LittleEndian.PutUint32(frame, uint32(len(frame)-4))
		if err := out.commit(frame); err != nil {
			return a.batchProblem(s, e, err)
		}
		done[e.Value.Type]++
	}
}
