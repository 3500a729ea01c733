package server

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"mxrest/internal/handlers"
	"mxrest/internal/pool"
)

// reply is the ResponseWriter that operations see: it remembers what counters and logs need. http.ResponseController finds the
// server's own writer through Unwrap.
type reply struct {
	http.ResponseWriter
	status   int
	bytes    int64
	problem  handlers.Kind // the kind of problem answered, "" for none
	panicked bool
}

func (w *reply) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *reply) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// NoteProblem is called by handlers.WriteProblem.
func (w *reply) NoteProblem(kind handlers.Kind) { w.problem = kind }

// replies are pooled: a request that hijacks nothing and whose handler has returned holds its reply no longer.
var replies pool.Of[reply]

// observer is told of each request when it ends; w is its alone until it returns.
type observer func(w *reply, r *http.Request, took time.Duration)

// lean is the first step of every request, and stands for chi's Recoverer, RequestID and Logger at a fraction of their cost: it
// takes over the caller's request id if it is fit to print (an error makes one where there is none), turns a panic into one
// problem, and counts. No allocation.
func lean(log *slog.Logger, observe observer) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			if id := r.Header[handlers.RequestIDHeader]; len(id) == 1 && handlers.ValidRequestID(id[0]) {
				w.Header()[handlers.RequestIDHeader] = id
			}
			rw := replies.Get()
			*rw = reply{ResponseWriter: w}
			defer finish(log, observe, rw, r, start)
			next.ServeHTTP(rw, r)
		})
	}
}

// finish ends a request, also one that panicked.
func finish(log *slog.Logger, observe observer, w *reply, r *http.Request, start time.Time) {
	v := recover()
	if v != nil && v != http.ErrAbortHandler {
		stack := debug.Stack()
		cause := v
		w.panicked = true
		if w.status == 0 {
			handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindInternal,
				"The request made the server fail. The failure is logged under the request id."))
			v = nil
		} else {
			v = http.ErrAbortHandler // too late for an answer: the connection is cut, so that nobody takes a part for the whole
		}
		log.Error("panic", "cause", cause, "method", r.Method, "path", r.URL.Path,
			"request", w.Header().Get(handlers.RequestIDHeader), "stack", string(stack))
	}
	if observe != nil {
		observe(w, r, time.Since(start))
	}
	if v != nil {
		panic(v)
	}
	*w = reply{}
	replies.Put(w)
}
