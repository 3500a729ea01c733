package handlers

import (
	"fmt"
	"net/http"

	"mxrest/internal/capture"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
)

// textInput is a body given as text, as it was asked for.
type textInput struct {
	id      string
	body    []byte
	form    capture.Form
	pointer string // to the member that held the text
	names   inspect.Options
}

// DecodeText answers with the fields of one body, given as hex, base64 or text.
func (a *API) DecodeText(w http.ResponseWriter, r *http.Request) {
	root, p := a.readNode(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	d, p := a.decodeText(root)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	respondJSON(w, r, d)
}

// readNode reads a JSON request for an operation that walks it by itself. The root is an object.
func (a *API) readNode(r *http.Request) (root jsonin.Node, p *Problem) {
	body, p := ReadBody(r, a.cfg.Limits.Body)
	if p != nil {
		return root, p
	}
	root, err := a.parseObject(body)
	if err != nil {
		return root, problemOf(err)
	}
	return root, nil
}

// parseObject checks a document against the strict rules; one that is no object is refused like one that is no JSON, as for writes.
func (a *API) parseObject(body []byte) (jsonin.Node, error) {
	root, err := a.json.Parse(body)
	if err == nil && root.Kind() != jsonin.Object {
		err = &jsonin.Error{Reason: "the body is " + root.Kind().String() + ", not an object", Offset: root.Offset(), Syntax: true}
	}
	return root, err
}

// decodeText decodes the body of a TextInput.
func (a *API) decodeText(n jsonin.Node) (capture.Decoded, *Problem) {
	m, err := n.Members(textNames...)
	if err != nil {
		return capture.Decoded{}, problemOf(err)
	}
	in, err := a.textMembers(n, m)
	if err != nil {
		return capture.Decoded{ID: in.id}, problemOf(err)
	}
	view, p := a.view(in.body, in.names, in.pointer)
	if p != nil {
		p.Form = in.form
	}
	return capture.Decoded{ID: in.id, View: view, Form: in.form}, p
}

// The members of a TextInput.
var textNames = []string{"id", "hex", "base64", "text", "object", "attribute"}

// textInput reads a TextInput inside a bigger request.
func (a *API) textInput(n jsonin.Node) (textInput, error) {
	m, err := n.Members(textNames...)
	if err != nil {
		return textInput{}, err
	}
	return a.textMembers(n, m)
}

// textMembers reads the members of a TextInput in the order of textNames. On error the id is still set when it could be read.
func (a *API) textMembers(n jsonin.Node, m []jsonin.Node) (in textInput, err error) {
	if in.id, err = capture.ID(m[0]); err != nil {
		return in, err
	}
	given, err := capture.Bytes(n, m[1], m[2], m[3], int(a.cfg.Limits.Body))
	if err != nil {
		return in, err
	}
	in.body, in.form, in.pointer = given.Body, capture.FormOf(given.Form), given.Pointer
	if in.names.Object, err = a.nameOf(m[4]); err != nil {
		return in, err
	}
	in.names.Attribute, err = a.nameOf(m[5])
	return in, err
}

// nameOf reads a name to check, "" when it is absent.
func (a *API) nameOf(n jsonin.Node) (string, error) {
	if !n.Present() {
		return "", nil
	}
	name, err := n.Text(nil)
	switch {
	case err != nil:
		return "", err
	case len(name) == 0:
		return "", n.Fail("the name is empty", "at least 1 character")
	case len(name) > a.cfg.Limits.String:
		return "", n.Fail("the name is too long", fmt.Sprintf("at most %d bytes", a.cfg.Limits.String))
	}
	return string(name), nil
}
