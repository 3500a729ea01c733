package handlers

import (
	"errors"
	"io"

	"mxrest/internal/budget"
	"mxrest/internal/pool"
)

// chunkSize is one piece of a held reply: large enough that pieces are few, small enough that the last one wastes little.
const chunkSize = 128 << 10

type chunk struct{ b [chunkSize]byte }

var chunkPool pool.Of[chunk]

var (
	errReplyTooLarge = errors.New("the reply is larger than the server holds")
	errNoMemory      = errors.New("the server holds too much at the moment")
)

// chunks holds a reply that must not be sent before its end is known, in pooled pieces, so that it never moves as it grows. Append
// to what reserve gives, and commit the result.
type chunks struct {
	limit  int64          // most bytes to hold
	budget *budget.Budget // shared with all other requests

	segs   [][]byte // the reply in order
	used   []*chunk
	free   []byte // the rest of the last chunk, at its full capacity
	joined bool   // free follows directly behind the last segment
	size   int64
	taken  int64
}

// reserve gives an empty slice to append to, with room for at least room bytes (room <= chunkSize).
func (c *chunks) reserve(room int) ([]byte, error) {
	if len(c.free) < room {
		if !c.budget.Take(chunkSize) {
			return nil, errNoMemory
		}
		c.taken += chunkSize
		k := chunkPool.Get()
		c.used = append(c.used, k)
		c.free, c.joined = k.b[:], false
	}
	return c.free[:0], nil
}

// commit keeps out, which was appended to a slice that reserve gave. If appending had to move it, out is kept as it is.
func (c *chunks) commit(out []byte) error {
	n := len(out)
	if n == 0 {
		return nil
	}
	c.size += int64(n)
	if c.size > c.limit {
		return errReplyTooLarge
	}
	if len(c.free) >= n && &out[0] == &c.free[0] {
		if c.joined {
			last := len(c.segs) - 1
			c.segs[last] = c.segs[last][:len(c.segs[last])+n]
		} else {
			c.segs = append(c.segs, out)
			c.joined = true
		}
		c.free = c.free[n:]
		return nil
	}
	if n <= chunkSize/4 {
		dst, err := c.reserve(n)
		if err != nil {
			return err
		}
		c.size -= int64(n)
		return c.commit(append(dst, out...))
	}
	if !c.budget.Take(int64(n)) {
		return errNoMemory
	}
	c.taken += int64(n)
	c.segs = append(c.segs, out)
	c.joined = false
	return nil
}

// writeTo writes the whole reply.
func (c *chunks) writeTo(w io.Writer) error {
	for _, s := range c.segs {
		if _, err := w.Write(s); err != nil {
			return err
		}
	}
	return nil
}

// release gives everything back. After a failed write the pieces must not be used again (keep): they are left to the collector.
func (c *chunks) release(keep bool) {
	c.budget.Give(c.taken)
	if !keep {
		for _, k := range c.used {
			chunkPool.Put(k)
		}
	}
	*c = chunks{limit: c.limit, budget: c.budget}
}

// noMemory is the 503 of a reply that the memory budget has no room for.
func noMemory() *Problem {
	return NewProblem(KindOverloaded, "The server holds as many large replies as it may at once. Send it again after the seconds in Retry-After.").WithHeader("Retry-After", "1")
}
