//go:build e2e

package faults

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clockStep goes into the standard library's time.Now, right after it has read the clocks. With MXREST_TEST_CLOCK set, the wall clock
// goes back a day once the process has run for five seconds, while the monotonic clock goes on: what happens when an operator or NTP sets
// a machine's clock back. Done to this one binary, since the machine's own clock belongs to others.
const clockStep = `
	if testClock > 0 && mono-testClock > 5e9 {
		sec -= 86400
	}
`

const clockStart = `
var testClock = func() int64 {
	if _, ok := syscall.Getenv("MXREST_TEST_CLOCK"); !ok {
		return 0
	}
	_, _, mono := runtimeNow()
	return mono
}()
`

// buildWithClock builds mxrest with the changed time.Now.
func buildWithClock(t *testing.T) string {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(goroot)), "src/time/time.go")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const anchor = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if bytes.Count(src, []byte(anchor)) != 1 {
		t.Fatalf("%s reads the clocks in another way than this test knows", file)
	}
	changed := bytes.Replace(src, []byte(anchor), []byte(anchor+clockStep), 1)
	changed = append(bytes.Replace(changed, []byte("import (\n"), []byte("import (\n\t\"syscall\"\n"), 1), clockStart...)
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replaced := put("time.go", string(changed))
	overlay := put("overlay.json", `{"Replace": {"`+file+`": "`+replaced+`"}}`)
	out := filepath.Join(dir, "mxrest")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", out, "mxrest/cmd/mxrest")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if b, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return out
}

// The clock is set back a day under load: answers stay right, timeouts and the rate limit go on working, the stop is in order.
func TestClockSetBack(t *testing.T) {
	binary := buildWithClock(t)
	with := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "MXREST_TEST_CLOCK=1")
		return cmd
	}
	s := serveCmd(t, freeAddr(t), freeAddr(t), with("--access-log", "all", "--log-format", "json", "--read-timeout", "3s"))
	limited := serveCmd(t, freeAddr(t), freeAddr(t), with("--rate-limit", "50/s"))
	l := startLoad(t, "http://"+s.api, 8)

	day := func() string { return time.Now().UTC().Format("2006-01-02") }
	before, yesterday := day(), time.Now().UTC().AddDate(0, 0, -1).Format("2006-01-02")
	waitFor(t, 30*time.Second, "the server's clock is set back", func() error {
		if !strings.Contains(s.log.String(), `"time":"`+yesterday) {
			return errors.New("the log has no line of yesterday")
		}
		return nil
	})
	if !strings.Contains(s.log.String(), `"time":"`+before) {
		t.Error("the log has no line of today: the clock was wrong from the start")
	}
	l.waitMore(t, 1000)

	// A client that stalls is still cut off: timeouts follow the monotonic clock or deadlines that were set after the step.
	waitFor(t, 30*time.Second, "a stalled request is cut off", func() error {
		return cutOff(s.api)
	})

	// The rate limit neither locks everybody out nor lets everybody in.
	request, want := int32Write(1)
	c := client()
	refused := false
	for range 400 {
		err := write(c, "http://"+limited.api, request, want)
		var e *statusError
		if refused = errors.As(err, &e) && e.code == http.StatusTooManyRequests; refused {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !refused {
		t.Error("400 writes at once pass a limit of 50 a second")
	}
	waitFor(t, 20*time.Second, "the limit lets writes through again", func() error {
		return write(c, "http://"+limited.api, request, want)
	})
	l.stop(t)
	for _, s := range []*server{s, limited} {
		if code := s.stop(t, 25*time.Second); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}
