package handlers

import (
	"strings"
)

// Negotiate picks the type to answer in, by the Accept headers of a request and the success types of its operation in the
// order of the document. It returns the index into produces, or -1 when nothing fits (406).
//
// Without Accept, or with an empty one, the first type is served. Otherwise the type with the highest q; between equals the one
// that is named rather than covered by a wildcard; between equals again the earlier one. An Accept that names nothing but
// problem+json is served too: clients generated from an operation with octet-stream and problem+json send just that.
func Negotiate(accept, produces []string) int {
	switch len(accept) {
	case 0:
		return 0
	case 1:
		if accept[0] == "*/*" || accept[0] == "" {
			return 0
		}
	}
	best, bestQ, bestSpec := -1, 0, 0
	for i, t := range produces {
		q, spec := quality(accept, t)
		if q > bestQ || q == bestQ && q > 0 && spec > bestSpec {
			best, bestQ, bestSpec = i, q, spec
		}
	}
	if best < 0 && len(produces) > 0 && onlyProblem(accept) {
		return 0
	}
	return best
}

// quality gives the weight (in thousandths) of the most specific range that covers the media type t, and how specific that
// range is: 3 the type itself, 2 "type/*", 1 "*/*", 0 none.
func quality(accept []string, t string) (q, spec int) {
	empty := true
	for _, line := range accept {
		for len(line) > 0 {
			var item string
			item, line = cutList(line)
			r, rq := parseRange(item)
			if r == "" {
				continue
			}
			empty = false
			if s := covers(r, t); s > spec || s == spec && s > 0 && rq > q {
				q, spec = rq, s
			}
		}
	}
	if empty {
		return 1000, 1
	}
	return q, spec
}

// onlyProblem tells whether every range is problem+json, with a weight above 0.
func onlyProblem(accept []string) bool {
	seen := false
	for _, line := range accept {
		for len(line) > 0 {
			var item string
			item, line = cutList(line)
			r, q := parseRange(item)
			if r == "" {
				continue
			}
			if !strings.EqualFold(r, ProblemMediaType) || q == 0 {
				return false
			}
			seen = true
		}
	}
	return seen
}

// covers tells how specifically the range r covers the type t; see quality. A lone "*", which old Java clients send, is "*/*".
func covers(r, t string) int {
	switch {
	case strings.EqualFold(r, t):
		return 3
	case r == "*/*" || r == "*":
		return 1
	case strings.HasSuffix(r, "/*"):
		n := len(r) - 1
		if len(t) > n && strings.EqualFold(r[:n], t[:n]) {
			return 2
		}
	}
	return 0
}

// cutList takes the first item off a comma-separated header value. Commas inside quotes do not count.
func cutList(s string) (item, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			quoted = !quoted
		case '\\':
			if quoted {
				i++
			}
		case ',':
			if !quoted {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

// parseRange splits one item of Accept into its media range and its weight in thousandths. Other parameters are not looked at.
func parseRange(item string) (mediaRange string, q int) {
	mediaRange, params, _ := strings.Cut(item, ";")
	mediaRange = strings.TrimSpace(mediaRange)
	q = 1000
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ";")
		name, value, ok := strings.Cut(p, "=")
		if name = strings.TrimSpace(name); ok && (name == "q" || name == "Q") {
			q = parseQ(strings.TrimSpace(value))
		}
	}
	return mediaRange, q
}

// parseQ reads a weight such as 0.8, 1 or .2 as thousandths. What is not a weight counts as 1, what is above 1 too.
func parseQ(s string) int {
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" && frac == "" {
		return 1000
	}
	for i := range len(whole) {
		switch {
		case whole[i] < '0' || whole[i] > '9':
			return 1000
		case whole[i] != '0':
			return 1000
		}
	}
	q, unit := 0, 100
	for i := range len(frac) {
		if frac[i] < '0' || frac[i] > '9' {
			return 1000
		}
		q += int(frac[i]-'0') * unit
		unit /= 10
	}
	return q
}

// AcceptedTypes lists the ranges that Accept names with a weight above 0, for the 406 that explains where to find them.
func AcceptedTypes(accept []string) []string {
	var out []string
	for _, line := range accept {
		for len(line) > 0 {
			var item string
			item, line = cutList(line)
			if r, q := parseRange(item); r != "" && q > 0 {
				out = append(out, strings.ToLower(r))
			}
		}
	}
	return out
}
