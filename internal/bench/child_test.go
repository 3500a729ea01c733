package bench_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"mxrest/internal/bench"
)

func TestChildStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := bench.Child(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

// A report whose gate fails says which rows and why.
func TestMarkdownFails(t *testing.T) {
	rep := bench.Report{Version: "1.2.3", Revision: "abc", AgeSeconds: 7, Gate: bench.Gate{Rule: "the rule", Failures: []string{"encode Int32: too much"}}}
	text := rep.Markdown()
	assert.Contains(t, text, "- Gate: FAILS (the rule)\n  - encode Int32: too much\n")
	assert.Contains(t, text, "- Build: 1.2.3, abc\n")
	assert.Contains(t, text, "7 s ago")
}
