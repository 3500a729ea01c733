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
	if p := a.encodeWrite(b, &it, r); p != nil {
		b.Put()
		WriteProblem(w, r, p)
		return
	}
	a.cfg.Metrics.Writes(typeIndex(it.Value.Type), 1)
	if !respondOctets(w, b.Out) {
		b.Drop() // the connection may still hold the output
		return
	}
	b.Put()
}

// encodeWrite reads the request into b.In and encodes it into b.Out. it aliases b.
func (a *API) encodeWrite(b *pool.Buffer, it *jsonin.Item, r *http.Request) (p *Problem) {
	if b.In, p = readInto(b.In, r, a.cfg.Limits.Body); p != nil {
		return p
	}
	var err error
	if b.Scratch, err = a.json.Item(it, b.In, b.Scratch); err != nil {
		p = problemOf(err)
		if len(p.Errors) == 1 {
			p.Errors[0].ID = idOf(it.ID)
		}
		return p
	}
	if b.Out, err = a.layout.AppendWrite(b.Out, &it.Write); err != nil {
		return problemOf(err)
	}
	return nil
}

// typeIndex is the place of a type in the metrics' list.
func typeIndex(t codec.Type) int { return int(t) - 1 }
