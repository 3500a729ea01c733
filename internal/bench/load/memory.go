//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const mib = 1 << 20

// batchMemory is P10: what large batches make the server allocate, and hold at once.
func batchMemory(ctx context.Context, t *table, program string) error {
	if err := peak(ctx, t, program, 100_000, "/v1/write/batch", "", func(reply int64) float64 { return 1.5*float64(reply)/mib + 4 },
		"octet-stream reply of 100000, peak over idle"); err != nil {
		return err
	}
	return peak(ctx, t, program, 1_000_000, "/v1/write/batch/results", "Accept: application/x-ndjson\r\n", func(int64) float64 { return 4 },
		"NDJSON reply of 1000000, peak over idle")
}

// peak sends one batch to a new server and says by how much it grew, and what it allocated.
func peak(ctx context.Context, t *table, program string, count int, path, accept string, reach func(reply int64) float64, what string) error {
	p, err := startOurs(ctx, program)
	if err != nil {
		return err
	}
	defer p.stop()
	body, reply := lines(count, false), int64(0)
	send := func() error { // each time over a connection of its own: a long batch whose reply is streamed costs it
		s, err := dial(p, path, "application/x-ndjson", body, accept)
		if err != nil {
			return err
		}
		defer s.conn.Close()
		err = s.send()
		reply = s.bytes
		return err
	}
	small, err := dial(p, path, "application/x-ndjson", lines(10, false), accept)
	if err != nil {
		return err
	}
	defer small.conn.Close()
	for range 100 { // idle, but not fresh
		if err := small.send(); err != nil {
			return err
		}
	}
	if err := p.forgetPeak(); err != nil {
		return err
	}
	idle, err := p.status("VmRSS")
	if err != nil {
		return err
	}
	if err := send(); err != nil {
		return err
	}
	high, err := p.status("VmHWM")
	if err != nil {
		return err
	}
	mallocs, err := p.mallocs()
	if err != nil {
		return err
	}
	batches := max(1, 3_000_000/count) // so many that what asking costs does not show
	for range batches {
		if err := send(); err != nil {
			return err
		}
	}
	after, err := p.mallocs()
	if err != nil {
		return err
	}
	t.row("P10", what, float64(high-idle)/mib, reach(reply), false, " MiB", fmt.Sprintf("idle %.1f MiB, reply %.1f MiB", float64(idle)/mib, float64(reply)/mib))
	t.row("P10", fmt.Sprintf("allocations a write, the same batch of %d", count), (after-mallocs)/float64(batches*count), 0.02, false, "", "/metrics")
	return nil
}

// mallocs is how many objects the server has allocated, by its own metrics; asking costs a few thousand of them.
func (p *process) mallocs() (float64, error) {
	res, err := http.Get(p.url + "/metrics")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if v, ok := strings.CutPrefix(string(line), "go_memstats_mallocs_total "); ok {
			return strconv.ParseFloat(strings.TrimSpace(v), 64)
		}
	}
	return 0, fmt.Errorf("/metrics has no go_memstats_mallocs_total")
}
