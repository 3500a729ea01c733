package server

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/api"
	"mxrest/internal/cases"
	"mxrest/internal/handlers"
)

const jsonType = "Content-Type: application/json"

// TestCasesOverHTTP holds every case against /v1/write: the octets and their length, or the refusal.
func TestCasesOverHTTP(t *testing.T) {
	for _, full := range []bool{false, true} {
		cfg := Default()
		cfg.ValidateFull = full
		_, url := start(t, cfg)
		for _, c := range cases.All() {
			name := c.Name
			if full {
				name += " (validate=full)"
			}
			res, body := call(t, "POST", url+"/v1/write", c.JSON, jsonType)
			if !assert.Equal(t, c.Status, res.StatusCode, "%s: %s", name, clipped(body)) {
				continue
			}
			if c.Hex != "" {
				assert.Equal(t, "application/octet-stream", res.Header.Get("Content-Type"), name)
				assert.Equal(t, int64(len(c.Hex)/2), res.ContentLength, name)
				assert.Equal(t, c.Hex, hex.EncodeToString([]byte(body)), name)
				continue
			}
			p := problem(t, res, body)
			require.NotEmpty(t, p.Errors, name)
			checkFault(t, name, c, p, full)
		}
	}
}

// checkFault holds a refusal against its case. The schema validator, which judges first with full, may find another fault of the
// same status first and has the words of the document; what it must have is the pointer.
func checkFault(t *testing.T, name string, c cases.Case, p handlers.Problem, full bool) {
	t.Helper()
	e := p.Errors[0]
	if c.Status == 422 || c.Pointer != "" {
		assert.Equal(t, c.Pointer, e.Pointer, name)
	}
	if full {
		return
	}
	assert.Contains(t, e.Limit, c.Limit, name)
	assert.Contains(t, e.Reason, c.Reason, name)
	if c.Offset > 0 && assert.NotNil(t, e.Offset, name) {
		assert.Equal(t, c.Offset, *e.Offset, name)
	}
}

func clipped(s string) string { return s[:min(len(s), 300)] }

// TestExplainAgreesWithTheOctets holds /v1/write/explain against the cases that encode.
func TestExplainAgreesWithTheOctets(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range cases.All() {
		if c.Hex == "" || len(c.Hex) > 4000 {
			continue
		}
		res, body := call(t, "POST", url+"/v1/write/explain", c.JSON, jsonType)
		require.Equal(t, 200, res.StatusCode, "%s: %s", c.Name, clipped(body))
		require.Equal(t, "application/json", res.Header.Get("Content-Type"))
		var e api.WriteExplanation
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		octets, err := base64.StdEncoding.DecodeString(e.Base64)
		require.NoError(t, err)
		require.Equal(t, c.Hex, e.Hex, c.Name)
		require.Equal(t, c.Hex, hex.EncodeToString(octets), c.Name)
		require.Equal(t, len(octets), int(e.Length))
		off := 0
		for _, f := range e.Fields {
			require.Equal(t, off, int(f.Offset), "%s: the fields tile the body", c.Name)
			require.Equal(t, hex.EncodeToString(octets[off:off+int(f.Length)]), f.Hex)
			off += int(f.Length)
		}
		require.Equal(t, len(octets), off, c.Name)
		require.True(t, e.Standing.Assumed)
	}
}

