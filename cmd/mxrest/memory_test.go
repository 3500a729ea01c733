//go:build linux && !race

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
	"mxrest/internal/server"
)

// memory gives a process's resident memory now and at its highest, in bytes.
func (p *process) memory(t *testing.T) (now, highest int64) {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	require.NoError(t, err)
	read := func(name string) int64 {
		m := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(b)
		require.NotNil(t, m)
		n, err := strconv.ParseInt(string(m[1]), 10, 64)
		require.NoError(t, err)
		return n << 10
	}
	return read("VmRSS"), read("VmHWM")
}

const mib = 1 << 20

func post(t *testing.T, url, body string) int {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// 500 connections that stay in their headers, in a body, or in a batch take little memory, and others are served meanwhile.
func TestMemoryUnder500SlowConnections(t *testing.T) {
	p := startProcess(t, nil, "--listen", "127.0.0.1:0", "--header-timeout", "1m", "--read-timeout", "1m", "--write-timeout", "2m")
	url := p.line(t, `msg=serving url=(\S+)`)
	for range 100 {
		require.Equal(t, 200, post(t, url+"/v1/write", cases.Base))
	}
	idle, _ := p.memory(t)
	batch := strings.ReplaceAll(cases.Base, "\n", "") + "\n"
	for i := range 500 {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		require.NoError(t, err)
		defer c.Close()
		switch i % 4 {
		case 0:
			fmt.Fprint(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		case 1: // announces the largest body and sends little
			fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", 4*mib, strings.Repeat(" ", 1000))
		case 2:
			fmt.Fprintf(c, "POST /v1/write/explain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n%s\r\n", strings.Repeat(" ", 1000))
		case 3:
			fmt.Fprintf(c, "POST /v1/write/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(batch), batch)
		}
	}
	require.Eventually(t, func() bool {
		return metric(t, url, "mxrest_http_connections") >= 500 && metric(t, url, "mxrest_http_in_flight") >= 375
	},
		20*time.Second, 20*time.Millisecond)
	for range 100 {
		require.Equal(t, 200, post(t, url+"/v1/write", cases.Base))
	}
	_, highest := p.memory(t)
	t.Logf("resident: %.1f MiB idle, %.1f MiB with 500 slow connections (%.0f KiB each)",
		float64(idle)/mib, float64(highest)/mib, float64(highest-idle)/500/1024)
	require.Less(t, highest-idle, int64(500*256<<10))
}

func metric(t *testing.T, url, name string) float64 {
	t.Helper()
	res, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(b)
	require.NotNil(t, m, name)
	v, err := strconv.ParseFloat(string(m[1]), 64)
	require.NoError(t, err)
	return v
}

// As many of the largest bodies as may be in flight, all at once: some are served, the rest get 503, memory stays within the limit that
// the settings promise, and comes back.
func TestMemoryUnderTheLargestBodies(t *testing.T) {
	p := startProcess(t, nil, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
	line := p.line(t, `msg=serving (url=\S+ .*)`)
	url := regexp.MustCompile(`url=(\S+)`).FindStringSubmatch(line)[1]
	admin := regexp.MustCompile(`admin=(\S+)`).FindStringSubmatch(line)[1]
	for range 100 {
		require.Equal(t, 200, post(t, url+"/v1/write", cases.Base))
	}
	idle, _ := p.memory(t)

	element := `"` + strings.Repeat("x", 60) + `",`
	array := "[" + strings.Repeat(element, 61_000) + `"x"]`
	large := []byte(strings.NewReplacer(`"type":"Int32"`, `"type":"StringArray"`, "305419896", array).Replace(cases.Base))
	require.Greater(t, len(large), 3*mib)
	require.Less(t, len(large), 4*mib)

	cfg := server.Default()
	var served, refused, cut atomic.Int64
	var wg sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for i := range cfg.MaxInFlight {
		path := []string{"/v1/write", "/v1/write", "/v1/write", "/v1/write/explain"}[i%4]
		wg.Go(func() {
			res, err := client.Post(url+path, "application/json", bytes.NewReader(large))
			if err != nil {
				cut.Add(1) // refused while it was still sending
				return
			}
			defer res.Body.Close()
			_, _ = io.Copy(io.Discard, res.Body)
			switch res.StatusCode {
			case 200:
				served.Add(1)
			case 503:
				refused.Add(1)
			default:
				t.Errorf("%s answers %d", path, res.StatusCode)
			}
		})
	}
	wg.Wait()
	_, highest := p.memory(t)
	require.Equal(t, 200, post(t, url+"/v1/write", cases.Base), "the server goes on")
	require.Zero(t, metric(t, admin, "mxrest_body_memory_used_bytes"))
	var heap int64
	require.Eventually(t, func() bool { // pools give up what they hold at the second collection
		res, err := http.Get(admin + "/debug/pprof/heap?gc=1")
		require.NoError(t, err)
		res.Body.Close()
		heap = int64(metric(t, admin, "go_memstats_heap_alloc_bytes"))
		return heap < 32*mib
	}, 20*time.Second, 10*time.Millisecond, "memory comes back")
	t.Logf("resident: %.0f MiB idle, %.0f MiB at the highest (promised %.0f MiB); heap afterwards %.1f MiB; %d served, %d refused, %d refused while sending",
		float64(idle)/mib, float64(highest)/mib, float64(cfg.MemoryLimit())/mib, float64(heap)/mib, served.Load(), refused.Load(), cut.Load())
	require.Positive(t, served.Load())
	require.Less(t, highest, cfg.MemoryLimit()+cfg.MemoryLimit()/4)
}
