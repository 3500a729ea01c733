package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"mxrest/internal/auth"
)

func newParser(t *testing.T, c *cli) *kong.Kong {
	t.Helper()
	p, err := kong.New(c)
	require.NoError(t, err)
	return p
}

func TestKeyNew(t *testing.T) {
	code, stdout, _ := try(t, "key", "new", "plc-gateway")
	require.Equal(t, exitOK, code)
	require.Regexp(t, `^key:  mxr_\S{43}\nline: plc-gateway [0-9a-f]{64}\n$`, stdout)

	file := filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(file, []byte("# ours"), 0o600)) // no newline at the end
	var keys []string
	for _, name := range []string{"one", "two"} {
		code, stdout, stderr := try(t, "key", "new", name, "--file", file)
		require.Equal(t, exitOK, code, stderr)
		keys = append(keys, strings.TrimSpace(stdout))
	}
	k, err := auth.Load(file)
	require.NoError(t, err)
	require.Equal(t, 2, k.Len())
	for i, want := range []string{"one", "two"} {
		name, ok := k.Lookup(keys[i])
		require.True(t, ok)
		require.Equal(t, want, name)
	}

	code, stdout, stderr := try(t, "key", "new", "two", "--file", file)
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout, "no key is shown that the file does not hold")
	require.Contains(t, stderr, `the name "two" stands on line 3 already`)
	code, _, stderr = try(t, "key", "new", "two words")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "a key's name is")
}

func TestHealth(t *testing.T) {
	ready := true
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/readyz", http.StatusFound)
		case !ready:
			w.WriteHeader(503)
		}
	}))
	defer srv.Close()
	code, stdout, _ := try(t, "health", srv.URL+"/readyz")
	require.Equal(t, exitOK, code)
	require.Equal(t, "ready\n", stdout)

	code, _, stderr := try(t, "health", srv.URL+"/moved")
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "redirect")

	ready = false
	code, stdout, stderr = try(t, "health", srv.URL+"/readyz")
	require.Equal(t, exitFailed, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "not ready: "+srv.URL+"/readyz says 503")

	srv.Close()
	code, _, stderr = try(t, "health", srv.URL+"/readyz")
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "not ready: ")
	code, _, _ = try(t, "health", "ftp://x")
	require.Equal(t, exitUsage, code)
}

// A server that stops still has its page at /.
func TestHealthOfAnAddressAsksReadyz(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(503)
		}
	}))
	defer srv.Close()
	for _, u := range []string{srv.URL, srv.URL + "/"} {
		code, _, stderr := try(t, "health", u)
		require.Equal(t, exitFailed, code)
		require.Contains(t, stderr, srv.URL+"/readyz says 503")
	}
}

func TestHealthOverTLSOnLoopback(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer srv.Close()
	code, _, stderr := try(t, "health", srv.URL)
	require.Equal(t, exitOK, code, stderr)
}

func TestOwnURL(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "http://127.0.0.1:8080/readyz"},
		{map[string]string{"MXREST_LISTEN": ":9000"}, "http://127.0.0.1:9000/readyz"},
		{map[string]string{"MXREST_LISTEN": "0.0.0.0:9000", "MXREST_TLS_CERT": "c"}, "https://127.0.0.1:9000/readyz"},
		{map[string]string{"MXREST_LISTEN": "[::]:9000"}, "http://[::1]:9000/readyz"},
		{map[string]string{"MXREST_LISTEN": "192.0.2.1:9000"}, "http://192.0.2.1:9000/readyz"},
		{map[string]string{"MXREST_LISTEN": ":9000", "MXREST_TLS_CERT": "c", "MXREST_ADMIN_LISTEN": ":9090"}, "http://127.0.0.1:9090/readyz"},
	} {
		require.Equal(t, c.want, ownURL(func(k string) string { return c.env[k] }))
	}
}

// A negative number after a space is a value, as it is after an equals sign.
func TestNegativeNumbersAsValues(t *testing.T) {
	require.Equal(t, []string{"replay", "--value=-5", "--to=-.5", "-o", "--json", "x", "-1", "--a=b", "-2"},
		joinNegative([]string{"replay", "--value", "-5", "--to", "-.5", "-o", "--json", "x", "-1", "--a=b", "-2"}))
	body := "370100050036d702009b000a003eda000002fbffffffffff00000000000000000000000000000000"
	code, stdout, stderr := mxrest(t, body, "replay", "--type", "Int32", "--value", "-5", "--to", "-7", "--index", "-1", "--hex", "--form", "hex")
	require.Equal(t, exitOK, code, stderr)
	require.Equal(t, "370100050036d702009b000a003eda000002f9ffffffffff000000000000000000000000ffffffff\n", stdout)
}

func TestWhatIsNoCommandSaysSo(t *testing.T) {
	code, _, stderr := try(t, "encod")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "mxrest: there is no command \"encod\" (try 'mxrest --help')\n", stderr)
	code, _, stderr = try(t, "decode", "370100050036d702")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "if this is the body itself, pipe it in: echo 370100050036d702… | mxrest decode")
}
