package handlers

import (
	"net/http"

	"mxrest/api"
)

var alive = []byte(`{"status":"ok"}` + "\n")

// Health answers 200 as long as the process serves.
func (a *API) Health(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Cache-Control"] = headerNoStore
	respondBytes(w, headerJSON, alive)
}

// Ready answers 200 while the server wants requests, and 503 from the moment it begins to shut down.
func (a *API) Ready(w http.ResponseWriter, r *http.Request) {
	w.Header()["Cache-Control"] = headerNoStore
	if a.cfg.Ready != nil && !a.cfg.Ready() {
		WriteProblem(w, r, NewProblem(KindUnavailable, "The server is shutting down or not yet started.").WithHeader("Retry-After", "1"))
		return
	}
	respondBytes(w, headerJSON, alive)
}

// OpenapiYAML answers with the document as it was written.
func (a *API) OpenapiYAML(w http.ResponseWriter, _ *http.Request) {
	respondBytes(w, headerYAML, api.YAML())
}

// OpenapiJSON answers with the document as JSON.
func (a *API) OpenapiJSON(w http.ResponseWriter, _ *http.Request) {
	respondBytes(w, headerJSON, api.JSON())
}
