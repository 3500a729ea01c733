package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/auth"
	"mxrest/internal/bench"
	"mxrest/internal/server"
)

// asProgram makes the test binary behave as mxrest itself, so that signals and exit codes can be tried on a process.
const asProgram = "MXREST_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	bench.ChildMain(version, measuredServer)
	if os.Getenv(asProgram) != "" {
		_ = os.Unsetenv(asProgram)
		main()
	}
	os.Exit(m.Run())
}

// process is a running mxrest.
type process struct {
	*exec.Cmd
	log *bufio.Scanner
}

// startProcess starts mxrest with its log read line by line.
func startProcess(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, args...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &process{Cmd: cmd, log: bufio.NewScanner(stderr)}
}

// line waits for a log line that matches and gives its first group.
func (p *process) line(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for p.log.Scan() {
		if m := re.FindStringSubmatch(p.log.Text()); m != nil {
			return m[len(m)-1]
		}
	}
	t.Fatalf("no log line matches %s", pattern)
	return ""
}

// end waits for the process and gives its exit code.
func (p *process) end(t *testing.T) int {
	t.Helper()
	_, _ = io.Copy(io.Discard, readerOf(p.log))
	_ = p.Wait()
	return p.ProcessState.ExitCode()
}

func readerOf(s *bufio.Scanner) io.Reader {
	r, w := io.Pipe()
	go func() {
		for s.Scan() {
		}
		_ = w.Close()
	}()
	return r
}

func status(t *testing.T, url string, headers ...string) int {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	require.NoError(t, err)
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ": ")
		req.Header.Set(k, v)
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	return res.StatusCode
}

func TestServeStopsOnSIGTERM(t *testing.T) {
	p := startProcess(t, []string{"MXREST_MAX_BODY=", "MXREST_LOG_FORMAT="}, "--listen", "127.0.0.1:0") // empty is as good as unset
	url := p.line(t, `msg=serving url=(\S+)`)
	require.Equal(t, 200, status(t, url+"/readyz"))
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.line(t, "msg=stopping")
	p.line(t, "msg=stopped")
	require.Equal(t, 0, p.end(t))
}

func TestASecondSignalStopsAtOnce(t *testing.T) {
	p := startProcess(t, nil, "--listen", "127.0.0.1:0", "--grace", "1h", "--drain-delay", "1h")
	p.line(t, `msg=serving url=(\S+)`)
	require.NoError(t, p.Process.Signal(os.Interrupt))
	p.line(t, "msg=stopping")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Equal(t, 1, p.end(t))
}

func TestSIGHUPReloadsTheKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	write := func() (key string) {
		key, line, err := auth.New("only")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(line+"\n"), 0o600))
		return key
	}
	old := write()
	p := startProcess(t, []string{"MXREST_API_KEYS=" + path, "MXREST_LOG_FORMAT=json", "MXREST_TYPO=1", "MXREST_PORT=tcp://10.0.0.1:80"}, "serve", "--listen", "127.0.0.1:0")
	require.Equal(t, "MXREST_TYPO", p.line(t, `names no setting.*"variable":"(\w+)"`))
	url := p.line(t, `"msg":"serving","url":"([^"]+)"`)
	require.Equal(t, 200, status(t, url+"/version", "Authorization: Bearer "+old))
	fresh := write()
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	p.line(t, `"msg":"reloaded","what":"keys"`)
	require.Equal(t, 401, status(t, url+"/version", "Authorization: Bearer "+old))
	require.Equal(t, 200, status(t, url+"/version", "Authorization: Bearer "+fresh))
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Equal(t, 0, p.end(t))
}

