package bench

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How long a run is kept before the next may start, and how long a failure is.
const (
	keepReport  = time.Minute
	keepFailure = 10 * time.Second
)

// Runner gives out the last run and starts a new one when that is a minute old, one at a time, however many ask.
// Make it with NewRunner.
type Runner struct {
	count func(context.Context) (*Report, error)
	now   func() time.Time
	ctx   context.Context
	stop  context.CancelFunc

	mu      sync.Mutex
	report  *Report
	err     error
	until   time.Time     // until then report or err is what callers get
	running chan struct{} // closed when the run under way ends; nil: none is
}

// NewRunner makes a Runner that has run nothing yet.
func NewRunner() *Runner {
	ctx, stop := context.WithCancel(context.Background())
	return &Runner{count: Child, now: time.Now, ctx: ctx, stop: stop}
}

// Close kills the child of a run under way; later calls of Report fail unless a run is kept.
func (r *Runner) Close() { r.stop() }

// ErrClosed is what Report fails with after Close.
var ErrClosed = errors.New("the server is stopping")

// Unavailable is a run that failed.
type Unavailable struct {
	Cause error
	Retry time.Duration // when the next attempt may be made
}

func (u *Unavailable) Error() string {
	return "the benchmark did not run to its end: " + u.Cause.Error()
}
func (u *Unavailable) Unwrap() error { return u.Cause }

// Report returns a run that is at most a minute old, with its age. It waits for one under way, or for a new one. The error is an
// *Unavailable, or ctx's own when that ends first; the run goes on then, for whoever asks next.
func (r *Runner) Report(ctx context.Context) (*Report, error) {
	if r == nil {
		return nil, &Unavailable{Cause: ErrNoChild, Retry: keepFailure}
	}
	for {
		r.mu.Lock()
		now := r.now()
		if r.running == nil && now.Before(r.until) {
			defer r.mu.Unlock()
			if r.err != nil {
				return nil, &Unavailable{Cause: r.err, Retry: r.until.Sub(now)}
			}
			rep := *r.report
			rep.AgeSeconds = max(0, int(now.Sub(rep.Date)/time.Second))
			return &rep, nil
		}
		if r.running == nil {
			r.running = make(chan struct{})
			go r.run(r.running)
		}
		running := r.running
		r.mu.Unlock()
		select {
		case <-running:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-r.ctx.Done():
			return nil, &Unavailable{Cause: ErrClosed, Retry: keepFailure}
		}
	}
}

// run counts once and keeps what came of it.
func (r *Runner) run(done chan struct{}) {
	rep, err := r.count(r.ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report, r.err, r.running = rep, err, nil
	r.until = r.now().Add(keepReport)
	if err != nil {
		r.until = r.now().Add(keepFailure)
	}
	close(done)
}
