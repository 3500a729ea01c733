//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"mxrest/internal/bench"
	"mxrest/internal/codec"
)

const connections = 64

// requestCPU is P7: the server's CPU a request with everything on, saturated, against the bare handler. Windows of wrk in the order
// A B B A, and medians over the rounds; the two windows of the same server in a round give the A/A line, and the ratio is judged only
// when that is sound.
func requestCPU(ctx context.Context, t *table, program string, window time.Duration, rounds int) error {
	ours, bare, stop, err := startBoth(ctx, program)
	if err != nil {
		return err
	}
	defer stop()
	script, err := wrkScript()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(filepath.Dir(script)) }()
	for _, p := range []*process{ours, bare} { // warm up
		if _, err := wrk(ctx, p, script, time.Second); err != nil {
			return err
		}
	}
	var ratios, same, cpuOurs, cpuBare []float64
	for range rounds {
		var us [4]float64
		for i, p := range []*process{ours, bare, bare, ours} {
			if us[i], err = wrk(ctx, p, script, window); err != nil {
				return err
			}
		}
		ratios = append(ratios, (us[0]+us[3])/(us[1]+us[2]))
		same = append(same, us[0]/us[3], us[1]/us[2])
		cpuOurs, cpuBare = append(cpuOurs, us[0], us[3]), append(cpuBare, us[1], us[2])
	}
	aa := median(same)
	t.print("P7", "A/A: the same server in both its windows of a round, median", fmt.Sprintf("%.3f", aa), "0.95..1.05", fmt.Sprintf("%.2f to %.2f over %d rounds", same[0], same[len(same)-1], rounds))
	const what = "server CPU a request, everything on, against a bare handler"
	if aa < 0.95 || aa > 1.05 {
		t.beyond++
		t.print("P7", what, "too noisy !", "<= 1.15x", "")
		return nil
	}
	t.row("P7", what, median(ratios), 1.15, false, "x",
		fmt.Sprintf("%.1f and %.1f µs, %d connections, %d windows of %v; rounds %.2f to %.2f", median(cpuOurs), median(cpuBare), connections, 4*rounds, window, ratios[0], ratios[len(ratios)-1]))
	return nil
}

// wrkScript writes the request for wrk.
func wrkScript() (string, error) {
	dir, err := os.MkdirTemp("", "mxrest-load")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "write.lua")
	script := fmt.Sprintf("wrk.method = \"POST\"\nwrk.path = \"/v1/write\"\nwrk.headers[\"Content-Type\"] = \"application/json\"\nwrk.body = %q\n",
		bench.Request(codec.Int32, "305419896"))
	return file, os.WriteFile(file, []byte(script), 0o600)
}

var (
	wrkRequests = regexp.MustCompile(`(\d+) requests in`)
	wrkErrors   = regexp.MustCompile(`(?m)^\s*(Non-2xx.*|Socket errors.*)$`)
)

// wrk loads a server for a while and gives its CPU a request in µs.
func wrk(ctx context.Context, p *process, script string, d time.Duration) (float64, error) {
	before := p.cpu()
	out, err := exec.CommandContext(ctx, "wrk", "-t1", "-c"+strconv.Itoa(connections), "-d"+d.String(), "-s", script, p.url).CombinedOutput()
	used := p.cpu() - before
	if err != nil {
		return 0, fmt.Errorf("wrk: %w: %s", err, out)
	}
	if bad := wrkErrors.Find(out); bad != nil {
		return 0, fmt.Errorf("wrk: %s", bytes.TrimSpace(bad))
	}
	m := wrkRequests.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("wrk said: %s", out)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return float64(used.Microseconds()) / float64(n), nil
}

// requestAllocs is P8, as `mxrest bench` counts it.
func requestAllocs(ctx context.Context, t *table, program string) error {
	rep, err := benchJSON(ctx, program)
	if err != nil {
		return err
	}
	bare, write := rep.Row("request, bare handler"), rep.Row("request, POST /v1/write, Int32")
	if bare == nil || write == nil {
		return fmt.Errorf("mxrest bench has no such row")
	}
	t.row("P8", "allocations of a request over the wire, more than a bare handler's", write.Allocs-bare.Allocs, 4, false, "", fmt.Sprintf("%.2f and %.2f", write.Allocs, bare.Allocs))
	t.row("P8", "bytes allocated, more than a bare handler's", write.Bytes-bare.Bytes, 512, false, " B", fmt.Sprintf("%.0f and %.0f", write.Bytes, bare.Bytes))
	return nil
}

// benchJSON runs `mxrest bench --json`. That the gate fails is for the caller to see.
func benchJSON(ctx context.Context, program string) (*bench.Report, error) {
	out, err := exec.CommandContext(ctx, program, "bench", "--json").Output()
	var rep bench.Report
	if jerr := json.Unmarshal(out, &rep); jerr != nil {
		return nil, fmt.Errorf("mxrest bench: %w", err)
	}
	return &rep, nil
}
