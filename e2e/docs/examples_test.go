//go:build e2e

// Package docs runs every example of README.md and of docs/ against a real server and compares what it prints.
package docs

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The address that the pages write; each page's examples get one of their own instead.
const writtenAddr = "127.0.0.1:8080"

func TestExamples(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./cmd/mxrest")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	pages := []string{filepath.Join(root, "README.md")}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		more, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		pages = append(pages, more...)
	}
	for _, path := range pages {
		examples, err := readPage(path)
		require.NoError(t, err)
		if len(examples) == 0 {
			continue
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		t.Run(rel, func(t *testing.T) { runPage(t, root, bin, rel, examples) })
	}
}

// runPage runs a page's examples one after the other in one folder, as a reader would: README's in the repository, since it
// says "from this folder".
func runPage(t *testing.T, root, bin, rel string, examples []example) {
	p := &reader{dir: t.TempDir(), addrs: map[string]string{}, servers: map[string]func(){}}
	defer func() {
		for _, stop := range p.servers {
			stop()
		}
	}()
	if rel == "README.md" {
		p.dir = root
	}
	p.env = append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"MXREST_LISTEN="+p.addr(t, writtenAddr),
		"REPO="+root,
	)
	// A page that does not begin with starting a server has one already.
	first := slices.IndexFunc(examples, func(e example) bool { return e.kind == "" || e.kind == "background" })
	if first >= 0 && examples[first].kind != "background" {
		p.background(t, "mxrest serve")
	}
	for _, e := range examples {
		if e.kind == "client" || e.kind == "not run" {
			continue
		}
		t.Run(e.name(), func(t *testing.T) { p.run(t, e) })
	}
}

// reader is somebody who works through a page.
type reader struct {
	dir     string
	env     []string
	addrs   map[string]string // as written -> as used
	servers map[string]func() // address in use -> ends the server that runs there
}

var (
	loopback = regexp.MustCompile(`(?:127\.0\.0\.1|localhost):[1-9][0-9]*`)
	listens  = regexp.MustCompile(`\s--listen[ =](\S+)`)
)

// addr gives the free port that stands for an address in the page.
func (p *reader) addr(t *testing.T, written string) string {
	if p.addrs[written] == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		p.addrs[written] = l.Addr().String()
		require.NoError(t, l.Close())
	}
	return p.addrs[written]
}

// here puts the addresses in use for those that are written.
func (p *reader) here(t *testing.T, code string) string {
	return loopback.ReplaceAllStringFunc(code, func(a string) string {
		return p.addr(t, strings.Replace(a, "localhost", "127.0.0.1", 1))
	})
}

// written is the reverse of here.
func (p *reader) written(output string) string {
	for written, used := range p.addrs {
		output = strings.ReplaceAll(output, used, written)
	}
	return output
}

func (p *reader) run(t *testing.T, e example) {
	code := p.here(t, e.code)
	switch e.kind {
	case "file":
		path := filepath.Join(p.dir, e.arg)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(code), 0o644))
		return
	case "background":
		p.background(t, code)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var cmd *exec.Cmd
	switch e.lang {
	case "sh":
		cmd = exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", code)
	case "python":
		cmd = exec.CommandContext(ctx, "python3", "-c", code)
	case "js":
		cmd = exec.CommandContext(ctx, "node", "--input-type=module", "-e", code)
	case "go":
		file := filepath.Join(t.TempDir(), "main.go")
		require.NoError(t, os.WriteFile(file, []byte(code), 0o644))
		cmd = exec.CommandContext(ctx, "go", "run", file)
	}
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &stdout, &stderr
	err := cmd.Run()
	if e.kind == "fails" {
		require.Error(t, err, "%s:%d did not fail", e.page, e.line)
	} else {
		require.NoError(t, err, "%s:%d\n%s%s", e.page, e.line, stdout.String(), stderr.String())
	}
	if e.output == nil {
		return
	}
	// What a person sees is both streams; a page whose example fails shows the second.
	got := p.written(stdout.String())
	if e.kind == "fails" {
		got += p.written(stderr.String())
	}
	require.True(t, matches(*e.output, got), "%s:%d\nthe page says:\n%s\nit prints:\n%s", e.page, e.line, *e.output, got)
}

// background starts a server in a process group of its own and waits until its address answers: the one that --listen names, else
// the page's. Servers at other addresses go on, as they would in a reader's other terminals.
func (p *reader) background(t *testing.T, code string) {
	addr := p.addr(t, writtenAddr)
	if m := listens.FindStringSubmatch(code); m != nil {
		addr = m[1]
	}
	require.Nil(t, p.servers[addr], "a second server at %s, where the reader's first still runs: give it --listen", p.written(addr))
	cmd := exec.Command("bash", "-c", code)
	var said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	p.servers[addr] = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
		}
	}
	for range 600 {
		select {
		case <-done:
			t.Fatalf("ended at once: %s\n%s", code, said.String())
		default:
		}
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("nothing answers at %s: %s\n%s", p.written(addr), code, said.String())
}
