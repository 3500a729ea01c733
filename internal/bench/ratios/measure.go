package main

import (
	"slices"
	"time"

	"mxrest/internal/bench/plain"
)

// The windows: short enough that most of them pass without being interrupted on a shared machine, and enough of them for a median.
const (
	window = 500 * time.Microsecond
	rounds = 101
)

// comparison is what one pair of loops took.
type comparison struct {
	ns    float64 // ours, ns/op, median
	than  float64 // the other, ns/op, median
	ratio float64 // median of the rounds' ratios
	aa    float64 // the other against itself in the same rounds
}

// compare runs ours and the other in the order A B B A, many rounds of short windows, and takes medians of the ratios within a
// round: what slows the machine down slows both.
func compare(ours, other plain.Loop) comparison {
	na, nb := calibrate(ours), calibrate(other)
	var ratios, as, bs, aas []float64
	for range rounds {
		a1 := timed(ours, na)
		b1 := timed(other, nb)
		b2 := timed(other, nb)
		a2 := timed(ours, na)
		ratios = append(ratios, (a1+a2)/(b1+b2))
		aas = append(aas, b1/b2)
		as = append(as, a1, a2)
		bs = append(bs, b1, b2)
	}
	return comparison{ns: median(as), than: median(bs), ratio: median(ratios), aa: median(aas)}
}

// timed is ns/op over one window.
func timed(f plain.Loop, n int) float64 {
	start := time.Now()
	f(n)
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}

// calibrate finds how many operations fill a window, and warms the loop up on the way.
func calibrate(f plain.Loop) int {
	for n := 1; ; n *= 2 {
		start := time.Now()
		f(n)
		if d := time.Since(start); d >= window/2 {
			return max(1, int(float64(n)*float64(window)/float64(d)))
		}
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
