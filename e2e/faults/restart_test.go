//go:build e2e

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// served waits until a server has answered n more writes.
func (s *server) served(t *testing.T, n float64) {
	t.Helper()
	from := s.metric(t, "mxrest_http_requests_total", `route="/v1/write"`)
	waitFor(t, 30*time.Second, fmt.Sprintf("%s serves", s.api), func() error {
		now, err := s.read("mxrest_http_requests_total", `route="/v1/write"`)
		if err == nil && now < from+n {
			err = fmt.Errorf("%v of %v answers", now-from, n)
		}
		return err
	})
}

// One of three is killed under load: no caller notices, since the proxy sends what it was doing to another, and it serves again once it
// is back.
func TestKillOneOfThree(t *testing.T) {
	servers := three(t)
	p := startProxy(t, servers)
	l := startLoad(t, p.url, 16)
	for _, s := range servers {
		s.served(t, 20)
	}
	for round := range 3 {
		victim := round % len(servers)
		servers[victim].kill()
		l.waitMore(t, 500)
		servers[victim] = servers[victim].again(t)
		servers[victim].served(t, 20)
	}
	l.stop(t)
	resent := p.resent()
	t.Logf("%d requests were sent to a second server", resent)
	if resent == 0 {
		t.Error("the proxy never sent a request on: the test killed nothing that was used")
	}
	// A dead server is left alone after three failures and tried again every two seconds: most requests never go there.
	if resent > l.sent/5 {
		t.Errorf("%d of %d requests were sent twice: the proxy does not notice a dead server", resent, l.sent)
	}
}

// Each of three is stopped with SIGTERM and started again under load: nobody notices, and each ends with 0.
func TestRollingRestart(t *testing.T) {
	for _, drain := range []string{"0s", "1s"} {
		t.Run("drain "+drain, func(t *testing.T) {
			args := []string{"--drain-delay", drain}
			servers := three(t, args...)
			p := startProxy(t, servers)
			l := startLoad(t, p.url, 16)
			for i, s := range servers {
				s.served(t, 20)
				if code := s.stop(t, 25*time.Second); code != 0 {
					t.Errorf("exit code %d", code)
				}
				servers[i] = s.again(t, args...)
				servers[i].served(t, 20)
			}
			l.stop(t)
		})
	}
}

// A replica is added: start.sh finds it by name and the proxy takes it over. getent is replaced, since a test cannot add names.
func TestProxyFindsNewReplicas(t *testing.T) {
	port := freeAddr(t)[len("127.0.0.1:"):]
	one := serve(t, "127.0.0.1:"+port, freeAddr(t))
	dir := t.TempDir()
	names := filepath.Join(dir, "names")
	put := func(addresses string) {
		if err := os.WriteFile(names+".new", []byte(addresses), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(names+".new", names); err != nil {
			t.Fatal(err)
		}
	}
	put("127.0.0.1 STREAM mxrest\n127.0.0.1 DGRAM\n")
	if err := os.WriteFile(filepath.Join(dir, "getent"), []byte("#!/bin/sh\n[ \"$1 $2\" = 'ahostsv4 mxrest' ] && cat "+names+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, nil, "MXREST_SERVERS=mxrest:"+port, "PATH="+dir+":"+os.Getenv("PATH"), "MXREST_PROXY_LOOKUP=1")
	send := resending(p)
	two := serve(t, "127.0.0.2:"+port, freeAddr(t))
	put("127.0.0.1 STREAM mxrest\n127.0.0.2 STREAM mxrest\n")
	waitFor(t, 20*time.Second, "the second replica serves", func() error {
		if err := send(); err != nil {
			t.Fatalf("lost: %v", err)
		}
		if two.metric(t, "mxrest_http_requests_total", `route="/v1/write"`) == 0 {
			return errors.New("not yet")
		}
		return nil
	})
	// It vanishes from the names only: nothing is done, it serves on.
	put("127.0.0.1 STREAM mxrest\n")
	two.servedBy(t, send)
	one.servedBy(t, send)
	if got := strings.Count(p.log.String(), "start.sh: servers now:"); got != 1 {
		t.Errorf("%d reloads, want the one for the new address", got)
	}
	if code := p.stop(t, 20*time.Second); code != 0 {
		t.Errorf("the proxy ended with %d", code)
	}
}

// resending sends a write and checks its answer. A reload closes kept connections; a client that is just about to use one may send again,
// and says so with a header.
func resending(p *proxy) func() error {
	c := client()
	c.Timeout = 5 * time.Second // less than the proxy waits for a server
	return func() error {
		request, want := int32Write(7)
		req, err := http.NewRequest(http.MethodPost, p.url+"/v1/write", strings.NewReader(request))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "7")
		res, err := c.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		got, err := io.ReadAll(res.Body)
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("%s %x", res.Status, got)
		}
		return err
	}
}

