//go:build !race

package bench_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

// Every gated row, held exactly; the codec's and jsonin's own packages hold more of the same.
func TestScenarioAllocs(t *testing.T) {
	gated := 0
	for _, s := range scenarios(t) {
		require.NoError(t, s.Loop(10), s.Name)
		if s.Allocs == bench.Ungated {
			continue
		}
		gated++
		got := testing.AllocsPerRun(200, func() { _ = s.Loop(1) })
		assert.Equal(t, s.Allocs, got, s.Name)
	}
	assert.Greater(t, gated, 40)
}

// POST /v1/write, over the wire, allocates at most four objects more than a bare handler.
func TestRequestAllocs(t *testing.T) {
	count := map[string]float64{}
	for _, s := range scenarios(t) {
		if s.Group == bench.InRequest {
			require.NoError(t, s.Loop(100), s.Name)
			count[s.Name] = testing.AllocsPerRun(300, func() { _ = s.Loop(1) })
		}
	}
	bare, write := count["request, bare handler"], count["request, POST /v1/write, Int32"]
	require.NotZero(t, bare)
	assert.LessOrEqual(t, write, bare+4)
}
