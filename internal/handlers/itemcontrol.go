package handlers

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"net/http"

	"mxrest/api"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
)

// EncodeItemControl answers with the body of an advise (39 bytes) or an unadvise (37 bytes).
func (a *API) EncodeItemControl(w http.ResponseWriter, r *http.Request) {
	_, body, _, p := a.readItemControl(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	respondOctets(w, body)
}

// ExplainItemControl answers with the same body as hex and base64, and with every field of it.
func (a *API) ExplainItemControl(w http.ResponseWriter, r *http.Request) {
	c, body, o, p := a.readItemControl(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	rep := inspect.Body(a.layout, body, o)
	fields := bodyFields(rep.Fields)
	respondJSON(w, r, api.ItemControlExplanation{
		Message: api.MessageName(rep.Kind.String()), Length: int32(len(body)),
		Hex: hex.EncodeToString(body), Base64: base64.StdEncoding.EncodeToString(body),
		HandleHex:  hex.EncodeToString(codec.AppendHandle(nil, &c.Handle)),
		Signatures: signatures(&c.Handle, o.Object, o.Attribute), Standing: standing(fields), Fields: fields,
	})
}

// readItemControl reads the request of both operations and makes its body. o are the names in it.
func (a *API) readItemControl(r *http.Request) (c codec.ItemControl, body []byte, o inspect.Options, p *Problem) {
	root, p := a.readNode(r)
	if p != nil {
		return c, nil, o, p
	}
	if err := a.itemControl(&c, root); err != nil {
		return c, nil, o, problemOf(err)
	}
	body, err := codec.AppendItemControl(make([]byte, 0, codec.AdviseSize), &c)
	if err != nil {
		return c, nil, o, problemOf(err)
	}
	o.Object, o.Attribute = namesOf(root.Raw())
	return c, body, o, nil
}

func (a *API) itemControl(c *codec.ItemControl, root jsonin.Node) error {
	m, err := root.Members("operation", "itemCorrelationId", "handle", "handleBytes", "extra", "tail")
	if err != nil {
		return err
	}
	operation, id, handle, handleBytes, extra, tail := m[0], m[1], m[2], m[3], m[4], m[5]
	// The handle's own members come first, because an unknown one among them is a fault of syntax.
	if err := a.json.HandleOrBytes(&c.Handle, root, handle, handleBytes, 0); err != nil {
		return err
	}
	if !operation.Present() {
		return root.Missing("operation", "advise, unadvise")
	}
	which, err := operation.OneOf("advise", "unadvise")
	if err != nil {
		return err
	}
	c.Opcode = [...]uint8{codec.OpAdvise, codec.OpUnadvise}[which]

	const guid = "a GUID such as 00112233-4455-6677-8899-aabbccddeeff"
	if !id.Present() {
		return root.Missing("itemCorrelationId", guid)
	}
	text, err := id.Text(nil)
	if err != nil {
		return err
	}
	if c.ItemID, err = codec.ParseGUID(text); err != nil {
		return id.Wrong(guid, guid)
	}
	if extra.Present() {
		if c.Opcode == codec.OpUnadvise {
			return extra.Fail("an unadvise has no extra word", "only with advise")
		}
		v, err := extra.Int(0, math.MaxUint16)
		if err != nil {
			return err
		}
		c.Extra = uint16(v)
	}
	c.Tail = codec.DefaultItemControlTail
	if tail.Present() {
		v, err := tail.Int(0, math.MaxUint32)
		if err != nil {
			return err
		}
		c.Tail = uint32(v)
	}
	return nil
}
