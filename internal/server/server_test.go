package server

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// start runs a server with cfg on free ports and returns it with its base URL; it is stopped when the test ends.
func start(t *testing.T, cfg Config) (*Server, string) {
	t.Helper()
	cfg.Listen = "127.0.0.1:0"
	s, err := New(cfg)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, context.Background()) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Error("the server did not stop")
		}
	})
	return s, "http://" + s.Addr().String()
}

func TestServesOnAFreePort(t *testing.T) {
	_, url := start(t, Default())
	res, err := http.Get(url + "/healthz")
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	require.JSONEq(t, `{"status":"ok"}`, string(b))
}

func prefixes(nets ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, n := range nets {
		out = append(out, netip.MustParsePrefix(n))
	}
	return out
}

func TestAdminListener(t *testing.T) {
	cfg := Default()
	cfg.AdminListen = "127.0.0.1:0"
	cfg.APIKeys, _ = newKeyFile(t, "only")
	s, url := start(t, cfg)
	admin := "http://" + s.AdminAddr().String()
	for path, want := range map[string]string{"/metrics": "mxrest_build_info", "/healthz": "ok", "/readyz": "ready", "/debug/pprof/": "goroutine", "/debug/pprof/cmdline": ""} {
		res, body := call(t, "GET", admin+path, "")
		require.Equal(t, 200, res.StatusCode, path)
		require.Contains(t, body, want, path)
	}
	res, _ := call(t, "GET", admin+"/v1/layout", "")
	require.Equal(t, 404, res.StatusCode)
	res, _ = call(t, "POST", admin+"/metrics", "")
	require.Equal(t, 405, res.StatusCode)

	for _, p := range []string{"/debug/pprof/", "/debug/pprof/heap"} {
		res, _ := call(t, "GET", url+p, "")
		require.Equal(t, 404, res.StatusCode, p)
	}
}

func TestMetricsAreOnOneListenerOnly(t *testing.T) {
	_, url := start(t, Default())
	res, body := call(t, "GET", url+"/metrics", "")
	require.Equal(t, 200, res.StatusCode)
	require.Contains(t, body, "mxrest_build_info")
	cfg := Default()
	cfg.AdminListen = "127.0.0.1:0"
	_, url = start(t, cfg)
	res, body = call(t, "GET", url+"/metrics", "")
	require.Equal(t, 404, res.StatusCode)
	problem(t, res, body)
}

func TestTakenAddressIsOneLine(t *testing.T) {
	s, _ := start(t, Default())
	cfg := Default()
	cfg.Listen = s.Addr().String()
	_, err := New(cfg)
	require.ErrorContains(t, err, "--listen: ")
	require.NotContains(t, err.Error(), "\n")
	cfg.Listen, cfg.AdminListen = "127.0.0.1:0", s.Addr().String()
	_, err = New(cfg)
	require.ErrorContains(t, err, "--admin-listen: ")
}
