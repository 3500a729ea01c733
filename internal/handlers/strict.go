package handlers

import (
	"fmt"
	"strings"

	"mxrest/internal/codec/jsonin"
)

// CheckJSON holds a body against the strict rules that every JSON operation keeps (jsonin.Parse has them): one value and nothing after it, no
// duplicate keys, valid UTF-8 without lone surrogates, at most maxDepth levels. It returns nil or the 400 problem with pointer and offset.
func CheckJSON(body []byte, maxDepth int) *Problem {
	if _, err := jsonin.New(nil, jsonin.Limits{MaxDepth: maxDepth}).Parse(body); err != nil {
		return problemOf(err)
	}
	return nil
}

func syntaxError(e ProblemError) *Problem {
	return NewProblem(KindSyntax, e.Reason, e)
}

// excerpt quotes the beginning of what was sent, so that an error can show it and stays short.
func excerpt(s string) string {
	const most = 40
	if len(s) > most {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:most], ""))
	}
	return fmt.Sprintf("%q", s)
}

// clip keeps a pointer, whose length the caller of the service decides, from blowing up the answer.
func clip(pointer string) string {
	const most = 256
	if len(pointer) > most {
		return strings.ToValidUTF8(pointer[:most], "") + "…"
	}
	return pointer
}
