//go:build !race

package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLeanAllocs(t *testing.T) {
	s, _ := bare(Default())
	buf := make([]byte, 8)
	h := s.lean(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = r.Body.Read(buf) }))
	body := strings.NewReader("12345678")
	w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/", body)
	require.Zero(t, testing.AllocsPerRun(200, func() {
		body.Reset("12345678")
		h.ServeHTTP(w, r)
	}))
}
