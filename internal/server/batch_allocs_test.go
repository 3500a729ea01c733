//go:build !race

package server

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// batchOf is a batch of n small writes in one of the two forms.
func batchOf(n int, contentType string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = cases.Write("Int32", "305419896")
	}
	if contentType == "application/json" {
		return "[" + strings.Join(items, ",") + "]"
	}
	return strings.Join(items, "\n")
}

// TestBatchAllocs: a batch allocates by the batch, not by the item.
func TestBatchAllocs(t *testing.T) {
	s, _ := start(t, Default())
	h := s.http.Handler
	const n = 10_000
	for _, contentType := range []string{"application/json", "application/x-ndjson"} {
		text := batchOf(n, contentType)
		for _, c := range []struct{ path, accept string }{
			{"/v1/write/batch", ""}, {"/v1/write/batch/results", ""}, {"/v1/write/batch/results", "application/x-ndjson"},
		} {
			body := &again{}
			r, err := http.NewRequest(http.MethodPost, c.path, body)
			require.NoError(t, err)
			r.Header.Set("Content-Type", contentType)
			if c.accept != "" {
				r.Header.Set("Accept", c.accept)
			}
			w := &sink{h: http.Header{}}
			allocs := testing.AllocsPerRun(3, func() {
				body.Reset(text)
				r.Body, r.ContentLength = body, int64(len(text))
				h.ServeHTTP(w, r)
			})
			require.Greater(t, w.n, 4*44*n-1)
			require.LessOrEqual(t, allocs/n, 0.02, "%s %s %s", contentType, c.path, c.accept)
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	s, err := New(func() Config { c := Default(); c.Listen = "127.0.0.1:0"; return c }())
	require.NoError(b, err)
	defer s.ln.Close()
	const n = 10_000
	for _, contentType := range []string{"application/json", "application/x-ndjson"} {
		text := batchOf(n, contentType)
		b.Run(contentType, func(b *testing.B) {
			body := &again{}
			r, _ := http.NewRequest(http.MethodPost, "/v1/write/batch", body)
			r.Header.Set("Content-Type", contentType)
			w := &sink{h: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(text)
				r.Body, r.ContentLength = body, int64(len(text))
				s.http.Handler.ServeHTTP(w, r)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/write")
		})
	}
	b.Run("read and discard", func(b *testing.B) {
		text := batchOf(n, "application/x-ndjson")
		body := &again{}
		for b.Loop() {
			body.Reset(text)
			_, _ = io.Copy(io.Discard, struct{ io.Reader }{body})
		}
	})
}
