package handlers

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"mxrest/api"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
	"mxrest/internal/pool"
)

// ExplainWrite answers with the body of one write as hex and base64, and with every field of it.
func (a *API) ExplainWrite(w http.ResponseWriter, r *http.Request) {
	b := pool.Get()
	defer b.Put() // everything of the answer is copied out of it
	var it jsonin.Item
	if p := a.encodeWrite(b, &it, r); p != nil {
		WriteProblem(w, r, p)
		return
	}
	object, attribute := namesOf(b.In)
	fields := bodyFields(inspect.Fields(a.layout, b.Out, inspect.Options{Object: object, Attribute: attribute, Type: it.Value.Type}))
	message := api.MessageNameNormalWrite
	if it.Timestamped {
		message = api.MessageNameTimestampedWrite
	}
	h := it.Handle
	respondJSON(w, r, api.WriteExplanation{
		Id: idOf(it.ID), Message: message, Type: api.WriteType(it.Value.Type.String()),
		Length: int32(len(b.Out)), Hex: hex.EncodeToString(b.Out), Base64: base64.StdEncoding.EncodeToString(b.Out),
		HandleHex:  hex.EncodeToString(codec.AppendHandle(nil, &h)),
		Signatures: signatures(&h, object, attribute), Standing: standing(fields), Fields: fields,
	})
}

// ExplainHandle answers with the 20 bytes of a handle, both signatures and every field.
func (a *API) ExplainHandle(w http.ResponseWriter, r *http.Request) {
	b := pool.Get()
	defer b.Put()
	var h codec.Handle
	if p := a.readHandle(b, &h, r); p != nil {
		WriteProblem(w, r, p)
		return
	}
	object, attribute := namesOf(b.In)
	b.Out = codec.AppendHandle(b.Out, &h)
	fields := bodyFields(inspect.Handle(b.Out, inspect.Options{Object: object, Attribute: attribute}))
	respondJSON(w, r, api.HandleExplanation{
		Length: int32(len(b.Out)), Hex: hex.EncodeToString(b.Out), Base64: base64.StdEncoding.EncodeToString(b.Out),
		ProjectionHex: hex.EncodeToString(b.Out[codec.HandleSize-codec.ProjectionSize:]),
		Signatures:    signatures(&h, object, attribute), Standing: standing(fields), Fields: fields,
	})
}

// namesOf finds the names in a request that was read already, whose handle is the member "handle" or the whole. The codec keeps
// only their signatures.
func namesOf(body []byte) (object, attribute string) {
	type names struct {
		Object    string `json:"object"`
		Attribute string `json:"attribute"`
	}
	var q struct {
		names
		Handle names `json:"handle"`
	}
	if json.Unmarshal(body, &q) != nil {
		return "", ""
	}
	return q.Object + q.Handle.Object, q.Attribute + q.Handle.Attribute // one of each pair is empty
}

// signatures shows both signatures of a handle, with the names where the request gave them.
func signatures(h *codec.Handle, object, attribute string) api.Signatures {
	return api.Signatures{Object: signature(h.ObjectSignature, object), Attribute: signature(h.AttributeSignature, attribute)}
}

func signature(value uint16, name string) api.Signature {
	s := api.Signature{Value: int32(value), Hex: fmt.Sprintf("0x%04x", value)}
	if name != "" {
		lowered := string(codec.LowerName(nil, []byte(name)))
		s.Name, s.Lowered = &name, &lowered
	}
	return s
}

// bodyFields turns what inspect found into the contract's model.
func bodyFields(fields []inspect.Field) []api.BodyField {
	out := make([]api.BodyField, len(fields))
	for i, f := range fields {
		out[i] = api.BodyField{
			Name: f.Name, Path: f.Path, Offset: int32(f.Offset), Length: int32(f.Length), Hex: f.Hex, Value: f.Value,
			Bits: optional(f.Bits), Text: optional(f.Text), How: optional(f.How), Standing: api.Standing(f.Standing.String()),
		}
	}
	return out
}

// standing counts the bytes of each standing.
func standing(fields []api.BodyField) api.StandingSummary {
	var s api.StandingSummary
	for _, f := range fields {
		switch f.Standing {
		case api.Confirmed:
			s.Bytes.Confirmed += f.Length
		case api.Derived:
			s.Bytes.Derived += f.Length
		case api.Assumed:
			s.Bytes.Assumed += f.Length
		case api.Configured:
			s.Bytes.Configured += f.Length
		case api.Learned:
			s.Bytes.Learned += f.Length
		}
	}
	s.Assumed = s.Bytes.Assumed > 0
	return s
}

// optional is nil for the empty string.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
