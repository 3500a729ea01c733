package handlers

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// ProblemMediaType is the media type of every error answer (RFC 9457).
const ProblemMediaType = "application/problem+json"

// RequestIDHeader carries the request's id, in the request (the caller may choose it) and in the answer.
const RequestIDHeader = "X-Request-Id"

// Kind is the sort of problem: the last part of its type URI, and the label that metrics count errors by.
// The set is closed, so that series do not grow.
type Kind string

// The kinds, each with the one status it is answered with.
const (
	KindSyntax           Kind = "syntax"                 // 400: not JSON, or against the strict rules
	KindRequest          Kind = "request"                // 400: a query, header or path that cannot be read
	KindUnauthorized     Kind = "unauthorized"           // 401
	KindForbidden        Kind = "forbidden"              // 403
	KindNotFound         Kind = "not-found"              // 404
	KindMethod           Kind = "method-not-allowed"     // 405
	KindNotAcceptable    Kind = "not-acceptable"         // 406
	KindTimeout          Kind = "timeout"                // 408: the body came too slowly
	KindTooLarge         Kind = "too-large"              // 413
	KindMediaType        Kind = "unsupported-media-type" // 415
	KindValue            Kind = "invalid-value"          // 422: JSON is fine, the value does not fit
	KindBody             Kind = "invalid-body"           // 422: message bytes that do not decode
	KindExpectation      Kind = "expectation-failed"     // 417
	KindRateLimited      Kind = "rate-limited"           // 429
	KindHeaders          Kind = "headers-too-large"      // 431
	KindInternal         Kind = "internal"               // 500
	KindNotImplemented   Kind = "not-implemented"        // 501: a transfer coding that the server does not have
	KindHTTPVersion      Kind = "http-version"           // 505
	KindUnavailable      Kind = "unavailable"            // 503: not ready, or a part of the service is not there
	KindOverloaded       Kind = "overloaded"             // 503: too many requests in flight
	problemTypeURIPrefix      = "urn:mxrest:problem:"
)

// kinds gives each kind its status and title.
var kinds = map[Kind]struct {
	status int
	title  string
}{
	KindSyntax:         {http.StatusBadRequest, "The body is not JSON as this service takes it"},
	KindRequest:        {http.StatusBadRequest, "The request cannot be read"},
	KindUnauthorized:   {http.StatusUnauthorized, "A valid API key is needed"},
	KindForbidden:      {http.StatusForbidden, "Not allowed"},
	KindNotFound:       {http.StatusNotFound, "There is nothing at this path"},
	KindMethod:         {http.StatusMethodNotAllowed, "This path does not take this method"},
	KindNotAcceptable:  {http.StatusNotAcceptable, "This operation does not answer in the type asked for"},
	KindTimeout:        {http.StatusRequestTimeout, "The request came too slowly"},
	KindTooLarge:       {http.StatusRequestEntityTooLarge, "The request or its answer is too large"},
	KindMediaType:      {http.StatusUnsupportedMediaType, "This operation does not take this kind of body"},
	KindValue:          {http.StatusUnprocessableEntity, "A value does not fit"},
	KindBody:           {http.StatusUnprocessableEntity, "The message body cannot be decoded"},
	KindExpectation:    {http.StatusExpectationFailed, "This expectation cannot be met"},
	KindRateLimited:    {http.StatusTooManyRequests, "Too many requests"},
	KindHeaders:        {http.StatusRequestHeaderFieldsTooLarge, "The request's headers are too large"},
	KindInternal:       {http.StatusInternalServerError, "The server failed"},
	KindNotImplemented: {http.StatusNotImplemented, "This transfer coding is not taken"},
	KindHTTPVersion:    {http.StatusHTTPVersionNotSupported, "This version of HTTP is not spoken"},
	KindUnavailable:    {http.StatusServiceUnavailable, "The service is not ready"},
	KindOverloaded:     {http.StatusServiceUnavailable, "The server is busy"},
}

