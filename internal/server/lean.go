package server

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"mxrest/internal/handlers"
)

// lean is the first step of every request and stands for chi's Recoverer, RequestID and Logger at a fraction of their cost.
func (s *Server) lean(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := s.transits.Get()
		x.ResponseWriter, x.srv, x.start = w, s, time.Now()
		x.route = s.table.find(r.URL.Path)
		x.body, x.size, x.http1 = r.Body, r.ContentLength, r.ProtoMajor == 1
		if x.size != 0 {
			r.Body = x // http.NoBody stays as it is: libraries ask for it by name
		}
		s.metrics.InFlight.Add(1)
		defer x.finish(r)

		h := w.Header()
		if id := r.Header[handlers.RequestIDHeader]; len(id) == 1 && handlers.ValidRequestID(id[0]) {
			h[handlers.RequestIDHeader] = id
		}
		if x.logged = s.sampled(x.route); x.logged {
			handlers.EnsureRequestID(h)
		}
		if x.route.batch {
			x.deadline = http.NewResponseController(w)
		}
		next.ServeHTTP(x, r)
	})
}

// finish ends a request, also one that panicked.
func (x *transit) finish(r *http.Request) {
	v := recover()
	s := x.srv
	if v != nil && v != http.ErrAbortHandler {
		s.panicked(x, r, v)
		if x.status == 0 {
			handlers.WriteProblem(x, r, handlers.NewProblem(handlers.KindInternal,
				"The request made the server fail. The failure is logged under the request id."))
			v = nil
		} else {
			v = http.ErrAbortHandler // too late for an answer: the connection is cut, so that nobody takes a part for the whole
		}
	}
	took := time.Since(x.start)
	code := x.status
	if code == 0 {
		if code = http.StatusOK; x.failed || r.Context().Err() != nil {
			code = 499 // the client went away before it was answered
		}
	}
	x.route.metrics.Done(r.Method, code, x.in, x.out, took)
	if x.kind != "" {
		s.metrics.Error(string(x.kind))
	}
	if x.logged || code >= 500 && s.cfg.AccessLog != 0 {
		s.access(x, r, code, took)
	}
	s.budget.Give(x.charged)
	if x.linger && !x.failed && v == nil {
		x.lingering()
	}
	if x.duplex && !x.eof && x.size > 0 && x.size <= shortRest && v == nil {
		_, _ = io.Copy(io.Discard, x.body)
	}
	s.metrics.InFlight.Add(-1)
	if v != nil {
		panic(v) // it is left to the collector: somebody may still hold it
	}
	r.Body = x.body
	*x = transit{}
	s.transits.Put(x)
}

// panicked logs and counts a panic. The message of a runtime error holds numbers only and a string is the program's own; anything else
// could carry what a caller sent, so of that the type is logged.
func (s *Server) panicked(x *transit, r *http.Request, v any) {
	s.metrics.Panics.Add(1)
	cause := fmt.Sprintf("%T", v)
	switch e := v.(type) {
	case runtime.Error:
		cause = e.Error()
	case string:
		cause = e
	}
	s.log.Error("panic", "cause", cause, "method", r.Method, "route", x.route.metrics.Pattern(),
		"request_id", handlers.EnsureRequestID(x.Header()), "stack", string(debug.Stack()))
}
