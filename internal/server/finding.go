package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"mxrest/internal/handlers"
)

// schema words one finding by the keyword of the schema that was broken.
func (f *findings) schema(e *openapi3.SchemaError) {
	at := pointerOf(e.JSONPointer())
	s := e.Schema
	quoted := f.quote(e.JSONPointer())
	reason, limit := "does not fit", ""
	switch e.SchemaField {
	case "required":
		name := last(e.JSONPointer())
		reason, limit = name+" is missing", typeWord(s.Properties[name])
	case "properties":
		f.unknown(at, e)
		return
	case "discriminator":
		f.discriminator(at, e)
		return
	case "oneOf", "anyOf", "allOf":
		// With a discriminator there is one branch, and what is wrong inside it is the finding.
		var inner openapi3.MultiError
		if e.Origin != nil && errors.As(e.Origin, &inner) && (s.Discriminator != nil || len(inner) == 1) {
			f.walk(inner)
			return
		}
		reason, limit = quoted+" is in none of the forms taken here", formWords(s)
	case "type", "nullable":
		reason, limit = quoted+" is of the wrong type", typeWord(&openapi3.SchemaRef{Value: s})
		if at == "" { // the whole body is of another kind: no operation takes it
			f.addStrict(handlers.ProblemError{Reason: "the body is not an " + limit, Limit: limit})
			return
		}
	case "enum":
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		reason, limit = quoted+" is not one of the words taken here", strings.Join(words, ", ")
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		reason, limit = quoted+" is out of range", rangeWord(s)
	case "minLength", "maxLength":
		reason, limit = "the text is too short or too long", lengthWord(s.MinLength, s.MaxLength, "characters")
	case "minItems", "maxItems":
		reason, limit = "the list is too short or too long", lengthWord(s.MinItems, s.MaxItems, "items")
	case "minProperties", "maxProperties":
		reason, limit = "the object has too few or too many members", lengthWord(s.MinProps, s.MaxProps, "members")
	case "pattern", "format":
		reason, limit = quoted+" is not in the form taken here", formWord(s)
	case "multipleOf":
		reason = quoted + " is not a multiple of what the document says"
	case "uniqueItems":
		reason = "the list holds an item twice"
	}
	f.add(handlers.ProblemError{Pointer: at, Reason: reason, Limit: limit})
}

// unknown lists the keys that the object may not have. The validator stops at the first of them and names it only in its text.
func (f *findings) unknown(at string, e *openapi3.SchemaError) {
	if f.unknownAt[at] {
		return // it comes once for each such key
	}
	if f.unknownAt == nil {
		f.unknownAt = map[string]bool{}
	}
	f.unknownAt[at] = true
	object, _ := e.Value.(map[string]any)
	known := make([]string, 0, len(e.Schema.Properties))
	for k := range e.Schema.Properties {
		known = append(known, k)
	}
	slices.Sort(known)
	var bad []string
	for k := range object {
		if _, ok := e.Schema.Properties[k]; !ok {
			bad = append(bad, k)
		}
	}
	slices.Sort(bad)
	for _, k := range bad[:min(len(bad), maxFindings)] {
		p := at + "/" + escape(k)
		reason := "unknown member " + quote(k)
		for _, name := range known {
			if strings.EqualFold(name, k) {
				reason += ": names are case-sensitive, write " + strconv.Quote(name)
			}
		}
		f.addStrict(handlers.ProblemError{Pointer: clip(p), Reason: reason, Limit: strings.Join(known, ", ")})
	}
}

func (f *findings) discriminator(at string, e *openapi3.SchemaError) {
	name := e.Schema.Discriminator.PropertyName
	words := make([]string, 0, len(e.Schema.Discriminator.Mapping))
	for k := range e.Schema.Discriminator.Mapping {
		words = append(words, k)
	}
	slices.Sort(words)
	at += "/" + escape(name)
	reason := name + " is missing"
	if e.Value != nil {
		reason = f.quote(append(e.JSONPointer(), name)) + " is not one of the words taken here"
	}
	f.add(handlers.ProblemError{Pointer: at, Reason: reason, Limit: strings.Join(words, ", ")})
}

