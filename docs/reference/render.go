package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// render makes the page. It walks the YAML tree itself, since a parsed OpenAPI model forgets the order of its maps.
func render(document []byte) ([]byte, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(document, &file); err != nil {
		return nil, err
	}
	p := &page{root: node{file.Content[0]}}
	p.intro()
	p.operations()
	p.schemas()
	return bytes.TrimRight(p.out.Bytes(), "\n"), p.err
}

type page struct {
	root node
	out  bytes.Buffer
	err  error
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

func (p *page) intro() {
	info := p.root.get("info")
	p.line("# Reference")
	p.line("")
	p.line("<!-- Written by `make generate` from api/openapi.yaml; change that file, not this one. -->")
	p.line("")
	p.line("%s", strings.ReplaceAll(info.get("description").text(), "\n### ", "\n## "))
	p.line("")
}

func (p *page) operations() {
	p.line("## Operations")
	p.line("")
	p.line("| operation | operationId | | answers in |")
	p.line("|---|---|---|---|")
	p.each(func(method, path string, op node) {
		p.line("| %s | `%s` | %s | %s |", operationLink(method, path), op.get("operationId").text(),
			op.get("summary").text(), strings.Join(p.successTypes(op), ", "))
	})
	p.line("")
	p.errors()
	p.each(p.operation)
}

// each visits the operations in the document's order.
func (p *page) each(visit func(method, path string, op node)) {
	for path, item := range p.root.get("paths").pairs {
		for method, op := range item.pairs {
			visit(strings.ToUpper(method), path, op)
		}
	}
}

func (p *page) operation(method, path string, op node) {
	p.line("### %s %s", method, path)
	p.line("")
	p.line("`%s`: %s.", op.get("operationId").text(), lowerFirst(op.get("summary").text()))
	if d := op.get("description"); d.there() {
		p.line("")
		p.line("%s", strings.TrimSpace(d.text()))
	}
	p.line("")
	if params := op.get("parameters"); params.there() {
		p.line("| query parameter | |")
		p.line("|---|---|")
		for _, q := range params.items() {
			q = p.resolve(q)
			p.line("| `%s` | %s |", q.get("name").text(), cell(q.get("description").text()))
		}
		p.line("")
	}
	for media, body := range op.get("requestBody").get("content").pairs {
		p.line("Request `%s`: %s.", media, p.typeOf(body.get("schema")))
		p.line("")
		p.example(media, body)
	}
	p.line("| status | | body |")
	p.line("|---|---|---|")
	var others []string
	for status, r := range op.get("responses").pairs {
		// What every operation's errors have in common stands in one table above; 422 is each operation's own.
		if status >= "400" && status != "422" {
			others = append(others, status)
			continue
		}
		r = p.resolve(r)
		var bodies []string
		for media, body := range r.get("content").pairs {
			bodies = append(bodies, fmt.Sprintf("`%s`: %s", media, p.typeOf(body.get("schema"))))
		}
		p.line("| %s | %s | %s |", status, cell(r.get("description").text()), strings.Join(bodies, "; "))
	}
	p.line("| %s | [errors](#errors-by-status) | `application/problem+json`: [Problem](#problem) |", strings.Join(others, ", "))
	p.line("")
}

// errors says once what each error status means and which operations answer with it, with an example.
func (p *page) errors() {
	p.line("## Errors by status")
	p.line("")
	p.line("| status | operations | |")
	p.line("|---|---|---|")
	rows, groups := p.failures(), p.groups()
	for _, row := range rows {
		text := cell(row.response.get("description").text())
		if row.status == "422" {
			text = "The JSON is fine, but a value does not fit; each operation says below what that means for it."
		}
		p.line("| %s | %s | %s |", row.status, who(row, rows, groups), text)
	}
	p.line("")
	for _, row := range rows {
		if row.status == "400" {
			p.example("application/problem+json", row.response.get("content").get("application/problem+json"))
			break
		}
	}
}

// failure is one meaning of an error status.
type failure struct {
	status     string
	response   node
	operations []string // markdown links
}

// failures collects what the operations say of their errors, by status; of one status the meaning that most share comes first.
func (p *page) failures() (rows []*failure) {
	seen := map[string]*failure{}
	p.each(func(method, path string, op node) {
		for status, r := range op.get("responses").pairs {
			r = p.resolve(r)
			key := status + r.get("description").text()
			switch {
			case status < "400":
				continue
			case status == "422": // another thing to each operation
				key = status
			}
			if seen[key] == nil {
				seen[key] = &failure{status: status, response: r}
				rows = append(rows, seen[key])
			}
			seen[key].operations = append(seen[key].operations, operationLink(method, path))
		}
	})
	slices.SortStableFunc(rows, func(a, b *failure) int {
		return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(len(b.operations), len(a.operations)))
	})
	return rows
}

