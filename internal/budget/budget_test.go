package budget

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTakeNeverGoesOver(t *testing.T) {
	b := New(100)
	require.True(t, b.Take(60))
	require.False(t, b.Take(41), "41 more than the 40 left")
	require.True(t, b.Take(40))
	require.EqualValues(t, 100, b.Used())
	b.Give(60)
	b.Give(40)
	require.Zero(t, b.Used())
	require.EqualValues(t, 1, b.Refused())
	require.True(t, b.Take(-5), "nothing to take")
	require.Zero(t, b.Used())
}

func TestNoEnd(t *testing.T) {
	b := New(0)
	require.True(t, b.Take(1<<60))
	b.Give(1 << 60)
	require.Zero(t, b.Used())
	require.Zero(t, b.Size())
	require.Zero(t, b.Refused())
}

func TestTakeFromManyGoroutines(t *testing.T) {
	b := New(1000)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 1000 {
				if b.Take(30) {
					b.Give(30)
				}
			}
		})
	}
	wg.Wait()
	require.Zero(t, b.Used())
}
