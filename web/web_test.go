package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func get(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func teapot() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
}

func TestPageHeaders(t *testing.T) {
	p := NewPage(teapot())
	w := get(p, "GET", "/")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	policy := w.Header().Get("Content-Security-Policy")
	for _, directive := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
		"form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"} {
		require.Contains(t, policy, directive)
	}
	require.NotContains(t, policy, "unsafe")
	require.NotContains(t, policy, "*")
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	require.Equal(t, "DENY", w.Header().Get("X-Frame-Options"))
	require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
	require.Contains(t, w.Body.String(), "assets/"+p.version+"/js/main.js")
	require.NotContains(t, w.Body.String(), placeholder)
}

func TestPageCaching(t *testing.T) {
	p := NewPage(teapot())
	for _, target := range []string{"/", "/assets/" + p.version + "/js/main.js"} {
		first := get(p, "GET", target)
		require.Equal(t, 200, first.Code)
		tag := first.Header().Get("ETag")
		require.NotEmpty(t, tag)
		again := get(p, "GET", target, "If-None-Match", tag)
		require.Equal(t, 304, again.Code)
		require.Empty(t, again.Body.Bytes())
		head := get(p, "HEAD", target)
		require.Equal(t, 200, head.Code)
		require.Empty(t, head.Body.Bytes())
		require.Equal(t, first.Header().Get("Content-Length"), head.Header().Get("Content-Length"))
	}
	require.Contains(t, get(p, "GET", "/assets/"+p.version+"/js/main.js").Header().Get("Cache-Control"), "immutable")
	// Another replica's version, during an upgrade: served, but asked for again next time.
	other := get(p, "GET", "/assets/000000000000/js/main.js")
	require.Equal(t, 200, other.Code)
	require.Equal(t, "no-cache", other.Header().Get("Cache-Control"))
}

func TestPageGzip(t *testing.T) {
	p := NewPage(teapot())
	plain := get(p, "GET", "/")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	require.Equal(t, "Accept-Encoding", plain.Header().Get("Vary"))
	zipped := get(p, "GET", "/", "Accept-Encoding", "br, gzip;q=0.8")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	require.NotEqual(t, plain.Header().Get("ETag"), zipped.Header().Get("ETag"))
	r, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, plain.Body.String(), string(b))
	for _, refused := range []string{"gzip;q=0", "gzip; q=0.0", "br", "x-gzip", ""} {
		require.Empty(t, get(p, "GET", "/", "Accept-Encoding", refused).Header().Get("Content-Encoding"), refused)
	}
}

func TestPageNotFound(t *testing.T) {
	p := NewPage(teapot())
	for _, target := range []string{"/assets/x/none.js", "/assets/", "/assets/x", "/assets/x/../web.go", "/assets/x/index.html", "/assets/x/js/", "/assets/x/js"} {
		require.Equal(t, http.StatusTeapot, get(p, "GET", target).Code, target)
	}
}

func TestAssetTypes(t *testing.T) {
	p := NewPage(teapot())
	want := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8"}
	for name := range p.assets {
		w := get(p, "GET", "/assets/"+p.version+"/"+name)
		require.Equal(t, 200, w.Code, name)
		require.Equal(t, want[path.Ext(name)], w.Header().Get("Content-Type"), name)
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), name)
		require.Equal(t, Policy, w.Header().Get("Content-Security-Policy"), name)
	}
	icon := httptest.NewRecorder()
	p.Favicon(icon, httptest.NewRequest(http.MethodGet, "/favicon.ico", nil))
	require.Equal(t, "image/svg+xml", icon.Header().Get("Content-Type"))
}

// sources are the text files of the page and of the documentation page.
func sources(t *testing.T) map[string]string {
	out := map[string]string{}
	for root, tree := range map[string]fs.FS{"static": static, "docs": docs} {
		require.NoError(t, fs.WalkDir(tree, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(name) == ".woff2" || path.Ext(name) == ".txt" {
				return err
			}
			b, err := fs.ReadFile(tree, name)
			out[name] = string(b)
			return err
		}))
	}
	require.NotEmpty(t, out)
	return out
}

