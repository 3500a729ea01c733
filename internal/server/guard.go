package server

import (
	"fmt"
	"net/http"
	"strings"

	"mxrest/internal/handlers"
)

// middleware is one step on a request's way.
type middleware = func(http.Handler) http.Handler

// limitBody refuses a body that is announced larger than the operation takes, before a byte of it is read. The operation
// itself counts what it reads, for bodies that come in chunks: a wrapper around the body would cost every request.
func limitBody(limit int64) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > limit {
				handlers.WriteProblem(w, r, handlers.TooLarge(limit))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// requireMediaType refuses a body that is not of the types the operation takes, or JSON in another charset than UTF-8, or
// anything compressed (415 each). It looks at headers only.
func (ops operations) requireMediaType(op *operation) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if ce := r.Header["Content-Encoding"]; len(ce) > 0 && !identity(ce) {
				handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindMediaType, fmt.Sprintf(
					"Content-Encoding %q is not taken: send the body as it is.", strings.Join(ce, ", "))).WithHeader("Accept-Encoding", "identity"))
				return
			}
			if ct := r.Header["Content-Type"]; len(ct) != 1 || !matchMediaType(ct[0], op.consumes) {
				handlers.WriteProblem(w, r, ops.unsupported(op, ct))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func identity(encodings []string) bool {
	for _, e := range encodings {
		if e != "" && !strings.EqualFold(e, "identity") {
			return false
		}
	}
	return true
}

// matchMediaType tells whether a Content-Type is one of types; a charset, where given, must be UTF-8.
func matchMediaType(ct string, types []string) bool {
	for _, t := range types {
		if ct == t {
			return true
		}
	}
	bare, params, _ := strings.Cut(ct, ";")
	bare = strings.TrimSpace(bare)
	known := false
	for _, t := range types {
		known = known || strings.EqualFold(bare, t)
	}
	return known && charsetUTF8(params)
}

// charsetUTF8 tells whether the parameters of a Content-Type leave the charset open or say UTF-8.
func charsetUTF8(params string) bool {
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "charset") {
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if !strings.EqualFold(value, "utf-8") && !strings.EqualFold(value, "utf8") {
				return false
			}
		}
	}
	return true
}

// unsupported words the 415 so that the next try can be right.
func (ops operations) unsupported(op *operation, got []string) *handlers.Problem {
	want := strings.Join(op.consumes, " or ")
	var detail string
	switch {
	case len(got) == 0:
		detail = fmt.Sprintf("The request has no Content-Type. Send %s; with curl: -H 'Content-Type: %s'.", want, op.consumes[0])
	case len(got) > 1:
		detail = fmt.Sprintf("The request has %d Content-Type headers. Send one: %s.", len(got), want)
	case strings.HasPrefix(strings.ToLower(got[0]), "application/x-www-form-urlencoded"):
		detail = fmt.Sprintf("Content-Type is %q, which curl sends by itself with -d. Send %s; with curl: -H 'Content-Type: %s'.", got[0], want, op.consumes[0])
	case matchMediaType(strings.SplitN(got[0], ";", 2)[0], op.consumes):
		detail = fmt.Sprintf("Content-Type is %q. The charset must be UTF-8: send %s.", got[0], want)
	default:
		detail = fmt.Sprintf("Content-Type is %q. Send %s.", got[0], want)
		if other := ops.taking(op, got[0]); other != nil {
			bare, _, _ := strings.Cut(got[0], ";")
			detail += fmt.Sprintf(" %s is for %s %s.", strings.TrimSpace(bare), other.method, other.path)
		}
	}
	return handlers.NewProblem(handlers.KindMediaType, detail).WithHeader("Accept-Post", strings.Join(op.consumes, ", "))
}

// requireAccept refuses a request that does not take what the operation answers in (406), and says which operation does.
func (ops operations) requireAccept(op *operation) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if accept := r.Header["Accept"]; handlers.Negotiate(accept, op.produces) < 0 {
				handlers.WriteProblem(w, r, ops.notAcceptable(op, accept))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
