//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server in a process of its own.
type process struct {
	cmd *exec.Cmd
	url string // http://127.0.0.1:PORT
}

var servingAt = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start runs a server and waits for the line that says where it serves.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if p.url = servingAt.FindString(lines.Text()); p.url != "" {
			go func() { // so that it never waits for us
				for lines.Scan() {
				}
			}()
			return p, nil
		}
	}
	_ = cmd.Wait()
	return nil, fmt.Errorf("%s did not serve", program)
}

// startOurs runs the product as it is run in production, but for the access log: everything on.
func startOurs(ctx context.Context, program string) (*process, error) {
	return start(ctx, program, "serve", "--listen", "127.0.0.1:0")
}

// startBare runs this program as the counterparts' server.
func startBare(ctx context.Context) (*process, error) {
	return start(ctx, "/proc/self/exe", "-bare", "127.0.0.1:0")
}

// startBoth runs both, and stop ends them.
func startBoth(ctx context.Context, program string) (ours, bare *process, stop func(), err error) {
	if ours, err = startOurs(ctx, program); err != nil {
		return nil, nil, nil, err
	}
	if bare, err = startBare(ctx); err != nil {
		ours.stop()
		return nil, nil, nil, err
	}
	return ours, bare, func() { ours.stop(); bare.stop() }, nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

// address is host:port.
func (p *process) address() string { return strings.TrimPrefix(p.url, "http://") }

// cpu is the time that the process's threads have run, in user and system mode. Threads that ended are not in it; Go's do not end.
func (p *process) cpu() time.Duration {
	dir := fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid)
	threads, _ := os.ReadDir(dir)
	var total int64
	for _, t := range threads {
		stat, err := os.ReadFile(dir + "/" + t.Name() + "/schedstat")
		if err != nil {
			continue
		}
		ran, _, _ := bytes.Cut(stat, []byte(" "))
		ns, _ := strconv.ParseInt(string(ran), 10, 64)
		total += ns
	}
	return time.Duration(total)
}

var errStatus = errors.New("no such line in /proc")

// status reads a line such as VmHWM (the most memory it ever held) or VmRSS of /proc/PID/status, in bytes.
func (p *process) status(name string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, errStatus
}

// forgetPeak makes VmHWM begin anew from what the process holds now.
func (p *process) forgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}
