package server

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"mxrest/internal/auth"
	"mxrest/internal/cases"
)

// newKeyFile makes a key file with the names given and returns the keys.
func newKeyFile(t *testing.T, names ...string) (path string, keys []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "keys")
	keys = writeKeys(t, path, names...)
	return path, keys
}

func writeKeys(t *testing.T, path string, names ...string) (keys []string) {
	t.Helper()
	var text strings.Builder
	for _, n := range names {
		key, line, err := auth.New(n)
		require.NoError(t, err)
		keys = append(keys, key)
		fmt.Fprintln(&text, line)
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return keys
}

func TestKeys(t *testing.T) {
	cfg := Default()
	path, keys := newKeyFile(t, "first", "second")
	cfg.APIKeys = path
	s, url := start(t, cfg)
	for _, key := range keys {
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
			res, body := call(t, "POST", url+"/v1/write", cases.Base, jsonType, "Authorization: "+scheme+key)
			require.Equal(t, 200, res.StatusCode, body)
		}
	}
	for _, c := range []struct {
		name      string
		headers   []string
		challenge string
	}{
		{"none", nil, `Bearer realm="mxrest"`},
		{"wrong", []string{"Authorization: Bearer mxr_wrong"}, `Bearer realm="mxrest", error="invalid_token"`},
		{"cut short", []string{"Authorization: Bearer " + keys[0][:46]}, `Bearer realm="mxrest", error="invalid_token"`},
		{"basic", []string{"Authorization: Basic " + keys[0]}, `Bearer realm="mxrest", error="invalid_request"`},
		{"without the scheme", []string{"Authorization: " + keys[0]}, `Bearer realm="mxrest", error="invalid_request"`},
		{"empty", []string{"Authorization: Bearer "}, `Bearer realm="mxrest", error="invalid_request"`},
		{"two", []string{"Authorization: Bearer " + keys[0], "Authorization: Bearer " + keys[0]}, `Bearer realm="mxrest", error="invalid_request"`},
		{"long", []string{"Authorization: Bearer " + strings.Repeat("x", 8000)}, `Bearer realm="mxrest", error="invalid_token"`},
	} {
		res, body := call(t, "POST", url+"/v1/write", cases.Base, append(c.headers, jsonType)...)
		require.Equal(t, 401, res.StatusCode, c.name)
		require.Equal(t, c.challenge, res.Header.Get("WWW-Authenticate"), c.name)
		p := problem(t, res, body)
		require.NotContains(t, body, "mxr_", "a key is never sent back")
		require.Equal(t, "A valid API key is needed", p.Title)
	}
	require.Contains(t, metricsOf(t, s), `mxrest_errors_total{kind="unauthorized"} 8`)
}

// Each route of the router is either on the list of open ones or answers 401: a new operation is guarded without anybody thinking of it.
func TestEveryRouteIsGuardedOrListedAsOpen(t *testing.T) {
	open := map[string]bool{"/": true, "/healthz": true, "/readyz": true, "/openapi.yaml": true, "/openapi.json": true,
		"/docs": true, "/docs/*": true, "/assets/*": true, "/favicon.ico": true}
	cfg := Default()
	cfg.APIKeys, _ = newKeyFile(t, "only")
	s, url := start(t, cfg)
	r, err := s.routes()
	require.NoError(t, err)
	seen := 0
	err = chi.Walk(r, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if open[pattern] {
			require.False(t, guarded(strings.TrimSuffix(pattern, "*")), pattern)
			return nil
		}
		seen++
		res, _ := call(t, method, url+strings.Replace(pattern, "*", "x", 1), "")
		require.Equal(t, 401, res.StatusCode, "%s %s", method, pattern)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, seen, 5)
	for path := range open {
		res, _ := call(t, "GET", url+strings.TrimSuffix(path, "*"), "")
		require.NotEqual(t, 401, res.StatusCode, path)
	}
}

// The answer to a caller without a key comes although the announced body never does.
func TestUnauthorizedIsAnsweredBeforeTheBodyIsRead(t *testing.T) {
	cfg := Default()
	cfg.APIKeys, _ = newKeyFile(t, "only")
	s, _ := start(t, cfg)
	for _, framing := range []string{"Content-Length: 300", "Content-Length: 3000000", "Transfer-Encoding: chunked", "Content-Length: 300\r\nExpect: 100-continue"} {
		c := dial(t, s)
		fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s\r\n\r\n", framing)
		require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err, framing)
		require.Equal(t, 401, res.StatusCode, framing)
		require.True(t, res.Close, framing)
	}
}

func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestKeysAreReloaded(t *testing.T) {
	cfg := Default()
	path, old := newKeyFile(t, "old")
	cfg.APIKeys = path
	s, url := start(t, cfg)
	status := func(key string) int {
		res, _ := call(t, "GET", url+"/v1/layout", "", "Authorization: Bearer "+key)
		return res.StatusCode
	}
	require.Equal(t, 200, status(old[0]))
	fresh := writeKeys(t, path, "new")
	s.Reload()
	require.Eventually(t, func() bool { return status(fresh[0]) == 200 }, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, 401, status(old[0]))

	require.NoError(t, os.WriteFile(path, []byte("not a key file"), 0o600))
	s.Reload()
	require.Eventually(t, func() bool {
		return strings.Contains(metricsOf(t, s), `mxrest_reloads_total{result="failed",what="keys"} 1`)
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, 200, status(fresh[0]), "a broken file changes nothing")

	require.NoError(t, os.WriteFile(path, []byte("# taken away\n"), 0o600))
	s.Reload()
	require.Eventually(t, func() bool { return status(fresh[0]) == 401 }, 10*time.Second, 5*time.Millisecond, "the last key can be taken away")
}

func TestReloadableSeesAChange(t *testing.T) {
	path, _ := newKeyFile(t, "old")
	loads := 0
	r := &reloadable{what: "keys", files: []string{path}, load: func() error { loads++; return nil }}
	require.NoError(t, r.first())
	require.False(t, r.changed())
	require.NoError(t, os.WriteFile(path, []byte("something longer than before, so that the size tells"), 0o600))
	require.True(t, r.changed())
	require.NoError(t, os.Remove(path))
	require.True(t, r.changed())
	s, _ := bare(Default())
	s.reload(r)
	require.Equal(t, 2, loads)
	require.False(t, r.changed())
}
