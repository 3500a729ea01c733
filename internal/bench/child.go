package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// childArg, alone on the command line, makes the program a child that counts.
const childArg = "bench-child"

// Limit ends a child that hangs. A run takes two or three seconds of one processor, which a busy machine may take long to give.
const Limit = time.Minute

// canBeChild says that this program, started again with childArg, counts and ends.
var canBeChild atomic.Bool

// ChildMain stands first in main, and in TestMain of tests that ask for a run. Where the program was started as a child it counts,
// prints the report and ends the process. Otherwise it returns at once, and this process may start children.
// server makes the server that the HTTP rows measure.
func ChildMain(version string, server func() (*http.Server, error)) {
	if len(os.Args) != 2 || os.Args[1] != childArg {
		canBeChild.Store(true)
		return
	}
	beNice()
	go func() { // the parent holds the other end: when it dies, so does its child
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	if err := childReport(version, server, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func childReport(version string, server func() (*http.Server, error), out io.Writer) error {
	srv, err := server()
	if err != nil {
		return err
	}
	rep, err := Run(version, srv)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(rep)
}

// ErrNoChild says that the program cannot start itself as a child.
var ErrNoChild = errors.New("this program does not count in a child process: bench.ChildMain does not stand in its main")

// Child runs the program's own file as a child and returns what it counted. It is killed when ctx ends.
func Child(ctx context.Context) (*Report, error) {
	if !canBeChild.Load() {
		return nil, ErrNoChild
	}
	file, err := ownFile()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, file, childArg) // #nosec G204 -- this program itself
	cmd.Env = []string{"GOMAXPROCS=1"}              // nothing of the parent's settings or secrets
	cmd.WaitDelay = time.Second
	var stdout bytes.Buffer
	var stderr tail
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stdin, err := cmd.StdinPipe() // stays open while the child runs
	if err != nil {
		return nil, err
	}
	defer func() { _ = stdin.Close() }()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("the child that counts: %w%s", err, stderr.says())
	}
	var rep Report
	if err := json.Unmarshal(stdout.Bytes(), &rep); err != nil {
		return nil, fmt.Errorf("the child that counts printed no report: %w", err)
	}
	return &rep, nil
}

// ownFile is the file this process runs. On Linux it is the very one, even if another has since been put in its place, as `go run`
// and upgrades do.
func ownFile() (string, error) {
	const own = "/proc/self/exe"
	if _, err := os.Stat(own); err == nil {
		return own, nil
	}
	return os.Executable()
}

// tail keeps the first kilobyte of what a child says on stderr.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p[:min(len(p), 1024-len(t.b))]...)
	return len(p), nil
}

func (t *tail) says() string {
	if s := strings.TrimSpace(string(t.b)); s != "" {
		return ": " + s
	}
	return ""
}
