package check

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

const root = "../.."

// stages parses the Dockerfile as `docker build` does; the linter's warnings are errors here.
func stages(t *testing.T) []instructions.Stage {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	ast, err := parser.Parse(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ast.Warnings {
		t.Errorf("warning: %+v", w)
	}
	lint := linter.New(&linter.Config{Warn: func(rule, description, _, msg string, at []parser.Range) {
		t.Errorf("lint: %s: %s (%s) at %v", rule, msg, description, at)
	}})
	s, _, err := instructions.Parse(ast.AST, lint)
	if err != nil {
		t.Fatal(err)
	}
	if len(s) != 2 {
		t.Fatalf("%d stages", len(s))
	}
	return s
}

// find returns the stage's instructions of one kind.
func find[T instructions.Command](s instructions.Stage) (out []T) {
	for _, c := range s.Commands {
		if c, ok := c.(T); ok {
			out = append(out, c)
		}
	}
	return out
}

func TestDockerfileImage(t *testing.T) {
	s := stages(t)[1]
	if s.BaseName != "scratch" {
		t.Errorf("the image is built on %s", s.BaseName)
	}
	if u := find[*instructions.UserCommand](s); len(u) != 1 || u[0].User != "65532:65532" {
		t.Errorf("user %v: want a number that is not 0, Kubernetes cannot judge a name", u)
	}
	if h := find[*instructions.HealthCheckCommand](s); len(h) != 1 || strings.Join(h[0].Health.Test, " ") != "CMD /mxrest health" {
		t.Errorf("health check %v", h)
	}
	if e := find[*instructions.EntrypointCommand](s); len(e) != 1 || e[0].PrependShell || e[0].CmdLine[0] != "/mxrest" {
		t.Error("the entry point must be mxrest itself: there is no shell, and signals must reach it")
	}
	got := map[string]bool{}
	for _, l := range find[*instructions.LabelCommand](s) {
		for _, kv := range l.Labels {
			got[kv.Key] = true
		}
	}
	for _, want := range []string{"title", "description", "licenses", "version", "revision"} {
		if !got["org.opencontainers.image."+want] {
			t.Errorf("label %s is missing", want)
		}
	}
	if len(find[*instructions.RunCommand](s)) != 0 {
		t.Error("nothing can be run in an empty image")
	}
}

func TestDockerfileGo(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`(?m)^RELEASE_GO := go(.*)$`).FindSubmatch(makefile)
	if s := stages(t)[0]; s.BaseName != "golang:"+string(release[1]) {
		t.Errorf("built with %s, releases with go%s", s.BaseName, release[1])
	}
}

// TestDockerfileByHand does what `docker build` and `docker run --read-only` would, as far as that goes without an engine: it takes the
// context that .dockerignore leaves, copies what COPY says, runs RUN's command, puts the binary alone into a folder, and runs it there
// with that folder as the root, as the image's user, with the image's variables.
func TestDockerfileByHand(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("changing the root needs root")
	}
	build, image := stages(t)[0], stages(t)[1]
	src, out := t.TempDir(), t.TempDir()
	for _, c := range find[*instructions.CopyCommand](build) {
		for _, p := range c.SourcePaths {
			copyContext(t, p, filepath.Join(src, c.DestPath, map[bool]string{true: "", false: filepath.Base(p)}[strings.HasSuffix(p, "/")]))
		}
	}
	runs := find[*instructions.RunCommand](build)
	command := strings.ReplaceAll(strings.Join(runs[len(runs)-1].CmdLine, " "), "/out/", out+"/")
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", command)
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "TARGETOS=linux", "TARGETARCH=amd64", "VERSION=v0-by-hand", "CGO_ENABLED=0", "GOTOOLCHAIN=go"+strings.TrimPrefix(build.BaseName, "golang:"))
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, b)
	}

	binary := filepath.Join(out, "mxrest")
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("image: %d bytes", info.Size())
	if info.Size() > 24<<20 {
		t.Errorf("the binary has %d bytes: with the authorities the image would exceed 25 MB", info.Size())
	}
	if b, err := exec.CommandContext(t.Context(), "readelf", "-lW", binary).Output(); err != nil || bytes.Contains(b, []byte("INTERP")) {
		t.Errorf("the binary is not static, the empty image has no loader (%v)", err)
	}

	// The folder is the whole root: only the binary, nothing may be written.
	rootfs := t.TempDir()
	if err := os.Chmod(filepath.Dir(rootfs), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(binary, filepath.Join(rootfs, "mxrest")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(rootfs, 0o555); err != nil {
		t.Fatal(err)
	}
	api, admin := freePort(t), freePort(t)
	var env []string
	for _, e := range find[*instructions.EnvCommand](image) {
		for _, kv := range e.Env {
			v := strings.NewReplacer("0.0.0.0:8080", "0.0.0.0:"+api, "0.0.0.0:9090", "0.0.0.0:"+admin).Replace(kv.Value)
			env = append(env, kv.Key+"="+v)
		}
	}
	inImage := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), "/mxrest", args...)
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: rootfs, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		c.Env, c.Dir = env, "/"
		return c
	}
	if b, err := inImage("version").CombinedOutput(); err != nil || !bytes.Contains(b, []byte("v0-by-hand")) {
		t.Fatalf("version: %v\n%s", err, b)
	}
	if err := inImage("health").Run(); err == nil {
		t.Error("healthy before it runs")
	}
	entry := find[*instructions.EntrypointCommand](image)[0].CmdLine
	args := find[*instructions.CmdCommand](image)[0].CmdLine
	server := inImage(append(entry[1:], args...)...)
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }()
	health := find[*instructions.HealthCheckCommand](image)[0].Health.Test[2:]
	for try := 0; inImage(health...).Run() != nil; try++ {
		if try == 100 {
			t.Fatalf("never healthy\n%s", log.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
	res, err := http.Get("http://127.0.0.1:" + api + "/version")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("/version: %d", res.StatusCode)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("SIGTERM: %v\n%s", err, log.String())
	}
}

// copyContext copies one path of the build context without what .dockerignore leaves out. A path that is left out whole is an error, as
// it is for docker.
func copyContext(t *testing.T, path, to string) {
	t.Helper()
	f, err := os.Open(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	patterns, err := ignorefile.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	ignore, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	copied := 0
	from := filepath.Join(root, path)
	err = filepath.Walk(from, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, p)
		if out, err := ignore.MatchesOrParentMatches(name); err != nil || out {
			return err
		}
		rel, _ := filepath.Rel(from, p)
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		copied++
		return os.WriteFile(dst, b, 0o644)
	})
	if err == nil && copied == 0 {
		err = fmt.Errorf("nothing of it is in the build context")
	}
	if err != nil {
		t.Fatalf("COPY %s: %v", path, err)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
