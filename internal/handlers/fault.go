package handlers

import (
	"errors"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

// problemOf words any error of the packages below as a problem: 400 for what is not JSON or against the strict rules, 422 for
// a value that does not fit, 500 for what should not happen, which shows nothing of itself.
func problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	kind, e := fault(err)
	if kind == KindInternal {
		return NewProblem(kind, "The request could not be served.")
	}
	detail := e.Reason
	if e.Pointer != "" {
		detail = e.Pointer + ": " + detail
	}
	return NewProblem(kind, detail, e)
}

// fault tells what kind of problem an error is, and what is wrong where.
func fault(err error) (Kind, ProblemError) {
	var (
		in *jsonin.Error
		co *codec.Error
	)
	switch {
	case errors.As(err, &in):
		off := in.Offset
		kind := KindValue
		if in.Syntax {
			kind = KindSyntax
		}
		return kind, ProblemError{Pointer: in.Pointer, Reason: in.Reason, Limit: in.Limit, Offset: &off}
	case errors.As(err, &co):
		return KindValue, ProblemError{Pointer: pointers[co.Field], Reason: co.Err.Error()}
	}
	return KindInternal, ProblemError{}
}

// pointers leads from the codec's field names to the members of a write.
var pointers = map[string]string{
	"type": "/type", "value": "/value", "attribute index": "/handle/attributeIndex", "file time": "/timestamp",
}