// A replica whose /readyz does not say 200 gets no new requests after some looks, and gets some again once it is ready: one that drains,
// which would go on answering, and one that is stuck, whose callers would have to wait. When none is ready, all go on.
func TestProxyTurnsAwayFromTheUnready(t *testing.T) {
	drains := []string{"--drain-delay", "1h", "--grace", "2h"}
	servers := three(t, drains...)
	p := startProxy(t, servers, "MXREST_PROXY_LOOKUP=1")
	send := resending(p)
	for _, s := range servers {
		s.servedBy(t, send)
	}

	drained := servers[0]
	drained.signal(t, syscall.SIGTERM)
	waitFor(t, 20*time.Second, "the draining server gets nothing", func() error { return drained.spared(t, send) })
	if _, _, err := post(client(), "http://"+drained.api+"/v1/write", "{}"); err != nil {
		t.Errorf("it does not drain, it is gone: %v", err)
	}
	drained.signal(t, syscall.SIGTERM)
	<-drained.done
	servers[0] = drained.again(t, drains...)
	servers[0].servedBy(t, send)

	// A stuck process still takes connections. nginx by itself would wait for each of its answers for 30 seconds.
	stuck := servers[1]
	stuck.signal(t, syscall.SIGSTOP)
	waitFor(t, 40*time.Second, "300 in a row that did not have to wait", func() error {
		for range 300 {
			if err := send(); err != nil {
				return err
			}
		}
		if !strings.Contains(p.log.String(), "not ready: "+stuck.api) {
			return errors.New("not marked")
		}
		return nil
	})
	stuck.signal(t, syscall.SIGCONT)
	stuck.servedBy(t, send)

	for _, s := range servers {
		s.signal(t, syscall.SIGTERM)
	}
	waitFor(t, 30*time.Second, "all drain", func() error { // for more looks than it takes to mark one
		for _, s := range servers {
			n, err := s.read("mxrest_http_requests_total", `route="/readyz"`, `code="503"`)
			if err == nil && n < 4 {
				err = fmt.Errorf("%v times not ready", n)
			}
			if err != nil {
				return err
			}
		}
		return send()
	})
	for _, s := range servers {
		s.servedBy(t, send)
	}
}

func (p *process) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// spared sends 300 writes and fails when any of them came to this server.
func (s *server) spared(t *testing.T, send func() error) error {
	t.Helper()
	from := s.metric(t, "mxrest_http_requests_total", `route="/v1/write"`)
	for range 300 {
		if err := send(); err != nil {
			t.Fatalf("lost: %v", err)
		}
	}
	if n := s.metric(t, "mxrest_http_requests_total", `route="/v1/write"`) - from; n > 0 {
		return fmt.Errorf("%v of 300", n)
	}
	return nil
}

func (s *server) servedBy(t *testing.T, send func() error) {
	t.Helper()
	from := s.metric(t, "mxrest_http_requests_total", `route="/v1/write"`)
	waitFor(t, 20*time.Second, s.api+" serves", func() error {
		if err := send(); err != nil {
			t.Fatalf("lost: %v", err)
		}
		if s.metric(t, "mxrest_http_requests_total", `route="/v1/write"`) == from {
			return errors.New("not yet")
		}
		return nil
	})
}
