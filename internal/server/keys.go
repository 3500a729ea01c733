package server

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"mxrest/internal/auth"
	"mxrest/internal/handlers"
)

// keyFile is the API keys in force.
type keyFile struct {
	path    string
	current atomic.Pointer[auth.Keys]
}

func (f *keyFile) load() error {
	k, err := auth.Load(f.path)
	if err != nil {
		return fmt.Errorf("--api-keys: %w", err)
	}
	if k.Len() == 0 && f.current.Load() == nil {
		return fmt.Errorf("--api-keys: %s: no key in the file", f.path) // at start a mistake; later somebody took the last key away
	}
	f.current.Store(k)
	return nil
}

// guarded says whether a path belongs to the API, which keys and limits guard. The probes, the document, its pages and the page at /
// are open: they give away nothing and a balancer or a browser must reach them. A test walks the router and holds this list against it.
func guarded(path string) bool {
	for _, p := range [...]string{"/v1", "/bench", "/metrics", "/version"} {
		if rest, ok := strings.CutPrefix(path, p); ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
			return true
		}
	}
	return false
}

// requireKey answers 401 to API requests without a key of the file, before anything of the body is read.
func (s *Server) requireKey(next http.Handler) http.Handler {
	if s.keys == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !guarded(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		token, given := bearer(r)
		name, ok := s.keys.current.Load().Lookup(token)
		if !ok {
			challenge, detail := `Bearer realm="mxrest"`, "Send a key: Authorization: Bearer KEY."
			switch {
			case given && token == "":
				challenge, detail = `Bearer realm="mxrest", error="invalid_request"`, "The Authorization header is not of the form Bearer KEY."
			case given:
				challenge, detail = `Bearer realm="mxrest", error="invalid_token"`, "The key is not known here."
			}
			handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindUnauthorized, detail).WithHeader("WWW-Authenticate", challenge))
			return
		}
		if x := transitOf(w); x != nil {
			x.key = name
		}
		next.ServeHTTP(w, r)
	})
}

// bearer is the token of the Authorization header; given says whether there was any such header at all.
func bearer(r *http.Request) (token string, given bool) {
	h := r.Header["Authorization"]
	if len(h) != 1 {
		return "", len(h) > 0
	}
	const scheme = "Bearer "
	if len(h[0]) < len(scheme) || !strings.EqualFold(h[0][:len(scheme)], scheme) {
		return "", true
	}
	return strings.TrimLeft(h[0][len(scheme):], " "), true
}
