package server

import (
	"context"
	"os"
	"time"
)

// watchEvery is how often files are looked at for changes; a signal reloads them at once.
const watchEvery = 10 * time.Second

// reloadable is something kept in files that may change while the server runs. What was loaded last stays in force when a reload fails.
type reloadable struct {
	what  string // for logs and metrics
	files []string
	load  func() error

	seen []fileState
}

// fileState tells two contents of a path apart. Kubernetes swaps a symbolic link: Stat follows it, so that the time changes.
type fileState struct {
	mod  time.Time
	size int64
}

func (r *reloadable) states() []fileState {
	out := make([]fileState, len(r.files))
	for i, f := range r.files {
		if st, err := os.Stat(f); err == nil {
			out[i] = fileState{st.ModTime(), st.Size()}
		}
	}
	return out
}

// first loads at start, where an error ends the program.
func (r *reloadable) first() error {
	r.seen = r.states()
	return r.load()
}

func (r *reloadable) changed() bool {
	now := r.states()
	for i := range now {
		if now[i] != r.seen[i] {
			return true
		}
	}
	return false
}

// reload loads again, and logs and counts how that went.
func (s *Server) reload(r *reloadable) {
	r.seen = r.states()
	err := r.load()
	s.metrics.Reload(r.what, err)
	if err != nil {
		s.log.Error("reload failed, what was loaded before stays in force", "what", r.what, "err", err)
		return
	}
	s.log.Info("reloaded", "what", r.what)
	if s.keys != nil && s.keys.current.Load().Len() == 0 {
		s.log.Warn("no key is left in the key file: every API request is answered 401")
	}
}

// watchFiles reloads changed files until ctx ends, and everything when Reload is called.
func (s *Server) watchFiles(ctx context.Context) {
	if len(s.files) == 0 {
		return
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.reloadNow:
			for _, r := range s.files {
				s.reload(r)
			}
		case <-tick.C:
			for _, r := range s.files {
				if r.changed() {
					s.reload(r)
				}
			}
		}
	}
}

// Reload asks for the key and certificate files to be read again. It does not wait.
func (s *Server) Reload() {
	select {
	case s.reloadNow <- struct{}{}:
	default: // one is already asked for
	}
}
