package handlers

import (
	"errors"
	"io"
	"net/http"
)

// errTooMuch says that a stream went over its limit.
var errTooMuch = errors.New("the body is larger than this operation takes")

// stream reads the body of a batch piece by piece. The server moves the connection's deadlines with each piece, so that a batch may
// take as long as it needs while a stalled one is cut off.
type stream struct {
	body   io.Reader
	limit  int64 // most bytes of the body
	n      int64 // bytes read so far
	left   int64 // bytes announced and not read yet, -1 when the length is not known
	broken error // what the connection said, when it was not the end of the body
	before func() error
}

// openStream prepares to read a batch. before, when there is one, is called ahead of each read that may wait: it sends what is ready.
func (a *API) openStream(r *http.Request, before func() error) *stream {
	return &stream{body: r.Body, limit: a.cfg.Limits.BatchBody, left: r.ContentLength, before: before}
}

// Read reads the next piece. It fails with errTooMuch beyond the limit, and with what the connection says.
func (s *stream) Read(p []byte) (int, error) {
	if s.before != nil && s.left != 0 {
		if err := s.before(); err != nil {
			return 0, err
		}
	}
	n, err := s.body.Read(p)
	s.n += int64(n)
	if s.left > 0 {
		s.left -= int64(n)
	}
	if s.n > s.limit {
		return 0, errTooMuch
	}
	if err != nil && err != io.EOF {
		s.broken = err
	}
	return n, err
}

// problem words why reading stopped.
func (s *stream) problem(err error) *Problem {
	if errors.Is(err, errTooMuch) {
		return TooLarge(s.limit)
	}
	return readProblem(err)
}
