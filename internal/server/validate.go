package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	nethttpmiddleware "github.com/oapi-codegen/nethttp-middleware"

	"mxrest/internal/handlers"
)

// validator holds requests against the document. Operations whose body the codec's own decoder validates (the document marks
// them) pass it by, unless full is set: validating a write costs 50 to 120 allocations, and that decoder is the stricter one. Those
// that read a stream always do: the validator would hold the whole of it, and one bad item is no fault of the request.
type validator struct {
	full    bool
	body    int64 // most bytes of a body that is held for validation
	nesting int
	all     middleware // names everything that is wrong
	first   middleware // names the first thing, for bodies so large that all could be too many
}

// smallBody is the largest body of which everything that is wrong is named. The validator keeps a finding for each fault, and a large
// body can hold millions.
const smallBody = 64 << 10

func newValidator(doc *openapi3.T, cfg *Config) *validator {
	v := &validator{full: cfg.ValidateFull, body: cfg.Limits.Body, nesting: cfg.Limits.Nesting}
	v.all, v.first = v.document(doc, true), v.document(doc, false)
	return v
}

// document is the validator's middleware.
func (v *validator) document(doc *openapi3.T, all bool) middleware {
	return nethttpmiddleware.OapiRequestValidatorWithOptions(doc, &nethttpmiddleware.Options{
		DoNotValidateServers:  true,
		DiscardValidatedValue: true,
		Options: openapi3filter.Options{
			MultiError:          all,
			SkipSettingDefaults: true, // defaults would rewrite the body, and what was wrong with it would be gone
			AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
		},
		ErrorHandlerWithOpts: func(_ context.Context, err error, w http.ResponseWriter, r *http.Request, _ nethttpmiddleware.ErrorHandlerOpts) {
			handlers.WriteProblem(w, r, validationProblem(err, bodyOf(r)))
		},
	})
}

// check is the step for one operation; nil when the operation needs none.
func (v *validator) check(op *operation) middleware {
	if op.codec && !v.full || op.streamed {
		return nil
	}
	return func(next http.Handler) http.Handler {
		front := func(validate middleware) http.Handler {
			if op.codec {
				return decoderFirst(validate, next)
			}
			return validate(next)
		}
		all, first := front(v.all), front(v.first)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ct, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
			switch strings.ToLower(strings.TrimSpace(ct)) {
			case "application/json":
				body, p := handlers.ReadBody(r, v.body)
				if p == nil {
					p = handlers.CheckJSON(body, v.nesting)
				}
				if p != nil {
					handlers.WriteProblem(w, r, p)
					return
				}
				setBody(r, body)
				if len(body) <= smallBody {
					all.ServeHTTP(w, r)
				} else {
					first.ServeHTTP(w, r)
				}
			case "":
				all.ServeHTTP(w, r)
			default:
				// Octets and lines are text or binary to the document: only the operation can say what is wrong with them.
				next.ServeHTTP(w, r)
			}
		})
	}
}

// decoderFirst validates for an operation whose own decoder is the authority: where both refuse a request, the decoder's status and words are
// the answer, as they are without the validator.
func decoderFirst(validate middleware, next http.Handler) http.Handler {
	accept := validate(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := bodyOf(r)
		verdict, answer := holdBack(w), holdBack(w)
		accept.ServeHTTP(verdict, r)
		setBody(r, body)
		if verdict.status == http.StatusOK {
			next.ServeHTTP(w, r)
			return
		}
		if next.ServeHTTP(answer, r); answer.status >= 400 {
			answer.send()
			return
		}
		verdict.send()
	})
}

// held keeps an answer back until it is known to be the one.
type held struct {
	http.ResponseWriter
	header http.Header
	status int
	kind   handlers.Kind
	body   bytes.Buffer
}

func holdBack(w http.ResponseWriter) *held {
	return &held{ResponseWriter: w, header: w.Header().Clone()}
}

