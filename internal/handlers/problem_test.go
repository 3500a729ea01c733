package handlers

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteProblem(t *testing.T) {
	rec := httptest.NewRecorder()
	offset := int64(7)
	p := NewProblem(KindValue, "value 2147483648 is not an Int32", ProblemError{
		Pointer: "/value", Reason: `2147483648 is too large & "odd" <b>`, Limit: "-2147483648..2147483647", Offset: &offset})
	WriteProblem(rec, httptest.NewRequest(http.MethodPost, "/v1/write", nil), p)

	require.Equal(t, 422, rec.Code)
	require.Equal(t, "application/problem+json", rec.Header().Get("Content-Type"))
	require.NotContains(t, rec.Body.String(), `\u003c`, "text of users is shown as typed")
	var got map[string]any
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &got))
	require.Equal(t, "urn:mxrest:problem:invalid-value", got["type"])
	require.Equal(t, 422.0, got["status"])
	require.NotEmpty(t, got["instance"])
	require.Equal(t, rec.Header().Get("X-Request-Id"), got["instance"])
	require.Equal(t, []any{map[string]any{
		"pointer": "/value", "reason": `2147483648 is too large & "odd" <b>`, "limit": "-2147483648..2147483647", "offset": 7.0,
	}}, got["errors"])
}

func TestWriteProblemKeepsTheCallersID(t *testing.T) {
	rec := httptest.NewRecorder()
	rec.Header().Set(RequestIDHeader, "mine-1")
	WriteProblem(rec, nil, NewProblem(KindMethod, "use POST").WithHeader("Allow", "POST"))
	require.Equal(t, "POST", rec.Header().Get("Allow"))
	require.Contains(t, rec.Body.String(), `"instance":"mine-1"`)
}

func TestProblemKindsHaveOneStatusEach(t *testing.T) {
	for kind, k := range kinds {
		p := NewProblem(kind, "")
		require.Equal(t, kind, p.Kind())
		require.Equal(t, k.status, p.Status)
		require.GreaterOrEqual(t, p.Status, 400)
		require.NotEmpty(t, p.Title)
	}
	require.Equal(t, 500, NewProblem("unheard-of", "").Status)
}

func TestValidRequestID(t *testing.T) {
	for _, id := range []string{"a", "0f9c-1.B_~", strings.Repeat("x", 128)} {
		require.True(t, ValidRequestID(id), id)
	}
	for _, id := range []string{"", "a b", "a\r\nb", "ü", "a/b", strings.Repeat("x", 129)} {
		require.False(t, ValidRequestID(id), id)
	}
}
