// Package web holds the page and the API's documentation page, embedded in the binary, and serves both.
//
// The page is plain HTML, CSS and ES modules: what lies in static/ is what the browser gets, and nothing is fetched from another host. It holds no codec of its
// own: each byte it shows came from the API.
//
// Addresses, all relative to where the server is mounted, so that a proxy may put it under a prefix:
//
//	/                     the page
//	/assets/{version}/…   what the page loads; version is a hash of the whole tree
//	/docs, /docs/…        Swagger UI on the served OpenAPI document
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var static embed.FS

// Policy is the page's Content-Security-Policy. Everything is refused but this server's own files; Trusted Types without a policy means that no script can turn
// text into markup, so that a tag's name with angle brackets stays text.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// placeholder stands in index.html where the version goes.
const placeholder = "assets/_/"

// An asset is one file as it goes over the wire.
type asset struct {
	mime string
	tag  string // strong ETag, with quotes
	raw  []byte
	gz   []byte // nil where gzip does not help
}

// Page serves the page and its assets.
type Page struct {
	index    asset
	assets   map[string]asset // by path below static/
	version  string
	notFound http.Handler
}

// NewPage reads the embedded files. Requests for files that do not exist go to notFound.
func NewPage(notFound http.Handler) *Page {
	p := &Page{assets: map[string]asset{}, notFound: notFound}
	tree := sha256.New()
	var index []byte
	err := fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		tree.Write([]byte(name + "\x00"))
		tree.Write(b)
		if name = strings.TrimPrefix(name, "static/"); name == "index.html" {
			index = b
		} else {
			p.assets[name] = newAsset(name, b)
		}
		return nil
	})
	if err != nil {
		panic("web: embedded files cannot be read: " + err.Error()) // a broken build, not a request
	}
	p.version = hex.EncodeToString(tree.Sum(nil)[:6])
	p.index = newAsset("index.html", bytes.ReplaceAll(index, []byte(placeholder), []byte("assets/"+p.version+"/")))
	return p
}

// ServeHTTP answers GET and HEAD of / and of /assets/….
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		secure(w.Header(), Policy)
		p.index.serve(w, r, "no-cache")
		return
	}
	version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/assets/"), "/")
	a, ok := p.assets[name]
	if !ok {
		p.notFound.ServeHTTP(w, r)
		return
	}
	// The path names the content, so the right one may be kept for ever. Another version is asked for while a fleet is being upgraded: the page came from a
	// newer or older replica. It gets our file, which is most likely the same, but must ask again next time.
	cache := "public, max-age=31536000, immutable"
	if version != p.version {
		cache = "no-cache"
	}
	secure(w.Header(), Policy)
	a.serve(w, r, cache)
}

// Favicon answers /favicon.ico, which browsers ask for without being told to, with the page's icon.
func (p *Page) Favicon(w http.ResponseWriter, r *http.Request) {
	secure(w.Header(), Policy)
	a := p.assets["favicon.svg"]
	a.serve(w, r, "public, max-age=86400")
}

func newAsset(name string, b []byte) asset {
	sum := sha256.Sum256(b)
	a := asset{mime: mimes[path.Ext(name)], tag: hex.EncodeToString(sum[:8]), raw: b}
	if a.mime == "" {
		panic("web: no media type for " + name)
	}
	if strings.HasPrefix(a.mime, "font/") {
		return a // compressed already
	}
	var z bytes.Buffer
	zw, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	_, _ = zw.Write(b) // a bytes.Buffer takes everything
	_ = zw.Close()
	if z.Len() < len(b)*9/10 {
		a.gz = z.Bytes()
	}
	return a
}

// mimes is written out because mime.TypeByExtension asks the machine's own tables, and those differ.
var mimes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request, cache string) {
	h := w.Header()
	h.Set("Content-Type", a.mime)
	h.Set("Cache-Control", cache)
	body, tag := a.raw, a.tag
	if a.gz != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body, tag = a.gz, tag+"-gz"
		}
	}
	h.Set("ETag", `"`+tag+`"`)
	// No modification time: embedded files have none, and the ETag says more.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// acceptsGzip reads an Accept-Encoding header as far as our two choices need it.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, q, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			q = strings.ReplaceAll(q, " ", "")
			return !strings.HasPrefix(q, "q=0") || strings.Trim(q, "q=0.") != ""
		}
	}
	return false
}

// secure sets what every answer of this package carries.
func secure(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}
