// Package budget bounds, over all requests together, the bytes that large bodies and held replies may take up.
//
// A limit a request is not enough: hundreds of requests, each within its limit, can still be more than the machine has. Whoever is
// about to hold much takes it from the budget first, and answers 503 when there is none left, instead of waiting or failing later.
package budget

import "sync/atomic"

// Budget is a number of bytes shared by all requests. A nil Budget has no end.
type Budget struct {
	size int64
	used atomic.Int64
	lost atomic.Uint64
}

// New makes a budget of size bytes; size <= 0 gives one without an end.
func New(size int64) *Budget {
	if size <= 0 {
		return nil
	}
	return &Budget{size: size}
}

// Take takes n bytes and says whether they were there. It never waits.
func (b *Budget) Take(n int64) bool {
	if b == nil || n <= 0 {
		return true
	}
	if b.used.Add(n) > b.size {
		b.used.Add(-n)
		b.lost.Add(1)
		return false
	}
	return true
}

// Give gives back n bytes that Take took.
func (b *Budget) Give(n int64) {
	if b != nil && n > 0 {
		b.used.Add(-n)
	}
}

// Size is the whole budget in bytes, 0 when it has no end.
func (b *Budget) Size() int64 {
	if b == nil {
		return 0
	}
	return b.size
}

// Used is how many bytes are taken now.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// Refused counts the calls of Take that found too little.
func (b *Budget) Refused() uint64 {
	if b == nil {
		return 0
	}
	return b.lost.Load()
}