func (h *held) Header() http.Header            { return h.header }
func (h *held) WriteHeader(status int)         { h.status = status }
func (h *held) NoteProblem(kind handlers.Kind) { h.kind = kind }
func (h *held) Write(b []byte) (n int, err error) {
	if h.status == 0 {
		h.status = http.StatusOK
	}
	return h.body.Write(b)
}

func (h *held) send() {
	if n, ok := h.ResponseWriter.(interface{ NoteProblem(handlers.Kind) }); ok {
		n.NoteProblem(h.kind)
	}
	maps.Copy(h.ResponseWriter.Header(), h.header)
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes())
}

func setBody(r *http.Request, body []byte) {
	r.ContentLength = int64(len(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
}

// bodyOf gives the body that setBody put into the request, for quoting from it.
func bodyOf(r *http.Request) []byte {
	if r.GetBody == nil {
		return nil
	}
	rc, err := r.GetBody()
	if err != nil {
		return nil
	}
	b, _ := io.ReadAll(rc)
	return b
}

// validationProblem turns what the validator found into our own words: a pointer and the limit for each finding. The validator's
// text is never shown; it holds the schema, regular expressions and the names of Go types.
func validationProblem(err error, body []byte) *handlers.Problem {
	f := findings{body: body}
	f.walk(err)
	if len(f.errs)+len(f.strict) == 0 {
		return handlers.NewProblem(handlers.KindRequest, "The request does not match the document of this operation.")
	}
	kind := handlers.KindValue
	if len(f.strict) > 0 {
		// What is against the strict rules decides the status, and is what is shown: the rest may be its consequence.
		kind, f.errs = handlers.KindSyntax, f.strict
	} else if f.request {
		kind = handlers.KindRequest
	}
	detail := f.errs[0].Reason
	if p := f.errs[0].Pointer; p != "" {
		detail = p + ": " + detail
	}
	return handlers.NewProblem(kind, detail, f.errs...)
}

// findings collects what the validator found, at most maxFindings.
type findings struct {
	body      []byte
	unknownAt map[string]bool      // objects whose unknown members are listed already
	taken     map[string]container // parts of body taken apart already, by pointer
	errs      []handlers.ProblemError
	strict    []handlers.ProblemError // what makes it 400: unknown members, a body of another kind
	request   bool                    // a parameter rather than the body: 400
}

const maxFindings = 100

func (f *findings) add(e handlers.ProblemError) {
	if len(f.errs) < maxFindings && !slices.Contains(f.errs, e) {
		f.errs = append(f.errs, e)
	}
}

func (f *findings) addStrict(e handlers.ProblemError) {
	if len(f.strict) < maxFindings && !slices.Contains(f.strict, e) {
		f.strict = append(f.strict, e)
	}
}

func (f *findings) walk(err error) {
	var (
		multi openapi3.MultiError
		req   *openapi3filter.RequestError
		sch   *openapi3.SchemaError
		parse *openapi3filter.ParseError
	)
	switch e := err.(type) { //nolint:errorlint // one step at a time: errors.As on the whole would find only the first of many

	case openapi3.MultiError:
		multi = e
	case *openapi3filter.RequestError:
		req = e
	case *openapi3.SchemaError:
		sch = e
	case *openapi3filter.ParseError:
		parse = e
	default:
		if inner := errors.Unwrap(err); inner != nil {
			f.walk(inner)
		}
		return
	}
	switch {
	case multi != nil:
		for _, e := range multi {
			f.walk(e)
		}
	case req != nil && req.Parameter != nil:
		f.request = true
		f.add(handlers.ProblemError{Reason: "the " + req.Parameter.In + " parameter " + req.Parameter.Name + " cannot be read or does not fit"})
	case req != nil && errors.Is(req.Err, openapi3filter.ErrInvalidRequired):
		f.addStrict(handlers.ProblemError{Reason: "the body is empty", Limit: "one JSON value"})
	case req != nil && req.Err != nil:
		f.walk(req.Err)
	case parse != nil:
		f.addStrict(handlers.ProblemError{Reason: "this is not JSON"})
	case sch != nil:
		f.schema(sch)
	}
}
