//go:build e2e

package faults

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// built is mxrest, built once for all tests.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mxrest-faults")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "mxrest")
	code := 1
	if out, err := exec.Command("go", "build", "-o", built, "mxrest/cmd/mxrest").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building mxrest: %v\n%s", err, out)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// buffer is a log that a process writes and a test reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// process is one that the test started: ended with the test, and only it.
type process struct {
	cmd  *exec.Cmd
	log  *buffer
	done chan struct{} // closed when it has ended
	err  error         // how, once done
}

// start runs a command in a process group of its own, so that what it starts ends with it.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, log: &buffer{}, done: make(chan struct{})}
	if cmd.Stdout == nil {
		cmd.Stdout = p.log
	}
	if cmd.Stderr == nil {
		cmd.Stderr = p.log
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.err = cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-p.done
		if t.Failed() {
			t.Logf("%s: %v\n%s", filepath.Base(cmd.Path), p.err, tail(p.log.String(), 4000))
		}
	})
	return p
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// stop asks with SIGTERM and gives the exit code.
func (p *process) stop(t *testing.T, within time.Duration) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatalf("still runs %v after SIGTERM", within)
		return -1
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// server is one mxrest.
type server struct {
	*process
	api, admin string // host:port
}

// serve starts an mxrest on addresses that it or the test chose and waits until it is ready.
func serve(t *testing.T, api, admin string, args ...string) *server {
	t.Helper()
	return serveCmd(t, api, admin, exec.Command(built, args...))
}

// serveCmd adds what serve needs to a prepared command (another binary, another place for the log).
func serveCmd(t *testing.T, api, admin string, cmd *exec.Cmd) *server {
	t.Helper()
	cmd.Args = append(append(cmd.Args[:1:1], "serve", "--listen", api, "--admin-listen", admin), cmd.Args[1:]...)
	s := &server{process: start(t, cmd), api: api, admin: admin}
	waitFor(t, 20*time.Second, "mxrest is ready", func() error {
		select {
		case <-s.done:
			t.Fatalf("mxrest ended at once: %v\n%s", s.err, s.log)
		default:
		}
		return status(get("http://" + admin + "/readyz"))
	})
	return s
}

// again starts the server anew on its addresses.
func (s *server) again(t *testing.T, args ...string) *server {
	return serve(t, s.api, s.admin, args...)
}

// three servers on free ports.
func three(t *testing.T, args ...string) []*server {
	t.Helper()
	var servers []*server
	for range 3 {
		servers = append(servers, serve(t, freeAddr(t), freeAddr(t), args...))
	}
	return servers
}

// proxy runs deploy/nginx/start.sh, the very script and configuration of docker-compose.yml, before the servers.
type proxy struct {
	*process
	addr, url string
}

func startProxy(t *testing.T, servers []*server, env ...string) *proxy {
	t.Helper()
	var list []string
	for _, s := range servers {
		list = append(list, s.api)
	}
	addr := freeAddr(t)
	cmd := exec.Command("sh", "../../deploy/nginx/start.sh")
	cmd.Env = append(append(os.Environ(), "MXREST_SERVERS="+strings.Join(list, " "), "MXREST_PROXY="+addr, "MXREST_PROXY_DIR="+openDir(t)), env...)
	p := &proxy{process: start(t, cmd), addr: addr, url: "http://" + addr}
	waitFor(t, 20*time.Second, "the proxy answers", func() error { return status(get(p.url + "/readyz")) })
	return p
}

// openDir is a temporary folder that nginx's workers, who are nobody when it is started as root, can write to.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mxrest-proxy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tried lists how often the proxy sent a request on that it logged: requests it sent more than once, or that failed.
func (p *proxy) resent() int {
	n := 0
	for line := range strings.Lines(p.log.String()) {
		if strings.HasPrefix(line, `{"time"`) && strings.Contains(line, `"tried":"`) && strings.Contains(line, ", ") {
			n++
		}
	}
	return n
}

var plain = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func get(url string) (*http.Response, error) { return plain.Get(url) }

func status(res *http.Response, err error) error {
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	return nil
}

// waitFor polls until ok gives nil. The bound is generous and for a broken run only: nothing is judged by how long it took.
func waitFor(t *testing.T, within time.Duration, what string, ok func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err = ok(); err == nil {
			return
		}
	}
	t.Fatalf("not within %v: %s: %v", within, what, err)
}

var (
	given   = map[string]bool{}
	givenMu sync.Mutex
)

// freeAddr is an address on loopback that nothing listens on; each is given once.
func freeAddr(t *testing.T) string {
	t.Helper()
	givenMu.Lock()
	defer givenMu.Unlock()
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().String()
		_ = l.Close()
		if !given[addr] {
			given[addr] = true
			return addr
		}
	}
}

// metric sums a server's series of one name whose labels contain all of the given parts.
func (s *server) metric(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	v, err := s.read(name, labels...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (s *server) read(name string, labels ...string) (float64, error) {
	res, err := get("http://" + s.admin + "/metrics")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	sum := 0.0
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
next:
	for lines.Scan() {
		series, value, ok := strings.Cut(lines.Text(), " ")
		if !ok || series != name && !strings.HasPrefix(series, name+"{") {
			continue
		}
		for _, l := range labels {
			if !strings.Contains(series, l) {
				continue next
			}
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, lines.Err()
}
