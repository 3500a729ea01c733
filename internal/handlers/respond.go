package handlers

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// The header values are slices made once and shared by every answer: Header().Set would allocate one each time. Nothing
// may write into them.
var (
	headerOctets   = []string{"application/octet-stream"}
	headerJSON     = []string{"application/json"}
	headerNDJSON   = []string{"application/x-ndjson"}
	headerProblem  = []string{ProblemMediaType}
	headerNosniff  = []string{"nosniff"}
	headerMarkdown = []string{"text/markdown; charset=utf-8"}
	headerYAML     = []string{"application/yaml"}
	headerNoStore  = []string{"no-store"}

	lengths = func() (t [1024][1]string) {
		for i := range t {
			t[i][0] = strconv.Itoa(i)
		}
		return t
	}()
)

// contentLength is the value of Content-Length for n bytes; no allocation for the small bodies that hot operations answer.
func contentLength(n int) []string {
	if n < len(lengths) {
		return lengths[n][:]
	}
	return []string{strconv.Itoa(n)}
}

// respondOctets answers 200 with message bytes: one Write with the exact length. The caller may use body again only when
// it returns true; a buffer whose Write failed may still be read by the connection.
func respondOctets(w http.ResponseWriter, body []byte) bool {
	h := w.Header()
	h["Content-Type"] = headerOctets
	h["Content-Length"] = contentLength(len(body))
	_, err := w.Write(body) // #nosec G705 -- application/octet-stream, which no browser renders
	return err == nil
}

// respondJSON answers 200 with v as JSON. Text of users is not escaped for HTML; the type and nosniff keep it from being read as HTML.
func respondJSON(w http.ResponseWriter, r *http.Request, v any) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		WriteProblem(w, r, NewProblem(KindInternal, "The answer could not be written as JSON."))
		return
	}
	respondBytes(w, headerJSON, body.Bytes())
}

// respondBytes answers 200 with a body that is ready.
func respondBytes(w http.ResponseWriter, contentType []string, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = contentLength(len(body))
	h["X-Content-Type-Options"] = headerNosniff
	_, _ = w.Write(body) // #nosec G705 -- with its type and nosniff
}
