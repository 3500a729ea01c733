package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/handlers"
)

func TestLeanTurnsAPanicIntoOneProblem(t *testing.T) {
	var logged bytes.Buffer
	var seen reply
	h := lean(slog.New(slog.NewTextHandler(&logged, nil)), func(w *reply, _ *http.Request, _ time.Duration) { seen = *w })(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret cause") }))
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/v1/write", nil)
	r.Header.Set(handlers.RequestIDHeader, "mine")
	h.ServeHTTP(rec, r)
	require.Equal(t, 500, rec.Code)
	var p handlers.Problem
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &p))
	require.Equal(t, "mine", p.Instance)
	require.NotContains(t, rec.Body.String(), "secret")
	require.Contains(t, logged.String(), "secret cause")
	require.Contains(t, logged.String(), "lean_test.go", "the stack")
	require.Contains(t, logged.String(), "request=mine")
	require.Equal(t, 500, seen.status)
	require.Equal(t, handlers.KindInternal, seen.problem)
	require.True(t, seen.panicked)
}

func TestLeanCutsAHalfWrittenReply(t *testing.T) {
	h := lean(slog.New(slog.DiscardHandler), nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		panic("late")
	}))
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	})
}

func TestLeanRequestID(t *testing.T) {
	h := lean(slog.New(slog.DiscardHandler), nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	for sent, want := range map[string]string{"": "", "a-1": "a-1", "bad id": "", "<x>": ""} {
		rec := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		if sent != "" {
			r.Header.Set(handlers.RequestIDHeader, sent)
		}
		h.ServeHTTP(rec, r)
		require.Equal(t, want, rec.Header().Get(handlers.RequestIDHeader))
	}
}
