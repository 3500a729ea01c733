package handlers

import "net/http"

// Metrics answers with what the server counted, for Prometheus.
func (a *API) Metrics(w http.ResponseWriter, r *http.Request) {
	a.cfg.Metrics.Handler().ServeHTTP(w, r)
}
