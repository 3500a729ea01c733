package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// routes is the API's handler: the order of what a request passes, then the operations.
func (s *Server) routes() (http.Handler, error) {
	r := chi.NewRouter()
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
	return r, nil
}
