package pool

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGetTruncates(t *testing.T) {
	for range 100 {
		b := Get()
		assert.Empty(t, b.In)
		assert.Empty(t, b.Out)
		assert.Empty(t, b.Scratch)
		b.In, b.Out, b.Scratch = append(b.In, "in"...), append(b.Out, "out"...), append(b.Scratch, "scratch"...)
		b.Put()
	}
}

func TestPutDropsWhatGrewTooLarge(t *testing.T) {
	for name, grow := range map[string]func(*Buffer){
		"in":      func(b *Buffer) { b.In = make([]byte, MaxKept+1) },
		"out":     func(b *Buffer) { b.Out = make([]byte, MaxKept+1) },
		"scratch": func(b *Buffer) { b.Scratch = make([]byte, MaxKept+1) },
	} {
		t.Run(name, func(t *testing.T) {
			before := Stats()
			b := Get()
			grow(b)
			b.Put()
			after := Stats()
			assert.Equal(t, before.Gets+1, after.Gets)
			assert.Equal(t, before.Puts, after.Puts)
			assert.Equal(t, before.Drops+1, after.Drops)
			for range 100 {
				b := Get()
				assert.LessOrEqual(t, cap(b.In)+cap(b.Out)+cap(b.Scratch), 3*MaxKept)
				b.Put()
			}
		})
	}
}

func TestPutKeepsAtTheLimit(t *testing.T) {
	before := Stats()
	b := Get()
	b.In = make([]byte, 0, MaxKept)
	b.Put()
	assert.Equal(t, before.Puts+1, Stats().Puts)
}

func TestStatsAreExact(t *testing.T) {
	before := Stats()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 1000 {
				b := Get()
				b.Out = append(b.Out, byte(g))
				if i%10 == 0 {
					b.Drop()
				} else {
					b.Put()
				}
			}
		})
	}
	wg.Wait()
	after := Stats()
	assert.EqualValues(t, 8000, after.Gets-before.Gets)
	assert.EqualValues(t, 7200, after.Puts-before.Puts)
	assert.EqualValues(t, 800, after.Drops-before.Drops)
	assert.GreaterOrEqual(t, after.News-before.News, uint64(800), "each dropped buffer was made anew")
}

// Each goroutine sees its own bytes from Get to Put.
func TestNoTwoShare(*testing.T) {
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for range 200 {
				b := Get()
				for len(b.Out) < 100+g {
					b.Out = append(b.Out, byte(g))
				}
				for _, c := range b.Out {
					if c != byte(g) {
						panic("another goroutine's byte")
					}
				}
				b.Put()
			}
		})
	}
	wg.Wait()
}

func BenchmarkGetPut(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Get().Put()
	}
}

func BenchmarkGetPutParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			Get().Put()
		}
	})
}
