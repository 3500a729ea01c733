// Package pool lends the buffers that requests are read into and answered from. It is the only place that says sync.Pool.
//
// A request takes one [Buffer] and gives it back when the answer is written:
//
//	b := pool.Get()
//	b.In, err = readBody(b.In, r)
//	…
//	w.Write(b.Out)
//	b.Put()
//
// Put is not deferred: a buffer lost on the way (a panic, a write that failed) is collected as garbage, which costs less than
// one that two requests share. Whoever cannot tell whether others still hold the buffer calls Drop.
//
// Built with -race, the package also looks for misuse: Put twice, and writing to the slices after Put, both panic.
package pool

import (
	"sync"
	"sync/atomic"
)

// MaxKept is the largest capacity in bytes that one slice of a Buffer may have when it is put back. One request of many
// megabytes must not pin its memory for the small ones that follow; 64 KiB holds all but large arrays and texts.
const MaxKept = 64 << 10

// The capacities a new Buffer begins with: a write of a few hundred bytes of JSON, and its body.
const (
	newIn  = 2 << 10
	newOut = 1 << 10
)

// Buffer is what one request needs, pooled as one object so that a request costs one Get and one Put. The three slices have length 0 after
// Get, with whatever capacity they grew to; append to them and store the result back.
type Buffer struct {
	In      []byte // the request's body
	Out     []byte // the answer's body
	Scratch []byte // array elements and unescaped text, on the way from In to Out

	shard *shard
	guard guard
}

// Counts says what became of the buffers since the program began.
type Counts struct {
	Gets  uint64 // buffers taken
	Puts  uint64 // buffers given back and kept
	Drops uint64 // buffers given back and let go: grown too large, or dropped
	News  uint64 // buffers made because the pool was empty
}

// shard is one set of counters, alone on its cache lines. A buffer always counts in the same one; since sync.Pool keeps buffers
// by processor, so does its counting, and no two processors fight for a line.
type shard struct {
	gets, puts, drops, news atomic.Uint64
	_                       [128 - 32]byte
}

var (
	shards [16]shard
	next   atomic.Uint32
)

var buffers = sync.Pool{New: func() any {
	b := &Buffer{
		In:    make([]byte, 0, newIn),
		Out:   make([]byte, 0, newOut),
		shard: &shards[next.Add(1)%uint32(len(shards))],
	}
	b.shard.news.Add(1)
	return b
}}

// Get lends a Buffer whose slices are empty.
func Get() *Buffer {
	b := buffers.Get().(*Buffer)
	b.shard.gets.Add(1)
	b.guard.get(b)
	b.In, b.Out, b.Scratch = b.In[:0], b.Out[:0], b.Scratch[:0]
	return b
}

// Put gives the buffer back. Neither it nor its slices, nor anything that aliases them, may be used afterwards.
// A buffer that has grown beyond MaxKept is let go instead.
func (b *Buffer) Put() {
	if cap(b.In) > MaxKept || cap(b.Out) > MaxKept || cap(b.Scratch) > MaxKept {
		b.Drop()
		return
	}
	b.guard.put(b)
	b.shard.puts.Add(1)
	buffers.Put(b)
}

// Drop takes the buffer out of circulation: for one that somebody else may still read, such as after a Write that failed.
func (b *Buffer) Drop() {
	b.guard.drop()
	b.shard.drops.Add(1)
}

// Stats adds up the counters. It is exact once no request runs.
func Stats() Counts {
	var c Counts
	for i := range shards {
		s := &shards[i]
		c.Gets += s.gets.Load()
		c.Puts += s.puts.Load()
		c.Drops += s.drops.Load()
		c.News += s.news.Load()
	}
	return c
}
