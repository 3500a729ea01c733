//go:build race

package pool

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPutTwicePanics(t *testing.T) {
	b := Get()
	b.Drop()
	assert.Panics(t, b.Put)
	assert.Panics(t, b.Drop)
}

// The guard is asked by hand, because under -race sync.Pool gives no promise to return the same buffer.
func TestWriteAfterPutPanics(t *testing.T) {
	b := Get()
	b.Out = append(b.Out, "kept too long"...)
	stale := b.Out
	b.guard.put(b)
	assert.Equal(t, byte(poison), stale[0], "a late reader sees nonsense")
	stale[0] = 'x'
	assert.Panics(t, func() { b.guard.get(b) })
	b.guard.put(b)
	assert.NotPanics(t, func() { b.guard.get(b) })
}