func TestHandle(t *testing.T) {
	_, url := start(t, Default())
	res, body := call(t, "POST", url+"/v1/handle", cases.Handle, jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	require.Equal(t, int64(20), res.ContentLength)
	require.Equal(t, cases.HandleHex, hex.EncodeToString([]byte(body)))

	res, body = call(t, "POST", url+"/v1/handle/explain", strings.ToLower(cases.Handle), jsonType)
	require.Equal(t, 400, res.StatusCode, "lower-cased keys")
	problem(t, res, body)

	res, body = call(t, "POST", url+"/v1/handle/explain", cases.Handle, jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	var e api.HandleExplanation
	require.NoError(t, json.Unmarshal([]byte(body), &e))
	require.Equal(t, cases.HandleHex, e.Hex)
	require.Equal(t, cases.HandleHex[12:], e.ProjectionHex)
	require.Equal(t, "0xd736", e.Signatures.Object.Hex)
	require.Equal(t, "testint", *e.Signatures.Attribute.Lowered)
	require.False(t, e.Standing.Assumed)
	require.Equal(t, int32(20), e.Standing.Bytes.Confirmed)

	for _, c := range []struct{ old, now, pointer string }{
		{`"platformId":1`, `"platformId":65536`, "/platformId"},
		{`"galaxyId":1`, `"galaxyId":256`, "/galaxyId"},
		{`"attributeId":155`, `"attributeId":32768`, "/attributeId"},
		{`"engineId":2`, `"engineId":"2"`, "/engineId"},
		{`"object":"TestChildObject"`, `"object":""`, "/object"},
		{`"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":-2`, "/attributeIndex"},
	} {
		res, body := call(t, "POST", url+"/v1/handle", strings.Replace(cases.Handle, c.old, c.now, 1), jsonType)
		require.Equal(t, 422, res.StatusCode, body)
		require.Equal(t, c.pointer, problem(t, res, body).Errors[0].Pointer)
	}
}

// TestHTTPRules is section 8 of the contract for the operations that take JSON.
func TestHTTPRules(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		name, path string
		headers    []string
		status     int
		says       string
	}{
		{"no Content-Type", "/v1/write", nil, 415, "-H 'Content-Type: application/json'"},
		{"curl's form type", "/v1/write", []string{"Content-Type: application/x-www-form-urlencoded"}, 415, "-H 'Content-Type: application/json'"},
		{"UTF-16", "/v1/write", []string{"Content-Type: application/json; charset=utf-16"}, 415, "UTF-8"},
		{"Latin 1", "/v1/write", []string{`Content-Type: application/json; charset="iso-8859-1"`}, 415, "UTF-8"},
		{"text", "/v1/write", []string{"Content-Type: text/plain"}, 415, "application/json"},
		{"two types", "/v1/write", []string{jsonType, jsonType}, 415, "2 Content-Type"},
		{"lines for one write", "/v1/write", []string{"Content-Type: application/x-ndjson"}, 415, "application/json"},
		{"gzip", "/v1/write", []string{jsonType, "Content-Encoding: gzip"}, 415, "gzip"},
		{"identity", "/v1/write", []string{jsonType, "Content-Encoding: identity"}, 200, ""},
		{"UTF-8", "/v1/write", []string{"Content-Type: application/json; charset=UTF-8"}, 200, ""},
		{"quoted UTF-8", "/v1/write", []string{`Content-Type: Application/JSON;charset="utf-8"`}, 200, ""},
		{"problem only", "/v1/write", []string{jsonType, "Accept: application/problem+json"}, 200, ""},
		{"anything", "/v1/write", []string{jsonType, "Accept: */*"}, 200, ""},
		{"application/*", "/v1/write", []string{jsonType, "Accept: application/*"}, 200, ""},
		{"a browser", "/v1/write", []string{jsonType, "Accept: text/html, */*;q=0.1"}, 200, ""},
		{"html", "/v1/write", []string{jsonType, "Accept: text/html"}, 406, "GET /"},
		{"json", "/v1/write", []string{jsonType, "Accept: application/json"}, 406, "use POST /v1/write/explain"},
		{"nothing", "/v1/write", []string{jsonType, "Accept: */*;q=0"}, 406, "application/octet-stream"},
		{"octets of explain", "/v1/write/explain", []string{jsonType, "Accept: application/octet-stream"}, 406, "use POST /v1/write"},
		{"octets of handle explain", "/v1/handle/explain", []string{jsonType, "Accept: application/octet-stream"}, 406, "use POST /v1/handle"},
		{"gzip wanted", "/v1/write", []string{jsonType, "Accept-Encoding: gzip"}, 200, ""},
	} {
		body := cases.Base
		if strings.HasPrefix(c.path, "/v1/handle") {
			body = cases.Handle
		}
		res, got := call(t, "POST", url+c.path, body, c.headers...)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", c.name, got)
		if c.status != 200 {
			require.Contains(t, problem(t, res, got).Detail, c.says, c.name)
			continue
		}
		require.Equal(t, "application/octet-stream", res.Header.Get("Content-Type"), c.name)
		require.Empty(t, res.Header.Get("Content-Encoding"))
		require.Equal(t, cases.BaseHex, hex.EncodeToString([]byte(got)), c.name)
	}
}

func TestBodyLimit(t *testing.T) {
	cfg := Default()
	cfg.Limits.Body = 1024
	_, url := start(t, cfg)
	long := cases.Base + strings.Repeat(" ", 1025-len(cases.Base))
	for _, full := range []bool{true, false} {
		body := long
		if !full {
			body = long[:1024]
		}
		for _, chunked := range []bool{true, false} {
			req, err := http.NewRequest(http.MethodPost, url+"/v1/write", strings.NewReader(body))
			require.NoError(t, err)
			if chunked {
				req.ContentLength = -1
			}
			req.Header.Set("Content-Type", "application/json")
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			res.Body.Close()
			if full {
				require.Equal(t, 413, res.StatusCode)
			} else {
				require.Equal(t, 200, res.StatusCode, "exactly the limit")
			}
		}
	}
}
