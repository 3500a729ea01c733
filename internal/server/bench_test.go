package server

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
)

// The tests' own file is the child that counts for GET /bench.
func TestMain(m *testing.M) {
	bench.ChildMain("test", func() (*http.Server, error) { return NewHTTP(Default()) })
	os.Exit(m.Run())
}

// A server that stops does not wait for the child, and says so to who does.
func TestBenchStops(t *testing.T) {
	s, url := start(t, Default())
	go func() {
		time.Sleep(50 * time.Millisecond)
		s.bench.Close()
	}()
	res, body := call(t, "GET", url+"/bench", "")
	if res.StatusCode == 200 {
		t.Fatal("a run ended within 50 ms")
	}
	require.Equal(t, 503, res.StatusCode, body)
	assert.NotEmpty(t, res.Header.Get("Retry-After"))
	p := problem(t, res, body)
	assert.Equal(t, "The benchmark did not run to its end: it was called off.", p.Detail)
}
