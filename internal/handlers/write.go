package handlers

import (
	"net/http"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/pool"
)

// EncodeWrite answers with the body of one write: the pooled buffer it was encoded into, in one Write with its exact length.
// 400, 413 and 422 as the document says.
func (a *API) EncodeWrite(w http.ResponseWriter, r *http.Request) {
	b := pool.Get()
	var it jsonin.Item
	held, p := a.encodeWrite(b, &it, r)
	if p != nil {
		a.cfg.Budget.Give(held)
		b.Put()
		WriteProblem(w, r, p)
		return
	}
	a.cfg.Metrics.Writes(typeIndex(it.Value.Type), 1)
	sent := respondOctets(w, b.Out)
	a.cfg.Budget.Give(held)
	if !sent {
		b.Drop() // the connection may still hold the output
		return
	}
	b.Put()
}

// encodeWrite reads the request into b.In and encodes it into b.Out. it aliases b. held is what it took from the memory budget.
func (a *API) encodeWrite(b *pool.Buffer, it *jsonin.Item, r *http.Request) (held int64, p *Problem) {
	if b.In, held, p = readInto(b.In, r, a.cfg.Limits.Body, a.cfg.Budget); p != nil {
		return held, p
	}
	var err error
	if b.Scratch, err = a.json.Item(it, b.In, b.Scratch); err != nil {
		return held, problemOf(err)
	}
	if b.Out, err = a.layout.AppendWrite(b.Out, &it.Write); err != nil {
		return held, problemOf(err)
	}
	return held, nil
}

// typeIndex is the place of a type in the metrics' list.
func typeIndex(t codec.Type) int { return int(t) - 1 }
