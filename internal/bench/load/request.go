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
	"slices"
	"strconv"
	"time"

	"mxrest/internal/bench"
	"mxrest/internal/codec"
)

const connections = 64

// requestCPU is P7: the server's CPU a request with everything on, saturated, against the bare handler. Windows of wrk in the order
// A B B A; the same handler in both outer windows gives the A/A line, and only rounds in which that is sound are judged.
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
	var ratios, aas []float64
	var cpuOurs, cpuBare float64
	judged := 0
	for range 3 * rounds {
		var us [4]float64
		for i, p := range []*process{ours, bare, bare, ours} {
			if us[i], err = wrk(ctx, p, script, window); err != nil {
				return err
			}
		}
		aa, bb := us[0]/us[3], us[1]/us[2]
		aas = append(aas, aa)
		if aa < 0.95 || aa > 1.05 || bb < 0.95 || bb > 1.05 {
			continue
		}
		ratios = append(ratios, (us[0]+us[3])/(us[1]+us[2]))
		cpuOurs, cpuBare = (us[0]+us[3])/2, (us[1]+us[2])/2
		if judged++; judged == rounds {
			break
		}
	}
	slices.Sort(aas)
	t.print("P7", "A/A: the same server in two windows of a round", fmt.Sprintf("%.3f..%.3f", aas[0], aas[len(aas)-1]), "0.95..1.05", fmt.Sprintf("%d of %d rounds judged", judged, len(aas)))
	if judged == 0 {
		t.beyond++
		t.print("P7", "server CPU a request, against a bare handler", "too noisy", "<= 1.15", "no round had A/A within 0.95..1.05")
		return nil
	}
	slices.Sort(ratios)
	t.row("P7", "server CPU a request, everything on, against a bare handler", ratios[len(ratios)/2], 1.15, false, "x",
		fmt.Sprintf("%.1f and %.1f µs, %d connections, %d windows of %v", cpuOurs, cpuBare, connections, 4*judged, window))
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
