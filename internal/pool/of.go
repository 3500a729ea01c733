package pool

import "sync"

// Of is a typed pool of *T for objects that need no cap and no misuse check: per-request state that its only user resets.
// Byte buffers go through Buffer instead, which watches both.
type Of[T any] struct{ p sync.Pool }

// Get gives a *T, zero when it is new and as it was Put otherwise.
func (o *Of[T]) Get() *T {
	if v := o.p.Get(); v != nil {
		return v.(*T)
	}
	return new(T)
}

// Put takes back what nobody else holds any more.
func (o *Of[T]) Put(v *T) { o.p.Put(v) }