// ProblemError is one thing that is wrong: where, why, and the limit that was broken.
type ProblemError struct {
	// Pointer is the RFC 6901 JSON pointer to the field in the request, "" for the whole body.
	Pointer string `json:"pointer"`
	// Reason says what is wrong in words that quote the value as it was typed.
	Reason string `json:"reason"`
	// Limit is what would have been taken, such as "-2147483648..2147483647"; "" when no limit was broken.
	Limit string `json:"limit,omitempty"`
	// Offset is the byte offset in the request body (or in the line, in a batch of lines).
	Offset *int64 `json:"offset,omitempty"`
	// Index is the item's place in a batch, from 0.
	Index *int `json:"index,omitempty"`
	// Line is the item's line in NDJSON input, from 1; skipped lines count.
	Line *int `json:"line,omitempty"`
	// ID is the item's own id, when it gave one.
	ID *string `json:"id,omitempty"`
}

// Problem is the body of every error answer, whoever finds the error: router, middleware, validator or operation.
// It is an error, so that any function may return one.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// Instance is the request id; the X-Request-Id header of the answer says the same.
	Instance string         `json:"instance"`
	Errors   []ProblemError `json:"errors,omitempty"`
	// Total counts the failed items of a batch; Errors lists the first 100 of them.
	Total *int `json:"total,omitempty"`
	// Fields are the fields that could be read of a message body before it broke (decode only).
	Fields any `json:"fields,omitempty"`
	// Hex is the whole of that body, when it has at most 65,536 bytes, so that a reader sees what was not read too.
	Hex string `json:"hex,omitempty"`
	// Form is the form in which that body was given (decode only).
	Form any `json:"form,omitempty"`

	header http.Header
}

// NewProblem makes a problem of a kind, whose status and title follow from it.
func NewProblem(kind Kind, detail string, errs ...ProblemError) *Problem {
	k, ok := kinds[kind]
	if !ok {
		kind, k = KindInternal, kinds[KindInternal]
	}
	return &Problem{Type: problemTypeURIPrefix + string(kind), Title: k.title, Status: k.status, Detail: detail, Errors: errs}
}

// Error makes a Problem an error.
func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// Kind gives back the kind the problem was made of.
func (p *Problem) Kind() Kind { return Kind(strings.TrimPrefix(p.Type, problemTypeURIPrefix)) }

// WithHeader adds a header to the answer, such as Allow, Retry-After or WWW-Authenticate.
func (p *Problem) WithHeader(key, value string) *Problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Add(key, value)
	return p
}

// WriteProblem answers with the problem. The request id is the one that the answer's header holds already (the caller's
// own, put there by the server's first middleware), or a new one: only errors pay for making an id.
// Nothing may have been written to w before.
func WriteProblem(w http.ResponseWriter, _ *http.Request, p *Problem) {
	h := w.Header()
	for key, values := range p.header {
		h[key] = values
	}
	body := p.Body(EnsureRequestID(h))
	h["Content-Type"] = headerProblem
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	h["X-Content-Type-Options"] = headerNosniff
	if n, ok := w.(interface{ NoteProblem(Kind) }); ok {
		n.NoteProblem(p.Kind())
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // #nosec G705 -- JSON of its own media type, with nosniff
}

// Body is the problem as JSON, with the request's id.
func (p *Problem) Body(id string) []byte {
	out := *p
	out.Instance = id
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&out); err != nil {
		// Only Fields and Form could fail, and an error answer must never fail.
		body.Reset()
		out.Fields, out.Form = nil, nil
		_ = enc.Encode(&out)
	}
	return body.Bytes()
}

// EnsureRequestID gives the id in the answer's headers and makes one where there is none.
func EnsureRequestID(h http.Header) string {
	if v := h[RequestIDHeader]; len(v) > 0 {
		return v[0]
	}
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	id := hex.EncodeToString(b[:])
	h[RequestIDHeader] = []string{id}
	return id
}

// ValidRequestID says whether a caller's request id may be taken over: 1 to 128 letters, digits and ._-~ only, so that
// it can stand in headers, logs and a URI reference as it is.
func ValidRequestID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-', c == '~':
		default:
			return false
		}
	}
	return true
}

// TooLarge is the 413 of a body over the limit, whether it said so beforehand or not.
func TooLarge(limit int64) *Problem {
	return NewProblem(KindTooLarge, "The body is larger than this operation takes.",
		ProblemError{Reason: "the body is too large", Limit: "at most " + strconv.FormatInt(limit, 10) + " bytes"})
}
