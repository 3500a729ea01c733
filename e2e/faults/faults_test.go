//go:build e2e

package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The disk that logs go to is full: every write to it fails, no caller is told.
func TestFullDiskForLogs(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	cmd := exec.Command(built, "--access-log", "all", "--log-format", "json", "--log-level", "debug")
	cmd.Stdout, cmd.Stderr = full, full
	s := serveCmd(t, freeAddr(t), freeAddr(t), cmd)
	l := startLoad(t, "http://"+s.api, 8)
	l.waitMore(t, 2000)
	// An error answer is logged in more words: it too must come.
	res, body, err := post(client(), "http://"+s.api+"/v1/write", `{"type":"Int32"}`)
	if err != nil || res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a bad request: %v %v %s", res, err, body)
	}
	l.stop(t)
	if code := s.stop(t, 25*time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// frames is NDJSON of n writes.
func frames(n int) string {
	request, _ := int32Write(1)
	return strings.Repeat(request+"\n", n)
}

// Clients that ask for much and never read are cut off; others do not notice, and everything they held comes back.
func TestClientsThatStopReading(t *testing.T) {
	s := serve(t, freeAddr(t), freeAddr(t), "--read-timeout", "2s", "--write-timeout", "3s")
	l := startLoad(t, "http://"+s.api, 4)
	l.waitMore(t, 500)
	before := s.metric(t, "go_goroutines")
	const stalled = 50
	body := frames(100_000) // results of 12 MB, more than the sockets' buffers take
	for range stalled {
		c, err := net.Dial("tcp", s.api)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		go func() { // it goes on sending as long as it may, and never reads
			_, _ = fmt.Fprintf(c, "POST /v1/write/batch/results HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}()
	}
	waitFor(t, 20*time.Second, "the server works for them", func() error {
		if n := s.metric(t, "mxrest_http_in_flight"); n < stalled/2 {
			return fmt.Errorf("%v under way", n)
		}
		return nil
	})
	t.Logf("%v MiB resident with %d stalled clients", int(s.metric(t, "process_resident_memory_bytes"))>>20, stalled)
	waitFor(t, 60*time.Second, "all stalled clients are cut off", func() error {
		if n := s.metric(t, "mxrest_http_in_flight"); n > 4 {
			return fmt.Errorf("%v under way", n)
		}
		if g := s.metric(t, "go_goroutines"); g > before+10 {
			return fmt.Errorf("%v goroutines, before %v", g, before)
		}
		return nil
	})
	l.waitMore(t, 500)
	l.stop(t)
}

// Far more heavy requests than the servers take at once: those beyond the limit get 503 with Retry-After, none waits in a queue, and
// callers who come again as told are served with the right bytes.
func TestFloodBeyondTheInFlightLimit(t *testing.T) {
	const limit = 2
	servers := three(t, "--max-in-flight", fmt.Sprint(limit))
	p := startProxy(t, servers)
	var stop atomic.Bool
	var flood sync.WaitGroup
	var served, refused atomic.Int64
	var wrong sync.Map
	batch := frames(3_000)
	for range 60 {
		flood.Go(func() {
			c := client()
			defer c.CloseIdleConnections()
			for !stop.Load() {
				req, _ := http.NewRequest(http.MethodPost, p.url+"/v1/write/batch", strings.NewReader(batch))
				req.Header.Set("Content-Type", "application/x-ndjson")
				res, err := c.Do(req)
				if err != nil {
					wrong.Store(err.Error(), true)
					continue
				}
				body, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				var problem struct{ Status int }
				switch {
				case err != nil:
					wrong.Store(err.Error(), true)
				case res.StatusCode == http.StatusOK && len(body) == 3_000*(4+40):
					served.Add(1)
				case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "" &&
					res.Header.Get("Content-Type") == "application/problem+json" && json.Unmarshal(body, &problem) == nil && problem.Status == 503:
					refused.Add(1)
					time.Sleep(20 * time.Millisecond) // a flood, but not a flood of the test's own processor
				default:
					wrong.Store(fmt.Sprintf("%s %.200s", res.Status, body), true)
				}
			}
		})
	}
	defer func() { stop.Store(true); flood.Wait() }()

	// The good callers: they come again after a 503, with a pause of their own that grows.
	var good sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	var tries int
	for w := range 8 {
		good.Go(func() {
			c := client()
			defer c.CloseIdleConnections()
			for n := range 40 {
				request, want := nthWrite(w, n)
				begun, pause := time.Now(), 5*time.Millisecond
				for try := 1; ; try++ {
					err := write(c, p.url, request, want)
					var full *statusError
					if errors.As(err, &full) && full.code == http.StatusServiceUnavailable && full.retryAfter != "" && try < 400 {
						time.Sleep(time.Duration(rand.Int64N(int64(pause))))
						pause = min(2*pause, 100*time.Millisecond)
						continue
					}
					if err != nil {
						t.Errorf("a good caller after %d tries: %v", try, err)
					}
					mu.Lock()
					took, tries = append(took, time.Since(begun)), tries+try
					mu.Unlock()
					break
				}
			}
		})
	}
	good.Wait()
	stop.Store(true)
	flood.Wait()
	wrong.Range(func(k, _ any) bool { t.Errorf("the flood got: %v", k); return true })
	if refused.Load() == 0 || served.Load() == 0 {
		t.Errorf("flood: %d served, %d refused: want some of both", served.Load(), refused.Load())
	}
	for _, s := range servers {
		if s.metric(t, "mxrest_http_requests_total", `code="503"`) == 0 {
			t.Errorf("%s refused nothing", s.api)
		}
	}
	slices.Sort(took)
	t.Logf("flood: %d batches served, %d refused; good callers: %d writes in %.1f tries each, p50 %v, p99 %v", served.Load(), refused.Load(),
		len(took), float64(tries)/float64(len(took)), took[len(took)/2].Round(time.Millisecond), took[len(took)*99/100].Round(time.Millisecond))
}

// What the proxy has to answer itself has the form of mxrest's own errors.
func TestProxysOwnErrors(t *testing.T) {
	s := serve(t, freeAddr(t), freeAddr(t))
	p := startProxy(t, []*server{s})
	check := func(res *http.Response, err error, want int) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var problem struct {
			Type, Title, Detail, Instance string
			Status                        int
		}
		if err := json.NewDecoder(res.Body).Decode(&problem); err != nil {
			t.Fatalf("%d: %v", res.StatusCode, err)
		}
		if res.StatusCode != want || problem.Status != want || problem.Title == "" || problem.Detail == "" || problem.Instance == "" ||
			res.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("want %d, got %s %v %+v", want, res.Status, res.Header, problem)
		}
	}
	res, err := http.Post(p.url+"/v1/write", "application/json", bytes.NewReader(make([]byte, 5<<20)))
	check(res, err, http.StatusRequestEntityTooLarge) // mxrest's own, through the proxy
	res, err = http.Post(p.url+"/v1/write", "application/json", bytes.NewReader(make([]byte, 9<<20)))
	check(res, err, http.StatusRequestEntityTooLarge) // the proxy's
	s.kill()
	res, err = http.Post(p.url+"/v1/write", "application/json", strings.NewReader("{}"))
	check(res, err, http.StatusBadGateway)
	if res.Header.Get("Retry-After") == "" {
		t.Error("502 without Retry-After")
	}
	for id, kept := range map[string]bool{"mine-1": true, `","status":200,"x":"`: false, strings.Repeat("a", 129): false} {
		req, err := http.NewRequest(http.MethodGet, p.url+"/version", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Request-Id", id)
		res, err := plain.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var problem struct {
			Instance string
			Status   int
		}
		if err := json.NewDecoder(res.Body).Decode(&problem); err != nil {
			t.Errorf("request id %q: %v", id, err)
		}
		_ = res.Body.Close()
		if problem.Status != http.StatusBadGateway || (problem.Instance == id) != kept {
			t.Errorf("request id %q: %+v", id, problem)
		}
	}
	s.again(t)
	waitFor(t, 20*time.Second, "it serves again", func() error { return status(get(p.url + "/readyz")) })
}

// A streamed batch is streamed through the proxy: the first result is there before the last write is sent.
func TestStreamThroughTheProxy(t *testing.T) {
	s := serve(t, freeAddr(t), freeAddr(t))
	p := startProxy(t, []*server{s})
	in, out := io.Pipe()
	req, err := http.NewRequest(http.MethodPost, p.url+"/v1/write/batch/results", in)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-ndjson")
	req.Header.Set("Accept", "application/x-ndjson")
	half := frames(2_000)
	begun := make(chan struct{})
	go func() {
		_, _ = io.WriteString(out, half)
		<-begun
		_, _ = io.WriteString(out, half)
		_ = out.Close()
	}()
	res, err := client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	first := make([]byte, 100)
	if _, err := io.ReadFull(res.Body, first); err != nil {
		t.Fatal(err)
	}
	close(begun)
	rest, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Count(first, []byte("\n")) + bytes.Count(rest, []byte("\n"))
	if res.StatusCode != http.StatusOK || lines != 4_001 {
		t.Errorf("%s, %d lines, want 4,000 results and a summary", res.Status, lines)
	}
}