// quote gives the value at a path of the body as it was typed, cut short.
func (f *findings) quote(path []string) string {
	raw := json.RawMessage(f.body)
	at := ""
	for _, key := range path {
		c := f.container(at, raw)
		at += "/" + escape(key)
		if i, err := strconv.Atoi(key); err == nil && i < len(c.items) {
			raw = c.items[i]
		} else if v, ok := c.members[key]; ok {
			raw = v
		} else {
			return "the value"
		}
	}
	if len(raw) == 0 {
		return "the value"
	}
	return clipTo(string(raw), 64)
}

// container is an object or array of the body, taken apart by one level.
type container struct {
	members map[string]json.RawMessage
	items   []json.RawMessage
}

// container takes a value apart once, however many findings lie below it.
func (f *findings) container(at string, raw json.RawMessage) container {
	if c, ok := f.taken[at]; ok {
		return c
	}
	var c container
	if json.Unmarshal(raw, &c.members) != nil {
		_ = json.Unmarshal(raw, &c.items)
	}
	if f.taken == nil {
		f.taken = map[string]container{}
	}
	f.taken[at] = c
	return c
}

func pointerOf(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(escape(p))
	}
	return clip(b.String())
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escape(key string) string { return pointerEscaper.Replace(key) }

func quote(s string) string { return strconv.Quote(clipTo(s, 64)) }

func clip(s string) string { return clipTo(s, 256) }

func clipTo(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func last(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return path[len(path)-1]
}

// typeWord says in words what a schema takes.
func typeWord(ref *openapi3.SchemaRef) string {
	if ref == nil || ref.Value == nil {
		return ""
	}
	s := ref.Value
	switch {
	case len(s.OneOf) > 0:
		return formWords(s)
	case len(s.Enum) > 0 && len(s.Enum) < 20:
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		return strings.Join(words, ", ")
	case s.Type == nil || len(s.Type.Slice()) == 0:
		return ""
	}
	switch t := s.Type.Slice()[0]; t {
	case "integer":
		if r := rangeWord(s); r != "" {
			return "integer " + r
		}
		return "integer"
	case "string":
		return formWord(s)
	default:
		return t
	}
}

func formWords(s *openapi3.Schema) string {
	var words []string
	for _, ref := range append(slices.Clone(s.OneOf), s.AnyOf...) {
		if w := typeWord(ref); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " or ")
}

// formWord says what a string must be: by its format, or by the title or description the document gives it, never by the pattern.
func formWord(s *openapi3.Schema) string {
	switch {
	case s.Format == "date-time":
		return "RFC 3339 time with Z or an offset"
	case s.Format == "uuid":
		return "UUID"
	case s.Format == "byte":
		return "base64"
	case s.Title != "":
		return s.Title
	case s.Pattern != "" && s.Description != "":
		line, _, _ := strings.Cut(s.Description, "\n")
		return line
	default:
		return "string"
	}
}

func rangeWord(s *openapi3.Schema) string {
	num := func(f *float64) string {
		if f == nil {
			return ""
		}
		return strconv.FormatFloat(*f, 'f', -1, 64)
	}
	switch lo, hi := num(s.Min), num(s.Max); {
	case lo != "" && hi != "":
		return lo + ".." + hi
	case lo != "":
		return "at least " + lo
	case hi != "":
		return "at most " + hi
	}
	return ""
}

func lengthWord(lo uint64, hi *uint64, unit string) string {
	if hi == nil {
		return fmt.Sprintf("at least %d %s", lo, unit)
	}
	if lo == *hi {
		return fmt.Sprintf("%d %s", lo, unit)
	}
	return fmt.Sprintf("%d..%d %s", lo, *hi, unit)
}
