package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
	"mxrest/internal/paste"
)

// textInput is a body given as text, as it was asked for.
type textInput struct {
	id      string
	body    []byte
	form    textForm
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
func (a *API) decodeText(n jsonin.Node) (decoded, *Problem) {
	m, err := n.Members(textNames...)
	if err != nil {
		return decoded{}, problemOf(err)
	}
	in, err := a.textMembers(n, m)
	if err != nil {
		return decoded{ID: in.id}, problemOf(err)
	}
	view, p := a.view(in.body, in.names, in.pointer)
	if p != nil {
		p.Form = in.form
	}
	return decoded{ID: in.id, View: view, Form: in.form}, p
}

// The members of a TextInput.
var textNames = []string{"id", "hex", "base64", "text", "object", "attribute"}

// textMembers reads the members of a TextInput in the order of textNames. On error the id is still set when it could be read.
func (a *API) textMembers(n jsonin.Node, m []jsonin.Node) (in textInput, err error) {
	if in.id, err = idOf(m[0]); err != nil {
		return in, err
	}
	if in.body, in.form, in.pointer, err = a.bytesOf(n, m[1], m[2], m[3]); err != nil {
		return in, err
	}
	if in.names.Object, err = a.nameOf(m[4]); err != nil {
		return in, err
	}
	in.names.Attribute, err = a.nameOf(m[5])
	return in, err
}

// idOf reads an id, "" when it is absent.
func idOf(n jsonin.Node) (string, error) {
	if !n.Present() {
		return "", nil
	}
	id, err := n.Text(nil)
	if err != nil {
		return "", err
	}
	if len([]rune(string(id))) > jsonin.MaxID {
		limit := "0.." + strconv.Itoa(jsonin.MaxID) + " characters"
		return "", n.Fail("the id is longer than "+strconv.Itoa(jsonin.MaxID)+" characters", limit)
	}
	return string(id), nil
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

const oneOfThree = "exactly one of hex, base64 and text"

// bytesOf reads bytes from exactly one of the three members; parent is the object they stand in.
func (a *API) bytesOf(parent, hex, base64, text jsonin.Node) (body []byte, form textForm, pointer string, err error) {
	var given jsonin.Node
	for i, n := range []jsonin.Node{hex, base64, text} {
		switch {
		case !n.Present():
		case given.Present():
			return nil, form, "", n.Fail([]string{"hex", "base64", "text"}[i]+" stands beside another form of the bytes", oneOfThree)
		default:
			given = n
		}
	}
	if !given.Present() {
		return nil, form, "", parent.Missing("hex", oneOfThree)
	}
	s, err := given.Text(nil)
	if err != nil {
		return nil, form, "", err
	}
	form = textForm{Certain: true}
	switch {
	case hex.Present():
		form.Name = paste.HexDigits
		body, err = paste.Hex(string(s))
	case base64.Present():
		form.Name = paste.Base64Text
		body, err = paste.Base64(string(s))
	default:
		var res paste.Result
		res, err = paste.Text(string(s), int(a.cfg.Limits.Body))
		body, form = res.Bytes, formOf(res)
	}
	var e *paste.Error
	if errors.As(err, &e) {
		return nil, form, "", given.Fail(e.Reason+", at character offset "+strconv.Itoa(e.Offset)+" of the text", e.Limit)
	}
	return body, form, given.Pointer(), err
}
