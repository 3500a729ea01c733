package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// lines gives the access log's lines.
func lines(t *testing.T, log string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, l := range strings.Split(strings.TrimSpace(log), "\n") {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(l), &m), l)
		if m["msg"] == "request" {
			out = append(out, m)
		}
	}
	return out
}

func logged(t *testing.T, cfg Config) (string, *lockedBuffer) {
	t.Helper()
	log := &lockedBuffer{}
	cfg.Logger = slog.New(slog.NewJSONHandler(log, nil))
	_, url := start(t, cfg)
	return url, log
}

func TestAccessLogOfEachRequest(t *testing.T) {
	cfg := Default()
	cfg.AccessLog = 1
	path, keys := newKeyFile(t, "plc-gateway")
	cfg.APIKeys = path
	url, log := logged(t, cfg)
	res, _ := call(t, "POST", url+"/v1/write", cases.Base, jsonType, "Authorization: Bearer "+keys[0], "X-Request-Id: mine")
	require.Equal(t, 200, res.StatusCode)
	res, _ = call(t, "POST", url+"/v1/write", cases.Base, jsonType, "Authorization: Bearer "+keys[0])
	require.Equal(t, 200, res.StatusCode)
	made := res.Header.Get("X-Request-Id")
	require.NotEmpty(t, made, "a request that is logged has an id to find it by")
	res, _ = call(t, "GET", url+"/secret-path?secret=query", "", "Authorization: Bearer "+keys[0])
	require.Equal(t, 404, res.StatusCode)
	res, _ = call(t, "SECRET", url+"/v1/write", "", "Authorization: Bearer mxr_secret")
	require.Equal(t, 401, res.StatusCode)

	got := lines(t, log.String())
	require.Len(t, got, 4)
	first := got[0]
	require.Equal(t, "mine", first["request_id"])
	require.Equal(t, "POST", first["method"])
	require.Equal(t, "/v1/write", first["route"])
	require.EqualValues(t, 200, first["status"])
	require.EqualValues(t, len(cases.Base), first["bytes_in"])
	require.EqualValues(t, 40, first["bytes_out"])
	require.Equal(t, "127.0.0.1", first["client"])
	require.Equal(t, "plc-gateway", first["key"])
	require.Equal(t, made, got[1]["request_id"])
	require.Equal(t, "unmatched", got[2]["route"])
	require.Equal(t, "not-found", got[2]["problem"])
	require.Equal(t, "other", got[3]["method"])
	require.Equal(t, "unauthorized", got[3]["problem"])
	for _, secret := range []string{"secret", "SECRET", keys[0], "TestChildObject", "305419896", "mxr_"} {
		require.NotContains(t, log.String(), secret, "no paths, queries, keys, names or values in the log")
	}
}

func TestAccessLogIsOffByDefault(t *testing.T) {
	url, log := logged(t, Default())
	for _, body := range []string{cases.Base, "{"} {
		call(t, "POST", url+"/v1/write", body, jsonType)
	}
	require.Empty(t, lines(t, log.String()))
}

func TestAccessLogSampled(t *testing.T) {
	cfg := Default()
	cfg.AccessLog = 10
	url, log := logged(t, cfg)
	for range 30 {
		res, _ := call(t, "POST", url+"/v1/write", cases.Base, jsonType)
		require.Equal(t, 200, res.StatusCode)
	}
	require.Len(t, lines(t, log.String()), 3, "one in ten of a hot route")
	call(t, "GET", url+"/version", "")
	call(t, "GET", url+"/nothing", "")
	require.Len(t, lines(t, log.String()), 5, "each of the others")
}

func TestAFailureIsLoggedHoweverSampled(t *testing.T) {
	cfg := Default()
	cfg.AccessLog = 1_000_000
	s, logged := bare(cfg)
	s.log = slog.New(slog.NewJSONHandler(logged, nil))
	s.table.other.hot = true
	s.lean(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { plain(w, 503, "") })).ServeHTTP(discard{}, request("GET", "/"))
	got := lines(t, logged.String())
	require.Len(t, got, 1)
	require.Equal(t, "ERROR", got[0]["level"])
}

// discard is a ResponseWriter for nobody.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func request(method, path string) *http.Request {
	r, err := http.NewRequest(method, path, &bytes.Buffer{})
	if err != nil {
		panic(err)
	}
	r.RemoteAddr = "192.0.2.1:1"
	return r
}
