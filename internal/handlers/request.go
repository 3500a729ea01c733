package handlers

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ReadBody reads a whole body of at most limit bytes. It takes no memory for what is only announced: the buffer grows with what
// has come. The problem is 413, 408 when the body came too slowly, 503 when the server holds too much, or 400 when it broke off.
func ReadBody(r *http.Request, limit int64) ([]byte, *Problem) {
	return readInto(nil, r, limit)
}

// readInto appends a whole body to buf.
func readInto(buf []byte, r *http.Request, limit int64) ([]byte, *Problem) {
	if r.ContentLength > limit {
		return buf, TooLarge(limit)
	}
	start := len(buf)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(len(buf), 2<<10))
		}
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)-start) > limit {
			return buf, TooLarge(limit)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, readProblem(err)
		}
	}
}

// readProblem says why a body could not be read.
func readProblem(err error) *Problem {
	var (
		timeout net.Error
		large   *http.MaxBytesError
		p       *Problem
	)
	switch {
	case errors.As(err, &p):
		return p // the server's own reader had something to say: no memory left for it
	case errors.As(err, &large):
		return TooLarge(large.Limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		return NewProblem(KindTimeout, "The body came too slowly.").WithHeader("Connection", "close")
	}
	return NewProblem(KindSyntax, "The body broke off or was framed wrongly.",
		ProblemError{Reason: "the body broke off or was framed wrongly"}).WithHeader("Connection", "close")
}

// readJSON reads a JSON body into v by the strict rules of CheckJSON; unknown keys and keys in another case are refused too.
// It is for operations that are not hot; what the values mean is for the caller to check.
func (a *API) readJSON(r *http.Request, v any) *Problem {
	body, p := ReadBody(r, a.cfg.Limits.Body)
	if p != nil {
		return p
	}
	return DecodeJSON(body, a.cfg.Limits.Nesting, v)
}

// DecodeJSON is readJSON for a body that is there already, a line of NDJSON say.
func DecodeJSON(body []byte, maxDepth int, v any) *Problem {
	if p := CheckJSON(body, maxDepth); p != nil {
		return p
	}
	err := json.Unmarshal(body, v, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	return semanticProblem(err)
}

// semanticProblem words what does not fit a Go value, without naming the Go type.
func semanticProblem(err error) *Problem {
	var sem *json.SemanticError
	if !errors.As(err, &sem) {
		return NewProblem(KindValue, "A value does not fit.", ProblemError{Reason: "a value does not fit"})
	}
	at := clip(string(sem.JSONPointer))
	if errors.Is(err, json.ErrUnknownName) {
		key := sem.JSONPointer.LastToken()
		return syntaxError(ProblemError{Pointer: at, Reason: fmt.Sprintf("the key %s is unknown", excerpt(key))})
	}
	value := "the " + kindWord(sem.JSONKind)
	if len(sem.JSONValue) > 0 {
		value = clipTo(string(sem.JSONValue), 64)
	}
	e := ProblemError{Pointer: at, Reason: value + " does not fit here", Limit: goWord(sem.GoType)}
	return NewProblem(KindValue, at+": "+e.Reason, e)
}

func kindWord(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "value"
}

// goWord says in words of JSON what a Go type takes.
func goWord(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		hi := int64(1)<<(t.Bits()-1) - 1
		return "integer " + strconv.FormatInt(-hi-1, 10) + ".." + strconv.FormatInt(hi, 10)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return "integer 0.." + strconv.FormatUint(1<<(t.Bits()-1)-1+1<<(t.Bits()-1), 10)
	}
	return ""
}

func clipTo(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
