//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mxrest/internal/bench"
	"mxrest/internal/codec"
)

// benchRuns is P11: two runs agree, a run is short, and other traffic does not notice.
func benchRuns(ctx context.Context, t *table, program string) error {
	began := time.Now()
	a, err := benchJSON(ctx, program)
	if err != nil {
		return err
	}
	took := time.Since(began)
	b, err := benchJSON(ctx, program)
	if err != nil {
		return err
	}
	worst, row := 0.0, ""
	for i := range a.Rows {
		if d := math.Abs(a.Rows[i].Allocs - b.Rows[i].Allocs); d >= worst {
			worst, row = d, a.Rows[i].Scenario
		}
	}
	t.row("P11", "two runs of the bench, largest difference in allocs/op", worst, 0.01, false, "", row)
	t.row("P11", "a run of the bench takes", took.Seconds(), 10, false, " s", "")

	p, err := startOurs(ctx, program)
	if err != nil {
		return err
	}
	defer p.stop()
	const window = 4 * time.Second
	if _, err := paced(ctx, p, time.Second); err != nil {
		return err
	}
	before, err := paced(ctx, p, window)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	var benchErr error
	wg.Go(func() {
		res, err := http.Get(p.url + "/bench")
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		benchErr = err
	})
	during, err := paced(ctx, p, window)
	wg.Wait()
	if err == nil {
		err = benchErr
	}
	if err != nil {
		return err
	}
	after, err := paced(ctx, p, window)
	if err != nil {
		return err
	}
	t.print("P11", "p99 of POST /v1/write at 500/s: before, during a run, after",
		fmt.Sprintf("%.2f %.2f %.2f", before, during, after), "unchanged", "ms; one client beside it on the same processors")
	return nil
}

// paced sends 500 requests a second, on time whatever the last one took, and gives the 99th percentile in ms.
func paced(ctx context.Context, p *process, d time.Duration) (float64, error) {
	const every = 2 * time.Millisecond
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	body := bench.Request(codec.Int32, "305419896")
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		took  []float64
		first error
	)
	next := time.Now()
	for end := next.Add(d); next.Before(end); next = next.Add(every) {
		time.Sleep(time.Until(next))
		due := next
		wg.Go(func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/v1/write", strings.NewReader(body))
			if err == nil {
				req.Header.Set("Content-Type", "application/json")
				var res *http.Response
				if res, err = client.Do(req); err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, float64(time.Since(due).Microseconds())/1000)
			if err != nil && first == nil {
				first = err
			}
		})
	}
	wg.Wait()
	slices.Sort(took)
	return took[len(took)*99/100], first
}
