//go:build linux

// Command load measures the product over HTTP, as `make bench-http` promises: P7 to P11, each against a counterpart in the same run.
// It builds nothing: -mxrest names the program. It needs wrk (Debian package wrk) for P7.
//
// The server's CPU is its own process's user and system time, to the nanosecond, from /proc; so this runs on Linux only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	var (
		program = flag.String("mxrest", "./mxrest", "the program to measure")
		only    = flag.String("only", "P7,P8,P9,P10,P11", "which to measure")
		window  = flag.Duration("window", time.Second, "length of one window of P7")
		rounds  = flag.Int("rounds", 25, "rounds of A B B A of P7")
		bare    = flag.String("bare", "", "serve the counterparts on this address instead (for the program's own use)")
	)
	flag.Parse()
	if *bare != "" {
		serveBare(*bare)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := &table{}
	t.head()
	err := run(ctx, t, *program, *only, *window, *rounds)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
	if t.beyond > 0 {
		fmt.Printf("\n%d rows are beyond their reach.\n", t.beyond)
		os.Exit(1)
	}
}

func run(ctx context.Context, t *table, program, only string, window time.Duration, rounds int) error {
	for _, m := range []struct {
		name string
		run  func() error
	}{
		{"P7", func() error { return requestCPU(ctx, t, program, window, rounds) }},
		{"P8", func() error { return requestAllocs(ctx, t, program) }},
		{"P9", func() error { return batchRates(ctx, t, program) }},
		{"P10", func() error { return batchMemory(ctx, t, program) }},
		{"P11", func() error { return benchRuns(ctx, t, program) }},
	} {
		if !strings.Contains(","+only+",", ","+m.name+",") {
			continue
		}
		if err := m.run(); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// table prints rows as they come and counts those beyond their reach.
type table struct{ beyond int }

func (t *table) head() {
	t.print("", "what", "measured", "reach", "from")
	fmt.Println("|---|---|---:|---:|---|")
}

func (t *table) print(id, what, measured, reach, from string) {
	fmt.Printf("| %-3s | %-62s | %12s | %-12s | %s |\n", id, what, measured, reach, from)
}

// row judges a number by the most it may be; least turns that around.
func (t *table) row(id, what string, got, reach float64, least bool, unit, from string) {
	sign, mark := "<=", ""
	if least {
		sign = ">="
	}
	if least && got < reach || !least && got > reach {
		mark = " !"
		t.beyond++
	}
	t.print(id, what, fmt.Sprintf("%.4g%s%s", got, unit, mark), fmt.Sprintf("%s %.4g%s", sign, reach, unit), from)
}
