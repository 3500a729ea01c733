//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

func TestBenchCommand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"bench", "--json"}, strings.NewReader(""), &stdout, &stderr)
	require.Equal(t, 0, code, stderr.String())
	var rep bench.Report
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &rep))
	assert.True(t, rep.Gate.Holds)
	assert.Equal(t, "encode Int32", rep.Rows[0].Scenario)
	assert.NotEmpty(t, rep.Anchors)
}
