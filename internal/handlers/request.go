package handlers

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
)

// ReadBody reads a whole body of at most limit bytes. It takes no memory for what is only announced: the buffer grows with what
// has come. The problem is 413, 408 when the body came too slowly, 503 when the server holds too much, or 400 when it broke off.
func ReadBody(r *http.Request, limit int64) ([]byte, *Problem) {
	return readInto(nil, r, limit)
}

// readInto appends a whole body to buf.
func readInto(buf []byte, r *http.Request, limit int64) ([]byte, *Problem) {
	if r.ContentLength > limit {
		return buf, TooLarge(limit)
	}
	start := len(buf)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(len(buf), 2<<10))
		}
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)-start) > limit {
			return buf, TooLarge(limit)
		}
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return buf, readProblem(err)
		}
	}
}

// readProblem says why a body could not be read.
func readProblem(err error) *Problem {
	var (
		timeout net.Error
		large   *http.MaxBytesError
		p       *Problem
	)
	switch {
	case errors.As(err, &p):
		return p // the server's own reader had something to say: no memory left for it
	case errors.As(err, &large):
		return TooLarge(large.Limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		return NewProblem(KindTimeout, "The body came too slowly.").WithHeader("Connection", "close")
	}
	return NewProblem(KindRequest, "The body broke off or was framed wrongly.",
		ProblemError{Reason: "the body broke off or was framed wrongly"}).WithHeader("Connection", "close")
}
