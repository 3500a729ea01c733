package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/budget"
	"mxrest/internal/handlers"
	"mxrest/internal/metrics"
)

// bare is a server without routes or listeners, for trying single steps. Its log goes to the buffer.
func bare(cfg Config) (*Server, *bytes.Buffer) {
	var logged bytes.Buffer
	s := &Server{cfg: cfg, log: slog.New(slog.NewTextHandler(&logged, nil)), metrics: metrics.New("", nil), budget: budget.New(cfg.BodyMemory)}
	s.table = &table{other: &route{metrics: s.metrics.Route("unmatched"), weight: 1}}
	return s, &logged
}

// settled waits until no request is being served: a reply of more than a buffer is with its reader before the server has done with the request.
func settled(t *testing.T, s *Server) {
	t.Helper()
	require.Eventually(t, func() bool { return s.metrics.InFlight.Load() == 0 }, 30*time.Second, time.Millisecond)
}

func metricsOf(t *testing.T, s *Server) string {
	t.Helper()
	rec := httptest.NewRecorder()
	s.metrics.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, rec.Code)
	return rec.Body.String()
}

func TestLeanTurnsAPanicIntoOneProblem(t *testing.T) {
	s, logged := bare(Default())
	h := s.lean(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("our own words") }))
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/v1/write", nil)
	r.Header.Set(handlers.RequestIDHeader, "mine")
	h.ServeHTTP(rec, r)
	require.Equal(t, 500, rec.Code)
	var p handlers.Problem
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &p))
	require.Equal(t, "mine", p.Instance)
	require.NotContains(t, rec.Body.String(), "our own words")
	require.Contains(t, logged.String(), "our own words")
	require.Contains(t, logged.String(), "lean_test.go", "the stack")
	require.Contains(t, logged.String(), "request_id=mine")
	got := metricsOf(t, s)
	require.Contains(t, got, "mxrest_panics_total 1\n")
	require.Contains(t, got, `mxrest_errors_total{kind="internal"} 1`)
	require.Contains(t, got, `mxrest_http_requests_total{code="500",method="POST",route="unmatched"} 1`)
	require.Contains(t, got, "mxrest_http_in_flight 0\n")
}

func TestLeanLogsOnlyTheTypeOfAForeignPanic(t *testing.T) {
	s, logged := bare(Default())
	s.lean(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(errors.New("somebody's value")) })).
		ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	require.NotContains(t, logged.String(), "somebody's value")
	require.Contains(t, logged.String(), "errorString")
}

func TestLeanCutsAHalfWrittenReply(t *testing.T) {
	s, _ := bare(Default())
	h := s.lean(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		panic("late")
	}))
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	})
	require.Contains(t, metricsOf(t, s), "mxrest_panics_total 1\n")
}

func TestLeanRequestID(t *testing.T) {
	s, _ := bare(Default())
	h := s.lean(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	for sent, want := range map[string]string{"": "", "a-1": "a-1", "bad id": "", "<x>": "", strings.Repeat("a", 129): ""} {
		rec := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		if sent != "" {
			r.Header.Set(handlers.RequestIDHeader, sent)
		}
		h.ServeHTTP(rec, r)
		require.Equal(t, want, rec.Header().Get(handlers.RequestIDHeader))
	}
}

func TestLeanCountsBytes(t *testing.T) {
	s, _ := bare(Default())
	h := s.lean(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		_, _ = w.Write(b[:2])
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader("12345")))
	got := metricsOf(t, s)
	require.Contains(t, got, `mxrest_http_request_bytes_total{method="POST",route="unmatched"} 5`)
	require.Contains(t, got, `mxrest_http_response_bytes_total{method="POST",route="unmatched"} 2`)
}

func TestLargeBodiesAreChargedAndGivenBack(t *testing.T) {
	cfg := Default()
	cfg.BodyMemory = 1 << 20
	s, _ := bare(cfg)
	var used int64
	var failed error
	h := s.lean(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, failed = io.Copy(io.Discard, struct{ io.Reader }{r.Body})
		used = s.budget.Used()
		if p := (*handlers.Problem)(nil); errors.As(failed, &p) {
			handlers.WriteProblem(w, r, p)
		}
	}))
	send := func(n int, chunked bool) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("x", n)))
		if chunked {
			r.ContentLength = -1
		}
		used, failed = 0, nil
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		require.Zero(t, s.budget.Used(), "all is given back")
		return rec
	}
	require.Equal(t, 200, send(freeMemory, false).Code)
	require.Zero(t, used, "small bodies are free")
	require.Equal(t, 200, send(1<<20, false).Code)
	require.GreaterOrEqual(t, used, int64(1<<20-freeMemory))
	require.Equal(t, 200, send(512<<10, true).Code)
	require.GreaterOrEqual(t, used, int64(512<<10-freeMemory))

	for _, chunked := range []bool{false, true} {
		rec := send(2<<20, chunked)
		require.Equal(t, 503, rec.Code)
		require.Equal(t, "1", rec.Header().Get("Retry-After"))
	}
}
