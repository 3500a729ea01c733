// Package capture reads what is known of captured bodies, from a request or from a file: the bytes in any form that people paste, and the type, value and other
// members of the write that made them.
package capture

import (
	"errors"
	"math"
	"strconv"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/learn"
	"mxrest/internal/paste"
)

// Given is a body as it was given.
type Given struct {
	Body    []byte
	Form    paste.Result // without its Bytes
	Pointer string       // to the member that held it
}

const oneOfThree = "exactly one of hex, base64 and text"

// Bytes reads bytes from exactly one of the members hex, base64 and text of parent; at most max of them. The error is a *jsonin.Error.
func Bytes(parent, hex, base64, text jsonin.Node, max int) (Given, error) {
	var given jsonin.Node
	for i, n := range []jsonin.Node{hex, base64, text} {
		switch {
		case !n.Present():
		case given.Present():
			return Given{}, n.Fail([]string{"hex", "base64", "text"}[i]+" stands beside another form of the bytes", oneOfThree)
		default:
			given = n
		}
	}
	if !given.Present() {
		err := parent.Missing("hex", oneOfThree)
		var e *jsonin.Error
		if errors.As(err, &e) {
			e.Reason = "hex, base64 or text is missing"
		}
		return Given{}, err
	}
	s, err := given.Text(nil)
	if err != nil {
		return Given{}, err
	}
	out := Given{Form: paste.Result{Certain: true}, Pointer: given.Pointer()}
	switch {
	case hex.Present():
		out.Form.Form = paste.HexDigits
		out.Body, err = paste.Hex(string(s))
	case base64.Present():
		out.Form.Form = paste.Base64Text
		out.Body, err = paste.Base64(string(s))
	default:
		out.Form, err = paste.Text(string(s), max)
		out.Body, out.Form.Bytes = out.Form.Bytes, nil
	}
	var e *paste.Error
	if errors.As(err, &e) {
		return Given{}, given.Fail(e.Reason+", at character offset "+strconv.Itoa(e.Offset)+" of the text", e.Limit)
	}
	return out, err
}

// ID reads an id, "" when it is absent.
func ID(n jsonin.Node) (string, error) {
	if !n.Present() {
		return "", nil
	}
	id, err := n.Text(nil)
	if err != nil {
		return "", err
	}
	if most := strconv.Itoa(jsonin.MaxID); len([]rune(string(id))) > jsonin.MaxID {
		return "", n.Fail("the id is longer than "+most+" characters", "0.."+most+" characters")
	}
	return string(id), nil
}

// Reader reads captures under a server's limits.
type Reader struct {
	JSON *jsonin.Decoder // of the default layout: learn takes array elements in its form
	Max  int             // bytes of a body
}

// Capture reads a capture. name is what it is called when it gives no id; body is its bytes when they stand elsewhere, else nil. The error is a
// *jsonin.Error.
func (r Reader) Capture(n jsonin.Node, name string, body []byte) (c learn.Capture, err error) {
	m, err := n.Members("id", "hex", "base64", "text", "type", "value", "bits", "handle", "timestamp", "timestamped", "clientToken", "writeIndex")
	if err != nil {
		return c, err
	}
	id, typ, value, bits, handle, timestamp, timestamped, token, index := m[0], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]
	if c.Name, err = ID(id); err != nil {
		return c, err
	}
	if c.Name == "" {
		c.Name = name
	}
	if body != nil && !m[1].Present() && !m[2].Present() && !m[3].Present() {
		c.Body = body
	} else {
		given, err := Bytes(n, m[1], m[2], m[3], r.Max)
		if err != nil {
			return c, err
		}
		c.Body = given.Body
	}
	if c.Value, err = Value(r.JSON, n, typ, value, bits); err != nil {
		return c, err
	}
	if handle.Present() {
		if err := known(&c, handle); err != nil {
			return c, err
		}
	}
	if timestamp.Present() {
		t, err := timestamp.FileTime()
		if err != nil {
			return c, err
		}
		c.FileTime = &t
	}
	if timestamped.Present() {
		b, err := timestamped.Bool()
		if err != nil {
			return c, err
		}
		if !b && c.FileTime != nil {
			return c, timestamped.Fail("timestamped is false beside a timestamp", "true")
		}
		c.Timestamped = &b
	}
	if token.Present() {
		v, err := token.Int(0, math.MaxUint32)
		if err != nil {
			return c, err
		}
		t := uint32(v)
		c.ClientToken = &t
	}
	if index.Present() {
		v, err := index.Int(math.MinInt32, math.MaxInt32)
		if err != nil {
			return c, err
		}
		i := int32(v)
		c.WriteIndex = &i
	}
	return c, nil
}

// Value reads a value from the members type, value and bits of parent; bits may be absent.
func Value(d *jsonin.Decoder, parent, typ, value, bits jsonin.Node) (v codec.Value, err error) {
	if !typ.Present() {
		return v, parent.Missing("type", "one of the fourteen types")
	}
	t, err := jsonin.TypeNode(typ)
	if err != nil {
		return v, err
	}
	return ValueOf(d, t, parent, value, bits)
}

// ValueOf reads a value of a type from the members value and bits of parent; bits may be absent.
func ValueOf(d *jsonin.Decoder, t codec.Type, parent, value, bits jsonin.Node) (v codec.Value, err error) {
	if !value.Present() {
		return v, parent.Missing("value", "a value of type "+t.String())
	}
	if _, err = d.ValueNode(&v, t, value, nil); err != nil {
		return v, err
	}
	if bits.Present() {
		err = jsonin.BitsNode(&v, bits)
	}
	return v, err
}

// The members of a KnownHandle: those of the projection carry their place in it.
var handleMembers = []struct {
	name   string
	at     int // in learn.Capture.Handle, -1 for what a body does not carry
	lo, hi int64
}{
	{"galaxyId", -1, 0, math.MaxUint8},
	{"platformId", -1, 0, math.MaxUint16},
	{"engineId", -1, 0, math.MaxUint16},
	{"objectId", 0, 0, math.MaxUint16},
	{"objectSignature", 1, 0, math.MaxUint16},
	{"primitiveId", 2, math.MinInt16, math.MaxInt16},
	{"attributeId", 3, math.MinInt16, math.MaxInt16},
	{"propertyId", 4, math.MinInt16, math.MaxInt16},
	{"attributeSignature", 5, 0, math.MaxUint16},
	{"attributeIndex", 6, -1, math.MaxInt16},
	{"object", 1, 0, 0},
	{"attribute", 5, 0, 0},
}

// known reads what is known of a captured body's handle.
func known(c *learn.Capture, n jsonin.Node) error {
	names := make([]string, len(handleMembers))
	for i, h := range handleMembers {
		names[i] = h.name
	}
	m, err := n.Members(names...)
	if err != nil {
		return err
	}
	for i, h := range handleMembers {
		if !m[i].Present() {
			continue
		}
		var v uint16
		switch h.name {
		case "object", "attribute":
			if c.Handle[h.at] != nil {
				return m[i].Fail(h.name+" and "+h.name+"Signature are both there", "one of "+h.name+", "+h.name+"Signature")
			}
			name, err := m[i].Text(nil)
			if err != nil {
				return err
			}
			if v, err = codec.Signature(name); err != nil {
				return m[i].Fail("the name is empty", "at least 1 character")
			}
		default:
			i64, err := m[i].Int(h.lo, h.hi)
			if err != nil {
				return err
			}
			v = uint16(i64)
		}
		if h.at >= 0 {
			c.Handle[h.at] = &v
		}
	}
	return nil
}
