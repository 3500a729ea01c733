package web

import (
	"embed"
	"net/http"
	"strings"

	"github.com/swaggest/swgui/v5emb"
)

//go:embed docs
var docs embed.FS

// DocsPolicy is the documentation page's Content-Security-Policy: this server's own files and nothing inline, scripts or styles. It is looser than Policy in
// two places only, because Swagger UI needs them: images as data: addresses in its style sheet, and scripts that set markup (it brings its own sanitizer).
const DocsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Docs serves Swagger UI at /docs and its files below. The files are the ones that swgui embeds; the document that loads them is ours (docs/index.html),
// since swgui's carries inline scripts and styles.
type Docs struct {
	own      map[string]asset
	swagger  http.Handler
	notFound http.Handler
}

// swaggerFiles are the files of swgui that our document uses; its other files and its own document stay out of reach.
var swaggerFiles = map[string]bool{"swagger-ui-bundle.js": true, "swagger-ui.css": true}

// NewDocs serves Swagger UI on the document at openapi.json beside /docs. Requests for files that do not exist go to notFound.
func NewDocs(notFound http.Handler) *Docs {
	d := &Docs{own: map[string]asset{}, swagger: v5emb.New("", "", "/docs"), notFound: notFound}
	for _, name := range []string{"index.html", "init.js", "docs.css"} {
		b, err := docs.ReadFile("docs/" + name)
		if err != nil {
			panic("web: embedded files cannot be read: " + err.Error())
		}
		d.own[name] = newAsset(name, b)
	}
	return d
}

// ServeHTTP answers GET and HEAD of /docs and /docs/….
func (d *Docs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/docs/" {
		secure(w.Header(), DocsPolicy)
		w.Header().Set("Location", "../docs") // relative: the prefix of a proxy is unknown here
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/docs"), "/")
	switch name {
	case "":
		name = "index.html"
	case "index.html":
		name = "" // its addresses are relative to /docs
	}
	if a, ok := d.own[name]; ok {
		secure(w.Header(), DocsPolicy)
		a.serve(w, r, "no-cache")
		return
	}
	if !swaggerFiles[name] {
		d.notFound.ServeHTTP(w, r)
		return
	}
	secure(w.Header(), DocsPolicy)
	w.Header().Set("Cache-Control", "public, max-age=86400")
	d.swagger.ServeHTTP(w, r)
}
