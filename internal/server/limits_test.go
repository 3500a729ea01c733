package server

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

func TestCORSIsOffByDefault(t *testing.T) {
	_, url := start(t, Default())
	res, _ := call(t, "OPTIONS", url+"/v1/write", "", "Origin: https://hmi.example.com", "Access-Control-Request-Method: POST")
	require.Equal(t, 405, res.StatusCode)
	require.Empty(t, res.Header.Get("Access-Control-Allow-Origin"))
	res, _ = call(t, "POST", url+"/v1/write", cases.Base, jsonType, "Origin: https://hmi.example.com")
	require.Equal(t, 200, res.StatusCode)
	require.Empty(t, res.Header.Get("Access-Control-Allow-Origin"))
}

func TestCORS(t *testing.T) {
	cfg := Default()
	cfg.CORSOrigins = []string{"https://hmi.example.com"}
	cfg.APIKeys, _ = newKeyFile(t, "only") // a preflight carries no key and must pass all the same
	_, url := start(t, cfg)
	preflight := func(origin, headers string) *http.Response {
		res, _ := call(t, "OPTIONS", url+"/v1/write", "", "Origin: "+origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: "+headers)
		require.Equal(t, 200, res.StatusCode)
		return res
	}
	ok := preflight("https://hmi.example.com", "authorization,content-type,x-request-id")
	require.Equal(t, "https://hmi.example.com", ok.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", ok.Header.Get("Access-Control-Allow-Methods"))
	require.Equal(t, "600", ok.Header.Get("Access-Control-Max-Age"))
	require.Empty(t, ok.Header.Get("Access-Control-Allow-Credentials"))
	require.Contains(t, ok.Header.Values("Vary"), "Origin")
	for _, other := range []string{"https://evil.example.com", "http://hmi.example.com", "https://hmi.example.com.evil.org", "null"} {
		require.Empty(t, preflight(other, "content-type").Header.Get("Access-Control-Allow-Origin"), other)
	}
	require.Empty(t, preflight("https://hmi.example.com", "x-other").Header.Get("Access-Control-Allow-Origin"))

	res, body := call(t, "POST", url+"/v1/write", cases.Base, jsonType, "Origin: https://hmi.example.com")
	require.Equal(t, 401, res.StatusCode)
	require.Equal(t, "https://hmi.example.com", res.Header.Get("Access-Control-Allow-Origin"), "a page can read its own errors")
	require.Contains(t, res.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
	problem(t, res, body)
}

func TestRateLimitByKey(t *testing.T) {
	cfg := Default()
	path, keys := newKeyFile(t, "busy", "other")
	cfg.APIKeys, cfg.RateLimit, cfg.RateWindow = path, 3, time.Hour
	s, url := start(t, cfg)
	send := func(key string) (*http.Response, string) {
		return call(t, "GET", url+"/v1/layout", "", "Authorization: Bearer "+key)
	}
	for range 3 {
		res, _ := send(keys[0])
		require.Equal(t, 200, res.StatusCode)
	}
	res, body := send(keys[0])
	require.Equal(t, 429, res.StatusCode)
	require.Equal(t, "3600", res.Header.Get("Retry-After"))
	problem(t, res, body)
	res, _ = send(keys[1])
	require.Equal(t, 200, res.StatusCode, "another key has its own count")
	res, _ = call(t, "GET", url+"/readyz", "")
	require.Equal(t, 200, res.StatusCode, "probes are not counted")
	require.Contains(t, metricsOf(t, s), `mxrest_errors_total{kind="rate-limited"} 1`)
}

func TestRateLimitByAddressBelievesNoStranger(t *testing.T) {
	cfg := Default()
	cfg.RateLimit, cfg.RateWindow = 2, time.Hour
	_, url := start(t, cfg)
	var got []int
	for i := range 3 {
		res, _ := call(t, "GET", url+"/v1/layout", "", fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", i))
		got = append(got, res.StatusCode)
	}
	require.Equal(t, []int{200, 200, 429}, got)
}

func TestRateLimitByAddressBehindATrustedProxy(t *testing.T) {
	cfg := Default()
	cfg.RateLimit, cfg.RateWindow = 1, time.Hour
	cfg.TrustedProxies = prefixes("127.0.0.0/8")
	_, url := start(t, cfg)
	for i := range 3 {
		res, _ := call(t, "GET", url+"/v1/layout", "", fmt.Sprintf("X-Forwarded-For: 203.0.113.9, 192.0.2.%d", i))
		require.Equal(t, 200, res.StatusCode)
	}
	res, _ := call(t, "GET", url+"/v1/layout", "", "X-Forwarded-For: 192.0.2.1")
	require.Equal(t, 429, res.StatusCode)
}

// hold opens a write whose body never ends, and waits until it is being served.
func hold(t *testing.T, s *Server, headers string) {
	t.Helper()
	before := s.apiInFlight.Load()
	c := dial(t, s)
	fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%sContent-Length: 300\r\n\r\n{", headers)
	require.Eventually(t, func() bool { return s.apiInFlight.Load() == before+1 }, 10*time.Second, time.Millisecond)
}

func TestInFlightLimit(t *testing.T) {
	cfg := Default()
	cfg.MaxInFlight = 2
	s, url := start(t, cfg)
	hold(t, s, "")
	hold(t, s, "")
	for range 3 {
		res, body := call(t, "POST", url+"/v1/write", cases.Base, jsonType)
		require.Equal(t, 503, res.StatusCode)
		require.Equal(t, "1", res.Header.Get("Retry-After"))
		problem(t, res, body)
	}
	res, _ := call(t, "GET", url+"/healthz", "")
	require.Equal(t, 200, res.StatusCode, "probes are served beyond the limit")
	require.Contains(t, metricsOf(t, s), `mxrest_errors_total{kind="overloaded"} 3`)
	require.EqualValues(t, 2, s.apiInFlight.Load(), "those refused take no place")
}

func TestConnectionLimit(t *testing.T) {
	cfg := Default()
	cfg.MaxConnections = 3
	s, url := start(t, cfg)
	for range 3 {
		dial(t, s)
	}
	require.Eventually(t, func() bool { return s.metrics.Connections.Load() == 3 }, 10*time.Second, time.Millisecond)
	c := dial(t, s)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err := c.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, io.ErrNoProgress)
	require.EqualValues(t, 1, s.metrics.ConnectionsRefused.Load())
	_ = url
}

// Large bodies that do not end hold the budget; one more is refused, small ones are served.
func TestBodyMemoryRefusesWhatDoesNotFit(t *testing.T) {
	cfg := Default()
	cfg.Limits.Body, cfg.Limits.BatchReply = 1<<20, 1<<20
	cfg.BodyMemory = weightOthers << 20
	s, url := start(t, cfg)
	large := strings.Replace(cases.Base, "305419896", strings.Repeat(" ", 900<<10)+"305419896", 1)
	const most = 56 << 20
	for s.budget.Used() < most { // each holds what it sent until the server gives it up
		before := s.budget.Used()
		c := dial(t, s)
		fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{%s", 1<<20, strings.Repeat(" ", 1000<<10))
		require.Eventually(t, func() bool { return s.budget.Used() >= before+7<<20 }, 10*time.Second, time.Millisecond)
	}
	res, body := call(t, "POST", url+"/v1/write", large, jsonType)
	require.Equal(t, 503, res.StatusCode, body)
	require.Equal(t, "1", res.Header.Get("Retry-After"))
	problem(t, res, body)
	res, _ = call(t, "POST", url+"/v1/write", cases.Base, jsonType)
	require.Equal(t, 200, res.StatusCode, "small writes go on")
	require.Contains(t, metricsOf(t, s), "mxrest_body_memory_refused_total 1\n")
}

// A small request whose reply is large takes of the budget what it makes.
func TestALargeReplyToASmallRequestIsCharged(t *testing.T) {
	cfg := Default()
	cfg.Limits.Body, cfg.Limits.BatchReply = 64<<10, 1<<20
	cfg.BodyMemory = weightOthers * 64 << 10
	s, url := start(t, cfg)
	text := strings.Repeat("x", 5000)
	res, body := call(t, "POST", url+"/v1/write", strings.NewReplacer(`"Int32"`, `"String"`, "305419896", `"`+text+`"`).Replace(cases.Base), jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	replay := func(n int) (*http.Response, string) {
		return call(t, "POST", url+"/v1/replay", fmt.Sprintf(`{"capture":{"hex":"%x"},"type":"String","value":"%s","changes":[%s{"writeIndex":1}]}`,
			body, text, strings.Repeat(`{"writeIndex":1},`, n-1)), jsonType)
	}
	res, got := replay(10)
	require.Equal(t, 200, res.StatusCode, got)
	settled(t, s)
	require.Zero(t, s.budget.Used())
	require.True(t, s.budget.Take(cfg.BodyMemory-2<<20), "somebody else holds the most")
	res, got = replay(10)
	require.Equal(t, 503, res.StatusCode, got)
	problem(t, res, got)
}
