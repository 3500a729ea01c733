package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"mxrest/web"
)

// pages are the operations that answer with something to look at, by operationId. The files that they load are mounted beside them, at paths
// that the document does not list: nobody calls those but a browser.
func pages(r chi.Router, notHere http.HandlerFunc) map[string]http.Handler {
	page, docs := web.NewPage(notHere), web.NewDocs(notHere)
	for path, h := range map[string]http.Handler{
		"/assets/*":    page,
		"/favicon.ico": http.HandlerFunc(page.Favicon),
		"/docs/*":      docs,
	} {
		r.Method(http.MethodGet, path, h)
		r.Method(http.MethodHead, path, h)
	}
	return map[string]http.Handler{"page": page, "docs": docs}
}