// try runs a command line in this process.
func try(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	code = run(ctx, args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// Bad settings end the program with exit code 2 and one line that names the flag.
func TestServeRefusesBadSettings(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, c := range []struct {
		want string
		args []string
	}{
		{`--listen "nowhere": want host:port`, []string{"--listen", "nowhere"}},
		{`--max-body`, []string{"--max-body", "4MB"}},
		{`"4MB" is no size`, []string{"--max-body", "4MB"}},
		{`--max-body 1: want 1024`, []string{"--max-body", "1"}},
		{`"10/d" is no rate`, []string{"--rate-limit", "10/d"}},
		{`"10.0.0.1/8" is no address or network`, []string{"--trusted-proxy", "10.0.0.1/8"}},
		{`--validate must be one of`, []string{"--validate", "some"}},
		{`--access-log-sample: want 1`, []string{"--access-log-sample", "0"}},
		{`--api-keys: ` + empty + `: no key in the file`, []string{"--api-keys", empty}},
		{`--api-keys: stat /nowhere`, []string{"--api-keys", "/nowhere"}},
		{`--layout: `, []string{"--layout", empty}},
		{`--tls-cert and --tls-key: give both`, []string{"--tls-cert", empty}},
		{`unknown flag --lisen`, []string{"--lisen", "x"}},
		{`--read-timeout`, []string{"--read-timeout", "15"}},
		{`--grace`, []string{"--grace", "-1s"}},
	} {
		code, stdout, stderr := try(t, append([]string{"serve", "--listen", "127.0.0.1:0"}, c.args...)...)
		require.Equal(t, exitUsage, code, "%v: %s", c.args, stderr)
		require.Contains(t, stderr, c.want)
		require.NotContains(t, stderr, "panic")
		require.Empty(t, stdout, c.args)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		require.True(t, strings.HasSuffix(stderr, "\n"))
	}
}

func TestWrongArgumentsNameTheHelpThatHelps(t *testing.T) {
	for args, want := range map[string]string{
		"bogus":           "mxrest",
		"--lisen x":       "mxrest serve",
		"serve --lisen x": "mxrest serve",
		"serve bogus":     "mxrest serve",
		"encode --bogus":  "mxrest encode",
		"diff one":        "mxrest diff",
		"key":             "mxrest key",
		"key new":         "mxrest key new",
	} {
		code, _, stderr := try(t, strings.Fields(args)...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, stderr, " (try '"+want+" --help')\n", args)
	}
}

func TestVersionFlag(t *testing.T) {
	_, want, _ := try(t, "version")
	code, stdout, _ := try(t, "--version")
	require.Equal(t, exitOK, code)
	require.Equal(t, want, stdout)
}

func TestServeHelpHasExamplesAndVariables(t *testing.T) {
	code, stdout, _ := try(t, "serve", "--help")
	require.Equal(t, exitOK, code)
	for _, want := range []string{"Examples:", "--listen 127.0.0.1:0", "$MXREST_LISTEN", "$MXREST_API_KEYS", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		require.Contains(t, stdout, want)
	}
}

// help before a command is --help after it.
func TestHelpCommand(t *testing.T) {
	for _, args := range []string{"", "decode", "key new"} {
		_, want, _ := try(t, append(strings.Fields(args), "--help")...)
		code, stdout, _ := try(t, append([]string{"help"}, strings.Fields(args)...)...)
		require.Equal(t, exitOK, code, args)
		require.Equal(t, want, stdout, args)
		require.Contains(t, stdout, "Usage: mxrest "+args)
	}
}

// What a server gets without any flag is what tests of the server use as default.
func TestFlagsAndDefaultAgree(t *testing.T) {
	var c cli
	parser := newParser(t, &c)
	_, err := parser.Parse([]string{"serve"})
	require.NoError(t, err)
	got, want := c.Serve.config(), server.Default()
	got.Version, got.RateWindow = want.Version, want.RateWindow
	require.Equal(t, want, got)
}

func TestFlagTypes(t *testing.T) {
	for text, want := range map[string]size{"0": 0, "4096": 4096, "64KiB": 64 << 10, "4MiB": 4 << 20, "2GiB": 2 << 30} {
		var s size
		require.NoError(t, s.UnmarshalText([]byte(text)))
		require.Equal(t, want, s, text)
	}
	for _, text := range []string{"", "x", "-1", "1.5MiB", "4MB", "4 MiB", "9999999999GiB", "MiB"} {
		require.Error(t, new(size).UnmarshalText([]byte(text)), text)
	}
	for text, want := range map[string]rate{"off": {}, "100/s": {100, time.Second}, "6000/m": {6000, time.Minute}, "1/h": {1, time.Hour}} {
		var r rate
		require.NoError(t, r.UnmarshalText([]byte(text)))
		require.Equal(t, want, r, text)
	}
	for _, text := range []string{"", "0/s", "-1/s", "100", "100/", "/s", "1.5/s", "99999999999/s"} {
		require.Error(t, new(rate).UnmarshalText([]byte(text)), text)
	}
	for text, want := range map[string]string{"10.0.0.5": "10.0.0.5/32", "10.0.0.0/8": "10.0.0.0/8", "::1": "::1/128", "::ffff:10.0.0.5": "10.0.0.5/32"} {
		var p proxy
		require.NoError(t, p.UnmarshalText([]byte(text)))
		require.Equal(t, want, p.String(), text)
	}
	for _, text := range []string{"", "x", "10.0.0.1/8", "10.0.0.0/33"} {
		require.Error(t, new(proxy).UnmarshalText([]byte(text)), text)
	}
}
