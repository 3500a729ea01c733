package handlers

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"mxrest/internal/bench"
)

// Bench answers with the benchmark's table as markdown. The run is at most a minute old; its age stands in the header Age and in the
// text. 503 with Retry-After when the child process that counts did not run to its end.
func (a *API) Bench(w http.ResponseWriter, r *http.Request) {
	if rep := a.benchReport(w, r); rep != nil {
		respondBytes(w, headerMarkdown, []byte(rep.Markdown()))
	}
}

// BenchJSON is Bench with times and anchors, as JSON.
func (a *API) BenchJSON(w http.ResponseWriter, r *http.Request) {
	if rep := a.benchReport(w, r); rep != nil {
		respondJSON(w, r, rep)
	}
}

// benchReport gets the run, or answers with the problem and returns nil.
func (a *API) benchReport(w http.ResponseWriter, r *http.Request) *bench.Report {
	// On a busy machine a run may take longer than the server's own deadline for an answer.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bench.Limit + 10*time.Second))
	rep, err := a.cfg.Bench.Report(r.Context())
	if err == nil {
		w.Header()["Age"] = []string{strconv.Itoa(rep.AgeSeconds)}
		return rep
	}
	retry := 1
	if u := (*bench.Unavailable)(nil); errors.As(err, &u) {
		retry = max(1, int(math.Ceil(u.Retry.Seconds())))
	}
	detail := "The benchmark did not run to its end: the process that counts could not be started, failed, or took too long."
	if errors.Is(err, bench.ErrClosed) || errors.Is(err, context.Canceled) {
		detail = "The benchmark did not run to its end: it was called off."
	}
	WriteProblem(w, r, NewProblem(KindUnavailable, detail).WithHeader("Retry-After", strconv.Itoa(retry)))
	return nil
}
