//go:build !race

package server

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLeanAllocs(t *testing.T) {
	h := lean(slog.New(slog.DiscardHandler), func(*reply, *http.Request, time.Duration) {})(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	require.Zero(t, testing.AllocsPerRun(200, func() { h.ServeHTTP(w, r) }))
}