// group is a set of operations that has a name.
type group struct {
	name       string
	operations []string
}

// groups are the sets that the errors are shared by, the widest first.
func (p *page) groups() []group {
	groups := []group{
		{name: "every operation"},
		{name: "every operation that a key guards"},
		{name: "every operation with a body"},
		{name: "every operation with a JSON body"},
	}
	p.each(func(method, path string, op node) {
		content := op.get("requestBody").get("content")
		for i, in := range []bool{
			true,
			op.get("responses").get("401").there(),
			content.there(),
			content.get("application/json").there() || content.get("application/x-ndjson").there(),
		} {
			if in {
				groups[i].operations = append(groups[i].operations, operationLink(method, path))
			}
		}
	})
	return groups
}

// who names the operations that a row is about: by their group, in a status's first row by what its other rows leave of a group, or
// one by one.
func who(row *failure, rows []*failure, groups []group) string {
	switch row.status {
	case "404":
		return "every path without an operation; " + strings.Join(row.operations, ", ")
	case "422":
		return "see each operation"
	}
	for _, g := range groups {
		if slices.Equal(row.operations, g.operations) {
			return g.name
		}
	}
	same := slices.DeleteFunc(slices.Clone(rows), func(r *failure) bool { return r.status != row.status })
	var others []string
	for _, r := range same[1:] {
		others = append(others, r.operations...)
	}
	for _, g := range groups {
		left := slices.DeleteFunc(slices.Clone(g.operations), func(op string) bool { return slices.Contains(others, op) })
		if row == same[0] && slices.Equal(row.operations, left) {
			return strings.Replace(g.name, "every", "every other", 1)
		}
	}
	return strings.Join(row.operations, ", ")
}

func operationLink(method, path string) string {
	return fmt.Sprintf("[`%s %s`](#%s)", method, path, anchor(method, path))
}

// example shows the first example of a body as JSON, or as it stands when it is text.
func (p *page) example(media string, body node) {
	for _, e := range body.get("examples").pairs {
		e = p.resolve(e)
		v := e.get("value")
		lang, text := "json", v.json(p)
		if strings.Contains(media, "ndjson") {
			lang, text = "text", strings.TrimSpace(v.text())
		}
		p.line("```%s", lang)
		p.line("%s", text)
		p.line("```")
		p.line("")
		return
	}
}

func (p *page) successTypes(op node) (out []string) {
	seen := map[string]bool{}
	for status, r := range op.get("responses").pairs {
		if status >= "300" {
			continue
		}
		for media := range p.resolve(r).get("content").pairs {
			if !seen[media] {
				seen[media] = true
				out = append(out, media)
			}
		}
	}
	return out
}

func (p *page) schemas() {
	p.line("## Schemas")
	p.line("")
	for name, s := range p.root.get("components").get("schemas").pairs {
		p.line("### %s", name)
		p.line("")
		if d := s.get("description"); d.there() {
			p.line("%s", strings.TrimSpace(d.text()))
			p.line("")
		}
		props := s.get("properties")
		if !props.there() {
			p.line("%s.", upperFirst(p.typeOf(s)))
			p.line("")
			continue
		}
		required := map[string]bool{}
		for _, r := range s.get("required").items() {
			required[r.text()] = true
		}
		p.line("| member | type | |")
		p.line("|---|---|---|")
		for prop, v := range props.pairs {
			mark := ""
			if required[prop] {
				mark = " (required)"
			}
			p.line("| `%s`%s | %s | %s |", prop, mark, p.typeOf(v), cell(v.get("description").text()))
		}
		p.line("")
	}
}

