package metrics

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func scrape(t *testing.T, m *Set) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	b, err := io.ReadAll(w.Result().Body)
	require.NoError(t, err)
	return string(b)
}

func TestSeries(t *testing.T) {
	m := New("1.2.3", []string{"Boolean", "Int32"})
	r := m.Route("/v1/write")
	r.Done("POST", 200, 250, 40, 80*time.Microsecond)
	r.Done("POST", 200, 250, 40, 80*time.Microsecond)
	r.Done("POST", 422, 10, 300, time.Millisecond)
	r.Done("BREW", 9999, 0, 0, 0)
	m.Writes(1, 2)
	m.Writes(7, 2) // no such type: not counted, no panic
	m.Error("too-large")
	m.Reload("keys", nil)
	m.Reload("keys", errors.New("no"))
	m.WatchPool(func() uint64 { return 5 }, func() uint64 { return 4 }, func() uint64 { return 1 }, func() uint64 { return 2 })
	m.WatchBudget(func() int64 { return 100 }, func() int64 { return 7 }, func() uint64 { return 3 })
	m.InFlight.Add(2)
	m.Panics.Add(1)
	got := scrape(t, m)
	for _, line := range []string{
		`mxrest_http_requests_total{code="200",method="POST",route="/v1/write"} 2`,
		`mxrest_http_requests_total{code="422",method="POST",route="/v1/write"} 1`,
		`mxrest_http_requests_total{code="0",method="other",route="/v1/write"} 1`,
		`mxrest_http_request_bytes_total{method="POST",route="/v1/write"} 510`,
		`mxrest_http_response_bytes_total{method="POST",route="/v1/write"} 380`,
		`mxrest_http_request_duration_seconds_bucket{method="POST",route="/v1/write",le="0.0001"} 2`,
		`mxrest_http_request_duration_seconds_count{method="POST",route="/v1/write"} 3`,
		`mxrest_writes_encoded_total{type="Boolean"} 0`,
		`mxrest_writes_encoded_total{type="Int32"} 2`,
		`mxrest_errors_total{kind="too-large"} 1`,
		`mxrest_reloads_total{result="failed",what="keys"} 1`,
		`mxrest_pool_gets_total 5`, `mxrest_pool_puts_total 4`, `mxrest_pool_drops_total 1`,
		`mxrest_body_memory_used_bytes 7`,
		`mxrest_http_in_flight 2`,
		`mxrest_panics_total 1`,
		`version="1.2.3"`,
	} {
		require.Contains(t, got, line)
	}
}

func TestDoneFromManyGoroutines(t *testing.T) {
	m := New("", nil)
	r := m.Route("/")
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 100 {
				r.Done("GET", 200, 1, 1, time.Microsecond)
			}
		})
	}
	wg.Wait()
	require.Contains(t, scrape(t, m), `mxrest_http_requests_total{code="200",method="GET",route="/"} 6400`)
}

func TestNilSetCountsNothing(t *testing.T) {
	var m *Set
	m.Writes(0, 1)
	m.Error("x")
	m.Reload("keys", nil)
}

// List is complete: every name of ours that is served is in it.
func TestListIsComplete(t *testing.T) {
	m := New("1", []string{"Boolean"})
	m.WatchPool(zero, zero, zero, zero)
	m.WatchBudget(func() int64 { return 0 }, func() int64 { return 0 }, zero)
	m.Route("/").Done("GET", 200, 1, 1, 0)
	m.Error("syntax")
	m.Reload("keys", nil)
	listed := map[string]string{}
	for _, d := range m.List() {
		listed[d.Name] = d.Type
		require.NotEmpty(t, d.Help)
	}
	served := 0
	for _, l := range strings.Split(scrape(t, m), "\n") {
		name, kind, _ := strings.Cut(strings.TrimPrefix(l, "# TYPE "), " ")
		if strings.HasPrefix(l, "# TYPE mxrest_") {
			served++
			require.Equal(t, kind, listed[name], name)
		}
	}
	require.Len(t, listed, served)
}

func zero() uint64 { return 0 }
