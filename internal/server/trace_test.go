package server

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// collector stands in for an OpenTelemetry collector.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	paths []string
	body  []byte
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paths = append(c.paths, r.URL.Path)
		c.body = append(c.body, b...)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) got() (paths []string, body string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paths, string(c.body)
}

func TestTraces(t *testing.T) {
	c := newCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	cfg := Default()
	cfg.Environ = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL}
	cfg.AccessLog = 1
	r := run(t, cfg)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	res, _ := call(t, "POST", r.url+"/v1/write", cases.Base, jsonType, "Traceparent: 00-"+trace+"-b7ad6b7169203331-01")
	require.Equal(t, 200, res.StatusCode)
	call(t, "GET", r.url+"/healthz", "")
	r.stop() // sends what is not sent yet
	require.NoError(t, r.wait(t))
	paths, body := c.got()
	require.Equal(t, []string{"/v1/traces"}, paths)
	require.Contains(t, body, "POST /v1/write")
	require.Contains(t, body, "mxrest")
	require.Contains(t, body, "\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c", "the caller's trace goes on")
	require.NotContains(t, body, "healthz", "probes have no spans")
	require.NotContains(t, body, "TestChildObject")
	require.Contains(t, r.log.String(), "trace_id="+trace)
}

func TestNoTracesWithoutOTEL(t *testing.T) {
	s, _ := bare(Default())
	for _, env := range [][]string{nil, {"PATH=/bin"}, {"OTEL_SDK_DISABLED=true", "OTEL_SERVICE_NAME=x"}, {"OTEL_TRACES_EXPORTER=none"}, {"OTEL_SERVICE_NAME="}} {
		tr, err := s.startTracing(env)
		require.NoError(t, err)
		require.Nil(t, tr, "%v", env)
	}
	next := http.NotFoundHandler()
	require.NotNil(t, s.trace(next))
}

func TestTracingSettingsThatCannotBe(t *testing.T) {
	for env, want := range map[string]string{
		"OTEL_TRACES_EXPORTER=zipkin":             `OTEL_TRACES_EXPORTER "zipkin"`,
		"OTEL_EXPORTER_OTLP_PROTOCOL=grpc":        `OTEL_EXPORTER_OTLP_PROTOCOL "grpc"`,
		"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc": "4318",
	} {
		cfg := Default()
		cfg.Environ = []string{env}
		cfg.Listen = "127.0.0.1:0"
		_, err := New(cfg)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// A collector that is away costs a warning, not a request.
func TestACollectorThatIsAway(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "200")
	cfg := Default()
	cfg.Environ = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"}
	cfg.Logger = slog.New(slog.DiscardHandler)
	r := run(t, cfg)
	res, _ := call(t, "POST", r.url+"/v1/write", cases.Base, jsonType)
	require.Equal(t, 200, res.StatusCode)
	r.stop()
	before := time.Now()
	require.NoError(t, r.wait(t))
	require.Less(t, time.Since(before), 20*time.Second)
}