func TestNothingInline(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:`)
	for name, text := range sources(t) {
		if path.Ext(name) == ".html" {
			require.NotRegexp(t, inline, text, name)
		}
		if path.Ext(name) == ".js" {
			for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute('style'"} {
				require.NotContains(t, text, word, name)
			}
		}
	}
}

func TestNoOtherHost(t *testing.T) {
	// What looks like an address of another host, but is the name of SVG's namespace.
	names := strings.NewReplacer("http://www.w3.org/2000/svg", "")
	other := regexp.MustCompile(`(?i)(https?:|wss?:)?//[a-z0-9-]+(\.[a-z0-9-]+)+|url\(["']?(https?:)?//`)
	for name, text := range sources(t) {
		require.NotRegexp(t, other, names.Replace(text), name)
	}
}

// Every file that a page, a style sheet or a module names is there, and every file that is there is named.
func TestReferences(t *testing.T) {
	p := NewPage(teapot())
	used := map[string]bool{}
	patterns := map[string]*regexp.Regexp{
		".html": regexp.MustCompile(`(?:href|src)="assets/_/([^"]+)"`),
		".css":  regexp.MustCompile(`url\("([^"]+)"\)`),
		".js":   regexp.MustCompile(`(?:from|import) '([^']+)'`),
	}
	for name, text := range sources(t) {
		pattern := patterns[path.Ext(name)]
		if pattern == nil || !strings.HasPrefix(name, "static/") {
			continue
		}
		name = strings.TrimPrefix(name, "static/")
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			target := m[1]
			if path.Ext(name) != ".html" {
				require.True(t, strings.HasPrefix(target, "."), "%s imports %s: only relative addresses work without a build step", name, target)
				target = path.Join(path.Dir(name), target)
			}
			require.Contains(t, p.assets, target, name)
			used[target] = true
		}
	}
	for name := range p.assets {
		if path.Ext(name) != ".txt" { // the fonts' licences
			require.True(t, used[name], "%s is served, but nothing loads it", name)
		}
	}
}

func TestVersionNamesTheContent(t *testing.T) {
	a, b := NewPage(teapot()), NewPage(teapot())
	require.Equal(t, a.version, b.version)
	require.Len(t, a.version, 12)
	require.True(t, bytes.Equal(a.index.raw, b.index.raw))
}

func TestDocs(t *testing.T) {
	d := NewDocs(teapot())
	index := get(d, "GET", "/docs")
	require.Equal(t, 200, index.Code)
	require.Equal(t, "text/html; charset=utf-8", index.Header().Get("Content-Type"))
	require.Equal(t, DocsPolicy, index.Header().Get("Content-Security-Policy"))
	require.NotContains(t, DocsPolicy, "unsafe")
	for _, m := range regexp.MustCompile(`(?:href|src)="(docs/[^"]+)"`).FindAllStringSubmatch(index.Body.String(), -1) {
		w := get(d, "GET", "/"+m[1])
		require.Equal(t, 200, w.Code, m[1])
		require.NotEmpty(t, w.Body.Bytes(), m[1])
		require.Regexp(t, map[string]string{".js": "^(text|application)/javascript", ".css": "^text/css"}[path.Ext(m[1])], w.Header().Get("Content-Type"), m[1])
		require.Equal(t, DocsPolicy, w.Header().Get("Content-Security-Policy"), m[1])
		zipped := get(d, "GET", "/"+m[1], "Accept-Encoding", "gzip")
		require.Equal(t, 200, zipped.Code, m[1])
		require.Equal(t, 200, get(d, "HEAD", "/"+m[1]).Code, m[1])
	}
	slash := get(d, "GET", "/docs/")
	require.Equal(t, http.StatusPermanentRedirect, slash.Code)
	require.Equal(t, "../docs", slash.Header().Get("Location"))
	// swgui's own document and what we do not use of it stay out of reach.
	for _, target := range []string{"/docs/index.html", "/docs/swagger-ui.js", "/docs/oauth2-redirect.html", "/docs/none", "/docs/../web.go"} {
		require.Equal(t, http.StatusTeapot, get(d, "GET", target).Code, target)
	}
}
