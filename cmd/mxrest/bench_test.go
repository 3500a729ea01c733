package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mxrest/internal/bench"
)

// The exit code is the gate's, in both forms.
func TestBenchExit(t *testing.T) {
	for _, json := range []bool{false, true} {
		var stdout bytes.Buffer
		e := &env{ctx: t.Context(), stdout: &stdout}
		c := benchCmd{JSON: json}
		assert.NoError(t, c.print(e, &bench.Report{Gate: bench.Gate{Holds: true}}))
		assert.NotEmpty(t, stdout.String())
		assert.ErrorIs(t, c.print(e, &bench.Report{Gate: bench.Gate{Failures: []string{"encode Int32"}}}), errFailed)
	}
}

func TestBenchHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 0, run(context.Background(), []string{"bench", "--help"}, strings.NewReader(""), &stdout, &stderr))
	assert.Contains(t, stdout.String(), "mxrest bench --json")
	assert.Equal(t, 2, run(context.Background(), []string{"bench", "--fast"}, strings.NewReader(""), &stdout, &stderr))
}
