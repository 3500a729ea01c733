package handlers

import "mxrest/internal/codec/jsonin"

// CheckJSON holds a body against the strict rules that every JSON operation keeps (jsonin.Parse has them): one value and nothing after it, no
// duplicate keys, valid UTF-8 without lone surrogates, at most maxDepth levels. It returns nil or the 400 problem with pointer and offset.
func CheckJSON(body []byte, maxDepth int) *Problem {
	if _, err := jsonin.New(nil, jsonin.Limits{MaxDepth: maxDepth}).Parse(body); err != nil {
		return problemOf(err)
	}
	return nil
}
