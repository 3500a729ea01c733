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

// sink is a ResponseWriter that keeps nothing and allocates nothing.
type sink struct {
	h http.Header
	n int
}

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) Write(b []byte) (int, error) { s.n += len(b); return len(b), nil }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Flush()                      {}

// again is a body that can be read again and again.
type again struct{ strings.Reader }

func (*again) Close() error { return nil }

// TestWriteAllocs counts what the product itself adds to a request: the router's two, for the context that it puts into the request.
func TestWriteAllocs(t *testing.T) {
	s, _ := start(t, Default())
	h := s.http.Handler
	body := &again{}
	r, err := http.NewRequest(http.MethodPost, "/v1/write", nil)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = body, int64(len(cases.Base))
	w := &sink{h: http.Header{}}
	allocs := testing.AllocsPerRun(500, func() {
		body.Reset(cases.Base)
		h.ServeHTTP(w, r)
	})
	require.Equal(t, 40, w.n/501)
	require.LessOrEqual(t, allocs, 3.0)
}

func BenchmarkWriteHandler(b *testing.B) {
	s, err := New(func() Config { c := Default(); c.Listen = "127.0.0.1:0"; return c }())
	require.NoError(b, err)
	defer s.ln.Close()
	h := s.http.Handler
	body := &again{}
	r, _ := http.NewRequest(http.MethodPost, "/v1/write", nil)
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = body, int64(len(cases.Base))
	w := &sink{h: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		body.Reset(cases.Base)
		h.ServeHTTP(w, r)
	}
	_, _ = io.Discard.Write(nil)
}
