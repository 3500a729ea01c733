package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"mxrest/internal/handlers"
)

// access writes one line of the access log. Route patterns stand for paths, and there is no query, header, key or body in it.
func (s *Server) access(x *transit, r *http.Request, code int, took time.Duration) {
	level := slog.LevelInfo
	if code >= 500 {
		level = slog.LevelError
	}
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("method", method(r.Method)),
		slog.String("route", x.route.metrics.Pattern()),
		slog.Int("status", code),
		slog.Int64("bytes_in", x.in),
		slog.Int64("bytes_out", x.out),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("client", s.clientAddr(r).String()),
		slog.String("request_id", strings.Join(x.Header()[handlers.RequestIDHeader], "")))
	if x.key != "" {
		attrs = append(attrs, slog.String("key", x.key))
	}
	if id := traceID(r.Context()); id != "" {
		attrs = append(attrs, slog.String("trace_id", id))
	}
	if x.kind != "" {
		attrs = append(attrs, slog.String("problem", string(x.kind)))
	}
	s.log.LogAttrs(context.Background(), level, "request", attrs...)
}

// method keeps made-up methods out of the log.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// sampled says whether a request of this route gets a line: each that is not hot, and of the hot ones one in so many.
func (s *Server) sampled(rt *route) bool {
	n := s.cfg.AccessLog
	switch {
	case n == 0:
		return false
	case n == 1 || !rt.hot:
		return true
	}
	return s.hotRequests.Add(1)%uint64(n) == 0 // #nosec G115 -- n is 2 or more
}
