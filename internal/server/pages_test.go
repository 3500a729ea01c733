package server

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPagesAndTheirFiles(t *testing.T) {
	_, url := start(t, Default())
	res, body := call(t, "GET", url+"/", "", "Accept: text/html,application/xhtml+xml,*/*;q=0.8")
	require.Equal(t, 200, res.StatusCode)
	require.Contains(t, res.Header.Get("Content-Security-Policy"), "default-src 'none'")
	script := regexp.MustCompile(`assets/[0-9a-f]{12}/js/main\.js`).FindString(body)
	require.NotEmpty(t, script)
	for _, path := range []string{"/" + script, "/favicon.ico", "/docs", "/docs/swagger-ui.css"} {
		res, _ := call(t, "GET", url+path, "")
		require.Equal(t, 200, res.StatusCode, path)
		require.NotEmpty(t, res.Header.Get("Content-Security-Policy"), path)
		head, none := call(t, "HEAD", url+path, "")
		require.Equal(t, 200, head.StatusCode, path)
		require.Empty(t, none)
	}
	for _, path := range []string{"/assets/", "/assets/x/none.js", "/docs/none.js", "/docs/index.html"} {
		res, body := call(t, "GET", url+path, "")
		require.Equal(t, 404, res.StatusCode, path)
		problem(t, res, body)
	}
}
