package handlers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// CheckJSON holds a body against the strict rules that every JSON operation keeps: one value and nothing after it, no duplicate
// keys, valid UTF-8 without lone surrogates, at most maxDepth levels. It returns nil or the 400 problem with pointer and offset.
// The hot operations do not come here: their decoder (jsonin) keeps the same rules by itself.
func CheckJSON(body []byte, maxDepth int) *Problem {
	dec := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		_, err := dec.ReadToken()
		if err != nil {
			return syntaxProblem(err, len(body))
		}
		switch depth := dec.StackDepth(); {
		case depth > maxDepth:
			off := dec.InputOffset()
			return syntaxError(ProblemError{Pointer: clip(string(dec.StackPointer())), Reason: "the JSON is nested too deeply",
				Limit: fmt.Sprintf("at most %d levels", maxDepth), Offset: &off})
		case depth == 0:
			if rest := bytes.TrimLeft(body[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
				off := int64(len(body) - len(rest))
				return syntaxError(ProblemError{Reason: fmt.Sprintf("the body goes on after its JSON value, with %s", excerpt(rest)), Limit: "one JSON value", Offset: &off})
			}
			return nil
		}
	}
}

func syntaxError(e ProblemError) *Problem {
	return NewProblem(KindSyntax, e.Reason, e)
}

// syntaxProblem words what the JSON reader found.
func syntaxProblem(err error, size int) *Problem {
	var syn *jsontext.SyntacticError
	switch {
	case errors.As(err, &syn) && errors.Is(err, jsontext.ErrDuplicateName):
		return syntaxError(ProblemError{Pointer: clip(string(syn.JSONPointer)), Limit: "each key once",
			Reason: fmt.Sprintf("the key %q stands twice", syn.JSONPointer.LastToken())})
	case errors.Is(err, io.EOF) && size == 0:
		return syntaxError(ProblemError{Reason: "the body is empty", Limit: "one JSON value"})
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		off := int64(size)
		return syntaxError(ProblemError{Reason: "the body ends before its JSON value does", Offset: &off})
	case errors.As(err, &syn):
		off := syn.ByteOffset
		reason := "this is not JSON"
		if syn.Err != nil {
			reason = strings.TrimPrefix(syn.Err.Error(), "jsontext: ")
		}
		return syntaxError(ProblemError{Pointer: clip(string(syn.JSONPointer)), Reason: reason, Offset: &off})
	}
	return NewProblem(KindInternal, "The body could not be read as JSON.")
}

// excerpt quotes the beginning of what was sent, so that an error can show it and stays short.
func excerpt(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q…", bytes.ToValidUTF8(b[:most], nil))
	}
	return fmt.Sprintf("%q", b)
}

// clip keeps a pointer, whose length the caller of the service decides, from blowing up the answer.
func clip(pointer string) string {
	const most = 256
	if len(pointer) > most {
		return strings.ToValidUTF8(pointer[:most], "") + "…"
	}
	return pointer
}