// typeOf says in a few words what a schema takes.
func (p *page) typeOf(s node) string {
	if ref := s.get("$ref"); ref.there() {
		name := ref.text()[strings.LastIndexByte(ref.text(), '/')+1:]
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	}
	if one := s.get("oneOf"); one.there() {
		var names []string
		for _, o := range one.items() {
			names = append(names, p.typeOf(o))
		}
		return strings.Join(names, " or ")
	}
	limits := ""
	switch least, most := s.get("minimum"), s.get("maximum"); {
	case least.there() && most.there():
		limits = fmt.Sprintf(" %s..%s", least.text(), most.text())
	case least.there():
		limits = " from " + least.text()
	}
	switch kind := s.get("type").text(); kind {
	case "":
		return "any JSON"
	case "array":
		return "list of " + p.typeOf(s.get("items"))
	case "string":
		if e := s.get("enum"); e.there() {
			var words []string
			for _, w := range e.items() {
				words = append(words, "`"+w.text()+"`")
			}
			return strings.Join(words, ", ")
		}
		switch f := s.get("format").text(); f {
		case "binary":
			return "octets"
		case "":
		default:
			return "string, " + f
		}
		if m := s.get("maxLength"); m.there() {
			return "string of at most " + m.text() + " characters"
		}
		return "string"
	default:
		return kind + limits
	}
}

// resolve follows a reference.
func (p *page) resolve(n node) node {
	ref := n.get("$ref")
	if !ref.there() {
		return n
	}
	at := p.root
	for _, part := range strings.Split(strings.TrimPrefix(ref.text(), "#/"), "/") {
		at = at.get(part)
	}
	if !at.there() {
		p.err = fmt.Errorf("%s leads nowhere", ref.text())
	}
	return at
}

// node is a YAML node; the zero node is one that is not there.
type node struct{ *yaml.Node }

func (n node) there() bool { return n.Node != nil }

func (n node) get(key string) node {
	for k, v := range n.pairs {
		if k == key {
			return v
		}
	}
	return node{}
}

// pairs yields a mapping's members in order.
func (n node) pairs(yield func(string, node) bool) {
	if !n.there() || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !yield(n.Content[i].Value, node{n.Content[i+1]}) {
			return
		}
	}
}

func (n node) items() (out []node) {
	if n.there() && n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			out = append(out, node{c})
		}
	}
	return out
}

func (n node) text() string {
	if !n.there() {
		return ""
	}
	return n.Value
}

// json writes the node as JSON with its members in order, a small mapping on one line.
func (n node) json(p *page) string {
	var compact bytes.Buffer
	n.appendJSON(p, &compact)
	if compact.Len() <= 100 {
		return compact.String()
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		p.err = err
	}
	return out.String()
}

func (n node) appendJSON(p *page, out *bytes.Buffer) {
	sep := ""
	switch n.Kind {
	case yaml.MappingNode:
		out.WriteByte('{')
		for k, v := range n.pairs {
			fmt.Fprintf(out, "%s%q:", sep, k)
			v.appendJSON(p, out)
			sep = ","
		}
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		for _, v := range n.items() {
			out.WriteString(sep)
			v.appendJSON(p, out)
			sep = ","
		}
		out.WriteByte(']')
	default:
		if n.Tag != "!!str" {
			out.WriteString(n.Value)
			return
		}
		b, err := json.Marshal(n.Value)
		if err != nil {
			p.err = err
		}
		out.Write(b)
	}
}

// anchor is the name that a markdown renderer gives to an operation's heading.
func anchor(method, path string) string {
	return strings.ToLower(method) + "-" + strings.NewReplacer("/", "", ".", "").Replace(path)
}

// cell puts a text into one cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
