package jsonin

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// Random mantissas and exponents around the edges of the exact path, and of the floats.
func TestFloatAgainstStrconv(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 1 << 24, 1<<24 - 1, 1<<24 + 1, 1 << 53, 1<<53 - 1, 1<<53 + 1, 1<<64 - 1, 9999999999999999999}
	for i := range 50_000 {
		m := r.Uint64() >> r.IntN(64)
		if i%4 == 0 {
			m = edges[r.IntN(len(edges))]
		}
		s := strconv.FormatUint(m, 10)
		if at := r.IntN(len(s)); r.IntN(2) == 0 && at > 0 {
			s = s[:at] + "." + s[at:]
		}
		if r.IntN(2) == 0 {
			s += "e" + strconv.Itoa(r.IntN(80)-40)
		}
		if r.IntN(2) == 0 {
			s = "-" + s
		}
		checkFloat(t, s)
	}
}
