//go:build !race

package server

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
	"mxrest/internal/cases"
)

// Ten at once get one run, in both forms, with its age. Writes are encoded all the while, each with its own bytes.
func TestBenchOverHTTP(t *testing.T) {
	s, url := start(t, Default())
	var wg sync.WaitGroup
	dates := make([]string, 10)
	var answered atomic.Int32 // of the ten
	for i := range dates {
		wg.Go(func() {
			defer answered.Add(1)
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
	require.Eventually(t, func() bool { return s.metrics.InFlight.Load() == int64(len(dates)) }, 30*time.Second, time.Millisecond)
	require.Zero(t, answered.Load())
	var meanwhile atomic.Int64 // writes that were answered before any of the ten was
	for w := range 4 {
		wg.Go(func() {
			for n := 0; int(answered.Load()) < len(dates); n++ {
				v := uint32(w<<24 | n)
				res, body := call(t, "POST", url+"/v1/write", cases.Write("Int32", strconv.Itoa(int(v))), "Content-Type: application/json")
				want := cases.Body("02", hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, v)))
				if !assert.Equal(t, 200, res.StatusCode, body) || !assert.Equal(t, want, hex.EncodeToString([]byte(body))) {
					return
				}
				if answered.Load() == 0 {
					meanwhile.Add(1)
				}
			}
		})
	}
	wg.Wait()
	// A fraction of what goes through beside a run even on a slow machine; had they waited for the run, it would be one for each writer.
	assert.Greater(t, meanwhile.Load(), int64(1000))
	t.Logf("%d writes while ten waited", meanwhile.Load())
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
