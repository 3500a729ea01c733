//go:build e2e

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// soak is how long the mixed load lasts.
func soak(t *testing.T) time.Duration {
	s := os.Getenv("SOAK")
	if s == "" {
		s = "2m"
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// state is what must not grow.
type state struct {
	goroutines, descriptors, connections float64
	heap, resident                       float64 // bytes
}

func (s *server) state(t *testing.T) state {
	t.Helper()
	// The heap profile with gc=1 collects garbage first, so that what is counted is what is held.
	if err := status(get("http://" + s.admin + "/debug/pprof/heap?gc=1")); err != nil {
		t.Fatal(err)
	}
	return state{
		s.metric(t, "go_goroutines"), s.metric(t, "process_open_fds"), s.metric(t, "mxrest_http_connections"),
		s.metric(t, "go_memstats_heap_alloc_bytes"), s.metric(t, "process_resident_memory_bytes"),
	}
}

func (s state) String() string {
	return fmt.Sprintf("%v goroutines, %v descriptors, %v connections, heap %.1f MiB, resident %.1f MiB",
		s.goroutines, s.descriptors, s.connections, s.heap/(1<<20), s.resident/(1<<20))
}

// Good writes, batches, explanations and decodes among random garbage, at a rate, through the proxy and past it: every good one is
// answered rightly, nothing is answered with a server error, and afterwards the servers hold what they held before.
func TestMixedLoad(t *testing.T) {
	length := soak(t)
	servers := three(t)
	p := startProxy(t, servers)
	// Warm: each kind of request was answered once by each server, so that what is built on first use is there.
	for range 200 {
		for kind := range kinds {
			if err := kinds[kind](client(), p.url, kind); err != nil {
				t.Fatal(err)
			}
		}
	}
	time.Sleep(2 * time.Second)
	var before []state
	for _, s := range servers {
		before = append(before, s.state(t))
	}

	end := time.Now().Add(length)
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	var faults []string
	note := func(kind, fault string) {
		mu.Lock()
		defer mu.Unlock()
		counts[kind]++
		if fault != "" && len(faults) < 10 {
			faults = append(faults, kind+": "+fault)
		}
	}
	// A tick a worker: 8 workers of good requests at 25 a second each and 4 of garbage at 25 make 300 a second.
	for w := range 8 {
		wg.Go(func() {
			c := client()
			defer c.CloseIdleConnections()
			tick := time.NewTicker(40 * time.Millisecond)
			defer tick.Stop()
			for n := w; time.Now().Before(end); n++ {
				<-tick.C
				fault := ""
				if err := kinds[n%len(kinds)](c, p.url, n); err != nil {
					fault = err.Error()
				}
				note("good", fault)
			}
		})
	}
	for w := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 20)) // a test that can be repeated
			tick := time.NewTicker(40 * time.Millisecond)
			defer tick.Stop()
			for n := 0; time.Now().Before(end); n++ {
				<-tick.C
				// Every second one goes past the proxy, which would keep some of it from the servers.
				addr := p.addr
				if n%2 == 1 {
					addr = servers[r.IntN(len(servers))].api
				}
				note("garbage", throw(r, addr))
			}
		})
	}
	half := make([]state, len(servers))
	wg.Go(func() {
		time.Sleep(length / 2)
		for i, s := range servers {
			half[i] = s.state(t)
		}
	})
	wg.Wait()
	for _, f := range faults {
		t.Error(f)
	}
	t.Logf("%v: %v", length, counts)

	for i, s := range servers {
		select {
		case <-s.done:
			t.Fatalf("%s ended: %v", s.api, s.err)
		default:
		}
		var after state
		var last error
		for range 60 { // what a broken connection holds goes when its timeout is over
			after, last = s.state(t), nil
			if after.goroutines > before[i].goroutines+8 || after.descriptors > before[i].descriptors+8 {
				last = errors.New("goroutines or descriptors do not return")
			}
			if last == nil {
				break
			}
			time.Sleep(time.Second)
		}
		t.Logf("%s before: %v", s.api, before[i])
		t.Logf("%s half:   %v", s.api, half[i])
		t.Logf("%s after:  %v", s.api, after)
		if last != nil {
			t.Error(last)
		}
		// Held memory is what it was, give or take pooled buffers. Resident memory follows the load up and then stays: compared with the
		// middle of the run, not with the idle start.
		if after.heap > before[i].heap+8<<20 {
			t.Errorf("the heap grew from %.1f to %.1f MiB", before[i].heap/(1<<20), after.heap/(1<<20))
		}
		if after.resident > half[i].resident*1.3+16<<20 {
			t.Errorf("resident memory grew from %.1f MiB at half time to %.1f", half[i].resident/(1<<20), after.resident/(1<<20))
		}
		if n := s.metric(t, "mxrest_panics_total"); n != 0 {
			t.Errorf("%v panics", n)
		}
		if n := s.metric(t, "mxrest_http_requests_total", `code="500"`); n != 0 {
			t.Errorf("%v answers of 500", n)
		}
		if code := s.stop(t, 25*time.Second); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}

// kinds are the good requests: each sends one and judges its answer.
var kinds = []func(c *http.Client, url string, n int) error{
	func(c *http.Client, url string, n int) error {
		request, want := int32Write(int32(n))
		return write(c, url, request, want)
	},
	func(c *http.Client, url string, n int) error {
		request, want := stringWrite(strings.Repeat("né😀", n%200) + fmt.Sprint(n))
		return write(c, url, request, want)
	},
	func(c *http.Client, url string, n int) error { // a batch: frames of length and body
		var in strings.Builder
		var want []byte
		for i := range 100 {
			request, body := int32Write(int32(n + i))
			in.WriteString(request + "\n")
			want = append(append(want, byte(len(body)), 0, 0, 0), body...)
		}
		req, err := http.NewRequest(http.MethodPost, url+"/v1/write/batch", strings.NewReader(in.String()))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/x-ndjson")
		res, err := c.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		got, err := io.ReadAll(res.Body)
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("batch: %s, %d bytes, want %d", res.Status, len(got), len(want))
		}
		return err
	},
	func(c *http.Client, url string, n int) error { // the explanation agrees with the octets
		request, want := int32Write(int32(n))
		res, got, err := post(c, url+"/v1/write/explain", request)
		if err == nil && (res.StatusCode != http.StatusOK || !bytes.Contains(got, fmt.Appendf(nil, "%x", want))) {
			err = fmt.Errorf("explain: %s %s", res.Status, got)
		}
		return err
	},
	func(c *http.Client, url string, n int) error { // what is refused is refused, with a pointer
		res, got, err := post(c, url+"/v1/write", fmt.Sprintf(`{"handle":%s,"type":"Int32","value":%d}`, handle, int64(1<<31)+int64(n)))
		if err == nil && (res.StatusCode != http.StatusUnprocessableEntity || !bytes.Contains(got, []byte(`"/value"`))) {
			err = fmt.Errorf("out of range: %s %s", res.Status, got)
		}
		return err
	},
}
