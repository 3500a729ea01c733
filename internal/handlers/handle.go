package handlers

import (
	"net/http"

	"mxrest/internal/codec"
	"mxrest/internal/pool"
)

// EncodeHandle answers with the 20 bytes of a reference handle.
func (a *API) EncodeHandle(w http.ResponseWriter, r *http.Request) {
	b := pool.Get()
	var h codec.Handle
	if p := a.readHandle(b, &h, r); p != nil {
		b.Put()
		WriteProblem(w, r, p)
		return
	}
	b.Out = codec.AppendHandle(b.Out, &h)
	if !respondOctets(w, b.Out) {
		b.Drop()
		return
	}
	b.Put()
}

// readHandle reads a handle request into b.In.
func (a *API) readHandle(b *pool.Buffer, h *codec.Handle, r *http.Request) (p *Problem) {
	if b.In, p = readInto(b.In, r, a.cfg.Limits.Body); p != nil {
		return p
	}
	if err := a.json.Handle(h, b.In); err != nil {
		return problemOf(err)
	}
	return nil
}
