//go:build !race

package bench_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

// The child, here this test's own file, counts every row; the reference's come first, in its order.
func TestChild(t *testing.T) {
	rep, err := bench.Child(t.Context())
	require.NoError(t, err)
	assert.True(t, rep.Gate.Holds, rep.Gate.Failures)
	assert.Equal(t, 10_000, rep.Iterations)
	assert.Equal(t, 1_000, rep.Warmup)
	assert.Equal(t, "test", rep.Version)
	assert.WithinDuration(t, time.Now(), rep.Date, 30*time.Second)

	want := []struct {
		name          string
		allocs, bytes float64 // ours
	}{
		{"encode Int32", 0, 0}, {"encode Float32", 0, 0}, {"encode Float64", 0, 0}, {"encode Boolean", 0, 0},
		{"encode String, 5 characters", 0, 0}, {"encode Int32, fresh buffer", 1, 48},
		{"encode Int32, pooled buffer", 0, 0}, {"encode Boolean, pooled buffer", 0, 0},
		{"handle from names, cold", 0, 0}, {"parse data update, one Int32", 0, 0}, {"decode handle", 0, 0},
	}
	names := map[string]bool{}
	for i, row := range rep.Rows {
		assert.False(t, names[row.Scenario], "%s stands there twice", row.Scenario)
		names[row.Scenario] = true
		assert.NotEmpty(t, row.Includes, row.Scenario)
		assert.Equal(t, 10_000, row.Iterations, row.Scenario)
		assert.Positive(t, row.NS.Min, row.Scenario)
		assert.LessOrEqual(t, row.NS.Min, row.NS.Median, row.Scenario)
		assert.LessOrEqual(t, row.NS.Median, row.NS.Max, row.Scenario)
		if i < len(want) {
			assert.Equal(t, want[i].name, row.Scenario)
			assert.Equal(t, want[i].allocs, row.Allocs, row.Scenario)
			assert.Equal(t, want[i].bytes, row.Bytes, row.Scenario)
			assert.True(t, row.Gated, row.Scenario)
			assert.Equal(t, i < 10, row.Reference != nil, row.Scenario)
		}
	}
	for _, a := range rep.Anchors {
		assert.Positive(t, a.NS.Min, a.Name)
	}

	lines := strings.Split(rep.Markdown(), "\n")
	assert.Contains(t, lines, "| scenario | iters | allocs/op | bytes/op | deallocs/op |")
	assert.Contains(t, lines, "| encode Int32 | 10000 | 0 | 0 | 0 |")
	assert.Contains(t, lines, "| encode Int32, fresh buffer | 10000 | 1 | 48 | 1 |")
	assert.Contains(t, rep.Markdown(), "- Gate: holds (")
}
