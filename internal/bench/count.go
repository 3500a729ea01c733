package bench

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// Counts of every row: operations counted, after operations to warm up.
const (
	Iterations = 10_000 / slowdown
	Warmup     = 1_000 / slowdown
)

// Figures are what one operation costs, on average over all that were counted.
type Figures struct {
	Allocs float64 // objects allocated
	Bytes  float64 // bytes allocated, in the allocator's size classes
	Frees  float64 // objects freed, once everything is collected
}

// Count counts exactly: it warms the loop up, turns the collector off, collects once (two collections would empty sync.Pool), does one
// more operation (a sync.Pool sets itself up anew after a collection, at a cost of two objects), counts what the process allocates
// over n operations, and collects again for the frees. The process must run nothing else that allocates, and at GOMAXPROCS 1.
func Count(loop func(n int) error, warmup, n int) (Figures, error) {
	if err := loop(warmup); err != nil {
		return Figures{}, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	if err := loop(1); err != nil {
		return Figures{}, err
	}
	var a, b, c runtime.MemStats
	runtime.ReadMemStats(&a)
	err := loop(n)
	runtime.ReadMemStats(&b)
	runtime.GC()
	runtime.ReadMemStats(&c)
	per := func(x, y uint64) float64 { return float64(y-x) / float64(n) }
	return Figures{Allocs: per(a.Mallocs, b.Mallocs), Bytes: per(a.TotalAlloc, b.TotalAlloc), Frees: per(a.Frees, c.Frees)}, err
}

// countLeast counts up to three times, until allocations and frees are the same whole number, and keeps the count with the fewest: the
// runtime's own work now and then allocates an object or two, or frees what died before, which are not the operation's.
func countLeast(loop func(n int) error) (least Figures, err error) {
	for try := range 3 {
		f, err := Count(loop, Warmup, Iterations)
		if err != nil {
			return f, err
		}
		if try == 0 || f.Allocs+f.Frees < least.Allocs+least.Frees {
			least = f
		}
		if least.Allocs == least.Frees && least.Allocs == math.Trunc(least.Allocs) {
			break
		}
	}
	return least, nil
}

func countOnce(loop func(n int) error) (Figures, error) { return Count(loop, Warmup, Iterations) }

// Spread is ns/op over several rounds.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// The rounds that a spread is taken of.
const (
	rounds = 9
	round  = time.Millisecond
)

// measure times a loop. Such times are for comparing rows and anchors of one run; on a busy machine they say little more.
func measure(loop func(n int) error) (Spread, error) {
	n := 1
	for ; ; n *= 2 {
		start := time.Now()
		if err := loop(n); err != nil {
			return Spread{}, err
		}
		if d := time.Since(start); d >= round/2 {
			n = max(1, int(int64(n)*int64(round)/int64(d)))
			break
		}
	}
	ns := make([]float64, rounds)
	for i := range ns {
		start := time.Now()
		if err := loop(n); err != nil {
			return Spread{}, err
		}
		ns[i] = math.Round(10*float64(time.Since(start).Nanoseconds())/float64(n)) / 10
	}
	slices.Sort(ns)
	return Spread{Min: ns[0], Median: ns[rounds/2], Max: ns[rounds-1]}, nil
}
