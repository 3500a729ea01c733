package server

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"

	"mxrest/internal/handlers"
)

// call sends one request and gives the answer with its body read. headers are "Name: value".
func call(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(b)
}

// problem reads an error answer and checks what all of them have in common.
func problem(t *testing.T, res *http.Response, body string) handlers.Problem {
	t.Helper()
	require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"), body)
	var p handlers.Problem
	require.NoError(t, json.Unmarshal([]byte(body), &p), body)
	require.Equal(t, res.StatusCode, p.Status)
	require.NotEmpty(t, p.Title)
	require.NotEmpty(t, p.Detail)
	require.NotEmpty(t, p.Instance)
	require.Equal(t, p.Instance, res.Header.Get("X-Request-Id"))
	for _, word := range []string{"jsontext", "Go value", "Go struct", "codec.", "handlers.", "openapi3", "Schema:", "[0-9", "{40}", "goroutine", "interface {}"} {
		require.NotContains(t, body, word)
	}
	return p
}

func TestNotFoundAndMethod(t *testing.T) {
	_, url := start(t, Default())
	for _, path := range []string{"/nothing", "/v1", "/v1/layout/", "/V1/layout", "/v1/layout/x"} {
		res, body := call(t, "GET", url+path, "")
		require.Equal(t, 404, res.StatusCode, path)
		problem(t, res, body)
	}
	res, body := call(t, "DELETE", url+"/v1/layout", "")
	require.Equal(t, 405, res.StatusCode)
	require.Equal(t, "GET, HEAD", res.Header.Get("Allow"))
	problem(t, res, body)
	res, body = call(t, "OPTIONS", url+"/v1/layout", "")
	require.Equal(t, 405, res.StatusCode)
	problem(t, res, body)
	res, body = call(t, "BREW", url+"/v1/layout", "")
	require.Equal(t, 405, res.StatusCode)
	problem(t, res, body)
	res, body = call(t, "BREW", url+"/nothing", "")
	require.Equal(t, 404, res.StatusCode)
	problem(t, res, body)
}

func TestHeadWhereGetWorks(t *testing.T) {
	_, url := start(t, Default())
	for _, path := range []string{"/v1/layout", "/healthz", "/readyz", "/version", "/openapi.yaml", "/openapi.json"} {
		get, body := call(t, "GET", url+path, "")
		require.Equal(t, 200, get.StatusCode, path)
		head, none := call(t, "HEAD", url+path, "")
		require.Equal(t, 200, head.StatusCode, path)
		require.Empty(t, none)
		require.NotEmpty(t, body)
		require.Equal(t, get.Header.Get("Content-Length"), head.Header.Get("Content-Length"))
		require.Equal(t, get.Header.Get("Content-Type"), head.Header.Get("Content-Type"))
	}
}

func TestAcceptOfDocuments(t *testing.T) {
	_, url := start(t, Default())
	res, body := call(t, "GET", url+"/openapi.yaml", "", "Accept: application/json")
	require.Equal(t, 406, res.StatusCode)
	require.Contains(t, problem(t, res, body).Detail, "application/json: use GET /openapi.json.")
	res, body = call(t, "GET", url+"/v1/layout", "", "Accept: text/html")
	require.Equal(t, 406, res.StatusCode)
	require.Contains(t, problem(t, res, body).Detail, "GET /")
}

// What was nearly right says what would have been.
func TestErrorsNameTheNextTry(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		path, contentType, body string
		status                  int
		detail                  string
	}{
		{"/v1/write/", "application/json", cases.Base, 404, "There is nothing at this path. Without the slash at its end it is /v1/write."},
		{"/v1/write", "application/x-ndjson", cases.Base, 415, `Content-Type is "application/x-ndjson". Send application/json. application/x-ndjson is for POST /v1/write/batch.`},
		{"/v1/decode", "application/json; charset=utf-8", "{}", 415, `Content-Type is "application/json; charset=utf-8". Send application/octet-stream. application/json is for POST /v1/decode/text.`},
		{"/v1/handle", "application/x-ndjson", "{}", 415, `Content-Type is "application/x-ndjson". Send application/json.`},
		{"/v1/decode?objct=a", "application/octet-stream", "x", 400, `There is no query parameter "objct" here.`},
		{"/v1/decode?Object=a", "application/octet-stream", "x", 400, `There is no query parameter "Object" here.`},
		{"/v1/decode", "application/octet-stream", "\x39" + strings.Repeat("\x00", 39), 422, "opcode at offset 0: no known message of 40 bytes begins with 0x39. If it is a write of a plant whose layout is another: " +
			"POST /v1/layout/learn works the layout out, for --layout, and POST /v1/replay puts other values into the body as it is."},
		{"/v1/decode", "application/octet-stream", "\x01\x00\x00\x00\x37", 422, "opcode at offset 0: no known message of 5 bytes begins with 0x01. The bytes read as frames: POST /v1/decode/batch takes them."},
	} {
		res, body := call(t, "POST", url+c.path, c.body, "Content-Type: "+c.contentType)
		require.Equal(t, c.status, res.StatusCode, "%s %s", c.path, body)
		require.Equal(t, c.detail, problem(t, res, body).Detail)
	}
}
