package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"mxrest/internal/handlers"
)

// transit is one request under way. It stands in for both the ResponseWriter and the request's body, so that one pooled object counts
// bytes, remembers the status, keeps deadlines moving and holds what the other steps found out: a hot request pays no allocation for
// it. Handlers must not use it after they return.
type transit struct {
	http.ResponseWriter

	srv   *Server
	route *route
	start time.Time
	body  io.ReadCloser
	size  int64 // of the body as announced, -1 when it comes in chunks
	http1 bool

	status  int
	in, out int64
	eof     bool // the body's end was seen
	duplex  bool // full duplex is on
	linger  bool // the answer goes out before the body was read
	failed  bool // a read or write of the connection failed
	logged  bool // this request gets a line in the access log

	key  string        // name of the API key, "" without
	kind handlers.Kind // of the problem it was answered with, "" when none

	charged  int64 // bytes taken of the memory budget
	reading  progress
	writing  progress
	deadline *http.ResponseController // made for batches only
}

// route is what is known of a path before any request comes.
type route struct {
	metrics interface {
		Pattern() string
		Done(method string, code int, in, out int64, took time.Duration)
	}
	hot    bool  // so frequent that its access log is sampled
	batch  bool  // read and answered as a stream: its deadlines move
	weight int64 // bytes of memory that a byte of body may come to
}

// transitOf finds the exchange behind w; nil in tests that call a step by itself.
func transitOf(w http.ResponseWriter) *transit {
	x, _ := w.(*transit)
	return x
}

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
	if x.linger && !x.failed && v == nil {
		x.lingering()
	}
	if x.duplex && !x.eof && x.size > 0 && x.size <= shortRest && v == nil {
		_, _ = io.Copy(io.Discard, x.body)
	}
	s.budget.Give(x.charged)
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

// WriteHeader remembers the status. net/http reads what is left of a body before it sends an error answer, to use the connection again.
// That would let a client that never sends its body hold the answer back, so where the body was not to be read at all (401), or may be
// long, the answer goes out at once, and the connection is given up.
func (x *transit) WriteHeader(status int) {
	if x.status == 0 && status >= 200 {
		x.status = status
		unread := x.size != 0 && !x.eof && x.in != x.size
		if status >= 400 && unread && x.http1 && (status == http.StatusUnauthorized || x.size < 0 || x.size > shortRest) {
			x.Header()["Connection"] = headerClose
			x.linger = true
		}
	}
	x.ResponseWriter.WriteHeader(status)
}

// lingering reads a refused body away for a while after the answer went out. A connection closed on a client that still sends is reset, and
// many clients then report the reset and never see why they were refused.
func (x *transit) lingering() {
	rc := http.NewResponseController(x.ResponseWriter)
	if rc.Flush() == nil && rc.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, x.body, lingerBytes)
	}
}

const (
	lingerTime  = 5 * time.Second
	lingerBytes = 16 << 20
)

// shortRest is the length of a body that is read to keep a connection; a little below net/http's own bound of 256 KiB.
const shortRest = 128 << 10

var headerClose = []string{"close"}

// Write counts the bytes, and for a batch moves the deadline before each piece.
func (x *transit) Write(b []byte) (n int, err error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	if x.deadline != nil {
		return x.writePieces(b)
	}
	n, err = x.ResponseWriter.Write(b)
	x.out += int64(n)
	x.failed = x.failed || err != nil
	return n, err
}

// EnableFullDuplex is what http.ResponseController calls. net/http (1.26) trips over a full duplex handler that leaves a body unread which
// ends in what the server then reads away: the next request on the connection fails. So a long body costs the connection, and what is
// left of a short one is read in finish.
func (x *transit) EnableFullDuplex() error {
	if x.http1 && (x.size < 0 || x.size > shortRest) {
		x.Header()["Connection"] = headerClose
	}
	x.duplex = true
	return http.NewResponseController(x.ResponseWriter).EnableFullDuplex()
}

// Unwrap is for http.ResponseController.
func (x *transit) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// NoteProblem is called by handlers.WriteProblem.
func (x *transit) NoteProblem(kind handlers.Kind) { x.kind = kind }

// Read reads the body, counts it, and for a batch moves the deadline with what came.
func (x *transit) Read(b []byte) (n int, err error) {
	if x.deadline != nil {
		// A batch holds no more than its longest item. The window it is read into grows with that, and what is free of it is about half;
		// the window that it begins with is free of charge.
		if over := int64(len(b))*x.route.weight - 16*freeMemory - x.charged; over > 0 && !x.charge(over) {
			return 0, busy("The server holds as many large bodies as it may at once.")
		}
	}
	n, err = x.body.Read(b)
	x.in += int64(n)
	if err != nil {
		x.eof = err == io.EOF
		x.failed = x.failed || !x.eof
		return n, err
	}
	if x.deadline != nil {
		x.readProgress(n)
	} else if over := x.in*x.route.weight - freeMemory - x.charged; over > 0 && !x.charge(max(over, chargeStep)) {
		return n, busy("The server holds as many large bodies as it may at once.")
	}
	return n, nil
}

// Close closes the body.
func (x *transit) Close() error { return x.body.Close() }

// What a request may come to without being charged to the memory budget: the in-flight limit bounds those. Larger ones are charged as
// their body comes, not as announced: handlers take no memory for what is only announced, and a caller must send bytes to use the
// budget up.
const (
	freeMemory = 128 << 10
	chargeStep = 256 << 10
)

// charge takes n more bytes of the memory budget.
func (x *transit) charge(n int64) bool {
	if !x.srv.budget.Take(n) {
		return false
	}
	x.charged += n
	return true
}

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
