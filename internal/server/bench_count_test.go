//go:build !race

package server

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

// Ten at once get one run, in both forms, with its age.
func TestBenchOverHTTP(t *testing.T) {
	_, url := start(t, Default())
	var wg sync.WaitGroup
	dates := make([]string, 10)
	for i := range dates {
		wg.Go(func() {
			res, body := call(t, "GET", url+"/bench.json", "")
			if !assert.Equal(t, 200, res.StatusCode, body) {
				return
			}
			var rep bench.Report
			if assert.NoError(t, json.Unmarshal([]byte(body), &rep)) {
				dates[i] = rep.Date.String()
				assert.True(t, rep.Gate.Holds, rep.Gate.Failures)
				assert.Equal(t, strconv.Itoa(rep.AgeSeconds), res.Header.Get("Age"))
			}
		})
	}
	wg.Wait()
	for _, d := range dates {
		assert.Equal(t, dates[0], d, "one run for all")
	}

	res, body := call(t, "GET", url+"/bench", "")
	require.Equal(t, 200, res.StatusCode, body)
	assert.Equal(t, "text/markdown; charset=utf-8", res.Header.Get("Content-Type"))
	age, err := strconv.Atoi(res.Header.Get("Age"))
	require.NoError(t, err)
	assert.Contains(t, body, strconv.Itoa(age)+" s ago")
	lines := strings.Split(body, "\n")
	at := 0
	for i, line := range lines {
		if line == "| scenario | iters | allocs/op | bytes/op | deallocs/op |" {
			at = i
		}
	}
	require.NotZero(t, at)
	assert.Equal(t, "| encode Int32 | 10000 | 0 | 0 | 0 |", lines[at+2])

	res, _ = call(t, "HEAD", url+"/bench", "")
	assert.Equal(t, 200, res.StatusCode)
}
