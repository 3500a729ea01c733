package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"mxrest/internal/handlers"
)

// operation is what the document says of one operation, as far as the guards in front of it need to know. The document is
// the only place where this is written; nothing here repeats it.
type operation struct {
	id, method, path string

	consumes []string // media types of the request body, in the document's order of preference; none: takes no body
	produces []string // media types of success, JSON first
	statuses []string // documented statuses, for the contract test

	streamed bool // the body is read piece by piece and has the batch limit (x-mxrest-streamed)
	codec    bool // the codec's own decoder validates the body (x-mxrest-validated-by: codec)
}

// operations are the document's, by path and method.
type operations map[string]map[string]*operation

// readOperations walks the document.
func readOperations(doc *openapi3.T) (operations, error) {
	ops := operations{}
	for path, item := range doc.Paths.Map() {
		if strings.Contains(path, "{") {
			return nil, fmt.Errorf("%s: paths with parameters are not provided for", path)
		}
		ops[path] = map[string]*operation{}
		for method, o := range item.Operations() {
			op := &operation{id: o.OperationID, method: method, path: path}
			op.codec = o.Extensions["x-mxrest-validated-by"] == "codec"
			op.streamed = o.Extensions["x-mxrest-streamed"] == true
			if o.RequestBody != nil {
				op.consumes = mediaTypes(o.RequestBody.Value.Content)
			}
			for status, res := range o.Responses.Map() {
				op.statuses = append(op.statuses, status)
				if status[0] != '2' {
					continue
				}
				for _, t := range mediaTypes(res.Value.Content) {
					if !slices.Contains(op.produces, t) {
						op.produces = append(op.produces, t)
					}
				}
			}
			jsonFirst(op.produces)
			slices.Sort(op.statuses)
			ops[path][method] = op
		}
	}
	return ops, nil
}

// mediaTypes lists the bare types of a content map, JSON first: the document's own order is lost when it is parsed.
func mediaTypes(c openapi3.Content) []string {
	out := make([]string, 0, len(c))
	for t := range c {
		t, _, _ = strings.Cut(t, ";")
		out = append(out, strings.TrimSpace(t))
	}
	jsonFirst(out)
	return out
}

func jsonFirst(types []string) {
	slices.SortFunc(types, func(a, b string) int {
		if (a == "application/json") != (b == "application/json") {
			if a == "application/json" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

// allow is the Allow header of a path: its methods, with HEAD where there is GET; "" for a path that is not there.
func (ops operations) allow(path string) string {
	var methods []string
	for m := range ops[path] {
		methods = append(methods, m)
		if m == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// elsewhere finds the operation that gives the answer in another type: the same answer by "/explain", "/results" or ".json" beside the
// path, or the path without them; else the same for one or for many.
func (ops operations) elsewhere(op *operation, mediaRange string) *operation {
	base := op.path
	for _, suffix := range variants {
		base = strings.TrimSuffix(base, suffix)
	}
	for _, suffix := range append([]string{""}, variants...) {
		for _, o := range ops[base+suffix] {
			if o != op && o.method == op.method && handlers.Negotiate([]string{mediaRange}, o.produces) >= 0 {
				return o
			}
		}
	}
	// Else the same for one or for many: the path above or below.
	for _, path := range slices.Sorted(maps.Keys(ops)) {
		if o := ops[path][op.method]; o != nil && (strings.HasPrefix(path, op.path+"/") || strings.HasPrefix(op.path, path+"/")) &&
			handlers.Negotiate([]string{mediaRange}, o.produces) >= 0 {
			return o
		}
	}
	return nil
}

// taking finds the operation below op's path that takes a body of the type, nil when there is none.
func (ops operations) taking(op *operation, contentType string) *operation {
	for _, path := range slices.Sorted(maps.Keys(ops)) {
		if o := ops[path][op.method]; o != nil && strings.HasPrefix(path, op.path+"/") && matchMediaType(contentType, o.consumes) &&
			!slices.Equal(o.consumes, op.consumes) {
			return o
		}
	}
	return nil
}

// variants are the endings by which the contract tells operations that give one answer in several types apart.
var variants = []string{"/results", "/explain", ".json", ".yaml"}

// notAcceptable is the 406 of an operation: what it answers in, and for each type asked for the operation that has it.
func (ops operations) notAcceptable(op *operation, accept []string) *handlers.Problem {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s answers in %s.", op.method, op.path, strings.Join(op.produces, " or "))
	for _, t := range handlers.AcceptedTypes(accept) {
		switch other := ops.elsewhere(op, t); {
		case t == handlers.ProblemMediaType:
		case other != nil:
			fmt.Fprintf(&b, " %s: use %s %s.", t, other.method, other.path)
		case t == "text/html":
			b.WriteString(" text/html: use GET / (the page).")
		default:
			fmt.Fprintf(&b, " %s: no operation gives this.", t)
		}
	}
	return handlers.NewProblem(handlers.KindNotAcceptable, b.String())
}
