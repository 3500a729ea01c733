//go:build !race

package bench_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

// docs/bench.md says what the code does now; `make bench-doc` writes it anew.
func TestDocument(t *testing.T) {
	rep, err := bench.Child(t.Context())
	require.NoError(t, err)
	doc, err := os.ReadFile("../../docs/bench.md")
	require.NoError(t, err)
	assert.Contains(t, string(doc), rep.Exact(), "run make bench-doc")
}
