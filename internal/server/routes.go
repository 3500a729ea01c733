package server

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"mxrest/api"
	"mxrest/internal/codec"
	"mxrest/internal/handlers"
	"mxrest/internal/layoutfile"
)

// routes is the API's handler: every operation of the document, each behind the steps that a request to it passes.
func (s *Server) routes() (chi.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	if err != nil {
		return nil, fmt.Errorf("the embedded OpenAPI document: %w", err)
	}
	ops, err := readOperations(doc)
	if err != nil {
		return nil, fmt.Errorf("the embedded OpenAPI document: %w", err)
	}
	if s.cfg.AdminListen != "" {
		delete(ops, "/metrics") // it is on the admin listener, and only there
	}
	valid := newValidator(doc, &s.cfg)

	r := chi.NewRouter()
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { ops.notHere(w, r) })
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { ops.notHere(w, r) })

	// steps are what a request to an operation passes, from the outside in; each that does not apply is nil.
	steps := func(op *operation) []middleware {
		if len(op.consumes) == 0 {
			return []middleware{
				ops.requireAccept(op), // 406
			}
		}
		return []middleware{
			limitBody(s.bodyLimit(op)), // 413, as announced
			ops.requireMediaType(op),   // 415
			ops.requireAccept(op),      // 406
			valid.check(op),            // 400, 422, unless the codec's decoder does it
		}
	}

	looks := pages(r, ops.notHere)

	// The generated router is only walked: it knows which method of ServerInterface stands behind which path.
	generated := chi.NewRouter()
	behindAll, err := s.operations()
	if err != nil {
		return nil, err
	}
	api.HandlerWithOptions(behindAll, api.ChiServerOptions{BaseRouter: generated, ErrorHandlerFunc: badParameter})
	err = chi.Walk(generated, func(method, path string, h http.Handler, _ ...func(http.Handler) http.Handler) error {
		op := ops[path][method]
		if op == nil && path == "/metrics" {
			return nil
		}
		if op == nil {
			return fmt.Errorf("%s %s is not in the OpenAPI document", method, path)
		}
		if look := looks[op.id]; look != nil {
			h = look
		}
		if innermost != nil {
			h = innermost(h)
		}
		h = behind(steps(op), h)
		r.Method(method, path, h)
		if method == http.MethodGet {
			r.Method(http.MethodHead, path, h)
		}
		return nil
	})
	return r, err
}

// front is what every request passes before its operation is known, from the outside in.
func (s *Server) front(routes chi.Router) http.Handler {
	return behind([]middleware{
		s.lean,          // panics become one 500; request id; counters; access log; memory budget
		s.cors,          // off unless origins are listed; answers preflights, which carry no key
		s.requireKey,    // 401, before a byte of the body is read
		s.limitRate,     // 429
		s.limitInFlight, // 503
		s.shortcut(routes),
	}, routes)
}

// shortcut takes a POST to its operation by the path alone. The router would find the same handler, but it makes a context and a copy of
// the request for each, which operations have no use for: their paths have no parameters.
func (s *Server) shortcut(routes chi.Router) middleware {
	_ = chi.Walk(routes, func(method, path string, h http.Handler, _ ...func(http.Handler) http.Handler) error {
		if r := s.table.exact[path]; r != nil && method == http.MethodPost {
			r.post = h
		}
		return nil
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if x := transitOf(w); x != nil && x.route.post != nil && r.Method == http.MethodPost {
				x.route.post.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// innermost is nil but in the tests that need operations to fail.
var innermost middleware

// behind puts a handler behind steps, the first of them outermost.
func behind(steps []middleware, h http.Handler) http.Handler {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i] != nil {
			h = steps[i](h)
		}
	}
	return h
}

func (s *Server) bodyLimit(op *operation) int64 {
	if op.streamed {
		return s.cfg.Limits.BatchBody
	}
	return s.cfg.Limits.Body
}

// operations is what stands behind the document.
func (s *Server) operations() (api.ServerInterface, error) {
	var layout *codec.Layout
	if s.cfg.LayoutFile != "" {
		var err error
		if layout, err = layoutfile.Load(s.cfg.LayoutFile); err != nil {
			return nil, fmt.Errorf("--layout: %w", err)
		}
	}
	l := s.cfg.Limits
	return handlers.New(handlers.Config{
		Limits: handlers.Limits{Body: l.Body, BatchBody: l.BatchBody, BatchItems: l.BatchItems, BatchReply: l.BatchReply,
			String: l.String, Array: l.Array, Nesting: l.Nesting},
		Layout:  layout,
		Version: s.cfg.Version, Revision: s.cfg.Revision,
		Ready:   s.Ready,
		Metrics: s.metrics,
		Budget:  s.budget,
		Bench:   s.bench,
	}), nil
}

// notHere answers 404 for a path that is not there and 405 for a method that a path does not have.
func (ops operations) notHere(w http.ResponseWriter, r *http.Request) {
	allow := ops.allow(r.URL.Path)
	if allow == "" {
		detail := "There is nothing at this path. The operations stand in /openapi.yaml."
		if near := strings.TrimRight(r.URL.Path, "/"); ops.allow(near) != "" {
			detail = "There is nothing at this path. Without the slash at its end it is " + near + "."
		}
		handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindNotFound, detail))
		return
	}
	handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindMethod,
		fmt.Sprintf("%s takes %s.", r.URL.Path, allow)).WithHeader("Allow", allow))
}

// badParameter words the generated code's errors about query parameters, whose own text names Go types.
func badParameter(w http.ResponseWriter, r *http.Request, _ error) {
	handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindRequest, "A query parameter cannot be read: each may be given once, percent-encoded.",
		handlers.ProblemError{Reason: "a query parameter cannot be read"}))
}
