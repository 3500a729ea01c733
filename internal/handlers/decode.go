package handlers

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"unicode/utf8"

	"mxrest/api"
	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/inspect"
	"mxrest/internal/paste"
)

// octetForm is the form of a body that came as it is.
var octetForm = capture.Form{Name: paste.Octets, Certain: true}

// Decode answers with the fields of one body, given as octets. 422 with the offset and the fields read so far when it is broken.
func (a *API) Decode(w http.ResponseWriter, r *http.Request, params api.DecodeParams) {
	body, p := ReadBody(r, a.cfg.Limits.Body)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		WriteProblem(w, r, NewProblem(KindRequest, "The query is not percent-encoded as it must be.", ProblemError{Reason: "the query cannot be read"}))
		return
	}
	for key := range query {
		if key != "object" && key != "attribute" { // a slip of the pen would be a name that nobody checked
			WriteProblem(w, r, NewProblem(KindRequest, fmt.Sprintf("There is no query parameter %.40q here.", key),
				ProblemError{Reason: fmt.Sprintf("%.40q is no query parameter of this operation", key), Limit: "object, attribute"}))
			return
		}
	}
	var o inspect.Options
	if o.Object, p = nameParameter("object", params.Object); p == nil {
		o.Attribute, p = nameParameter("attribute", params.Attribute)
	}
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	view, p := a.view(body, o, "")
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	respondJSON(w, r, capture.Decoded{View: view, Form: octetForm})
}

// view decodes a body. pointer says where the body stood in the request, for the problem.
func (a *API) view(body []byte, o inspect.Options, pointer string) (*inspect.View, *Problem) {
	rep := inspect.Body(a.layout, body, o)
	if rep.Err != nil {
		return nil, a.bodyProblem(rep, body, pointer)
	}
	return rep.View(a.layout, body, o), nil
}

// bodyProblem is the 422 of a body that does not decode: where, why, and the fields before.
func (a *API) bodyProblem(rep *inspect.Report, body []byte, pointer string) *Problem {
	field, reason, limit, at := inspect.Reason(a.layout, body, rep.Err)
	if field != "" {
		field += " "
	}
	off := int64(at)
	detail := fmt.Sprintf("%sat offset %d: %s", field, at, reason)
	if errors.Is(rep.Err, codec.ErrOpcode) {
		detail += ". " + inspect.UnknownMessage(body, "POST /v1/decode/batch takes them",
			"POST /v1/layout/learn works the layout out, for --layout, and POST /v1/replay puts other values into the body as it is")
	}
	p := NewProblem(KindBody, detail,
		ProblemError{Pointer: pointer, Reason: reason, Limit: limit, Offset: &off})
	if len(body) <= maxShown {
		p.Hex = hex.EncodeToString(body)
	}
	if len(rep.Fields) > 0 {
		p.Fields = rep.Fields
	}
	return p
}

// maxShown is the longest broken body that a problem shows whole.
const maxShown = 64 << 10

// nameParameter reads a name to check from the query, "" when it is absent.
func nameParameter(key string, name *string) (string, *Problem) {
	switch {
	case name == nil:
		return "", nil
	case *name == "":
		return "", NewProblem(KindRequest, "The query parameter "+key+" is empty.", ProblemError{Reason: key + " is empty", Limit: "at least 1 character"})
	case !utf8.ValidString(*name):
		return "", NewProblem(KindRequest, "The query parameter "+key+" is not UTF-8.", ProblemError{Reason: key + " is not UTF-8"})
	}
	return *name, nil
}
