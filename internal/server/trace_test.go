package server

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
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
		in := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			in, _ = gzip.NewReader(r.Body)
		}
		b, _ := io.ReadAll(in)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paths = append(c.paths, r.URL.Path+" "+r.Header.Get("Content-Type")+" "+r.Header.Get("Api-Key"))
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
	cfg := Default()
	cfg.Environ = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_EXPORTER_OTLP_HEADERS=api-key=a%20b,x=y", "OTEL_EXPORTER_OTLP_COMPRESSION=gzip"}
	cfg.AccessLog = 1
	r := run(t, cfg)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	res, _ := call(t, "POST", r.url+"/v1/write", cases.Base, jsonType, "Traceparent: 00-"+trace+"-b7ad6b7169203331-01")
	require.Equal(t, 200, res.StatusCode)
	call(t, "GET", r.url+"/healthz", "")
	r.stop() // sends what is not sent yet
	require.NoError(t, r.wait(t))
	paths, body := c.got()
	require.Equal(t, []string{"/v1/traces application/json a b"}, paths)
	require.Contains(t, body, "POST /v1/write")
	require.Contains(t, body, "mxrest")
	var got struct {
		ResourceSpans []struct {
			Resource   otlpAttributes
			ScopeSpans []otlpScope
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	require.Len(t, got.ResourceSpans, 1)
	require.Contains(t, got.ResourceSpans[0].Resource.Attributes, otlpKV{"service.name", map[string]any{"stringValue": "mxrest"}})
	span := got.ResourceSpans[0].ScopeSpans[0].Spans[0]
	require.Equal(t, "POST /v1/write", span.Name)
	require.Equal(t, trace, span.TraceID, "the caller's trace goes on")
	require.Equal(t, "b7ad6b7169203331", span.ParentSpanID)
	require.Len(t, span.SpanID, 16)
	require.Equal(t, 2, span.Kind, "a server's span")
	start, err := strconv.ParseInt(span.Start, 10, 64)
	require.NoError(t, err)
	end, err := strconv.ParseInt(span.End, 10, 64)
	require.NoError(t, err)
	require.InDelta(t, time.Now().UnixNano(), start, float64(time.Minute))
	require.GreaterOrEqual(t, end, start)
	require.Contains(t, span.Attributes, otlpKV{"http.response.status_code", map[string]any{"intValue": "200"}})
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
		"OTEL_EXPORTER_OTLP_ENDPOINT=collector":   "OTEL_EXPORTER_OTLP_ENDPOINT: want a URL",
		"OTEL_EXPORTER_OTLP_TIMEOUT=10s":          `OTEL_EXPORTER_OTLP_TIMEOUT "10s": want milliseconds`,
		"OTEL_EXPORTER_OTLP_HEADERS=secret":       "OTEL_EXPORTER_OTLP_HEADERS: want name=value pairs",
		"OTEL_EXPORTER_OTLP_COMPRESSION=zstd":     `OTEL_EXPORTER_OTLP_COMPRESSION "zstd"`,
		"OTEL_EXPORTER_OTLP_CERTIFICATE=/nowhere": "OTEL_EXPORTER_OTLP_CERTIFICATE: no certificate",
	} {
		cfg := Default()
		cfg.Environ = []string{env}
		cfg.Listen = "127.0.0.1:0"
		_, err := New(cfg)
		require.ErrorContains(t, err, want, env)
		require.NotContains(t, err.Error(), "\n")
		require.NotContains(t, err.Error(), "secret", "headers hold keys")
	}
}

// A collector that is away costs a warning, not a request.
func TestACollectorThatIsAway(t *testing.T) {
	cfg := Default()
	cfg.Environ = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT=200"}
	cfg.Logger = slog.New(slog.DiscardHandler)
	r := run(t, cfg)
	res, _ := call(t, "POST", r.url+"/v1/write", cases.Base, jsonType)
	require.Equal(t, 200, res.StatusCode)
	r.stop()
	before := time.Now()
	require.NoError(t, r.wait(t))
	require.Less(t, time.Since(before), 20*time.Second)
}

func TestWhereTracesGo(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "http://localhost:4318/v1/traces"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector:4318"}, "https://collector:4318/v1/traces"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector/base/"}, "http://collector/base/v1/traces"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector/as/it/is"}, "http://collector/as/it/is"},
	} {
		o, err := newOTLP(c.env)
		require.NoError(t, err)
		require.Equal(t, c.want, o.url)
	}
}
