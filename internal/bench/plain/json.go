package plain

import (
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"

	"mxrest/internal/codec"
)

// Request is a write's JSON as a Go programmer would write it down for encoding/json: one struct, with the value of its type. Nothing
// is checked beyond what the packages check.
type Request[T any] struct {
	Handle      Handle `json:"handle"`
	Type        string `json:"type"`
	Value       T      `json:"value"`
	Timestamp   string `json:"timestamp"`
	ClientToken uint32 `json:"clientToken"`
	WriteIndex  int32  `json:"writeIndex"`
}

// Handle is the handle of a Request.
type Handle struct {
	GalaxyID    uint8  `json:"galaxyId"`
	PlatformID  uint16 `json:"platformId"`
	EngineID    uint16 `json:"engineId"`
	ObjectID    uint16 `json:"objectId"`
	Object      string `json:"object"`
	PrimitiveID int16  `json:"primitiveId"`
	AttributeID int16  `json:"attributeId"`
	PropertyID  int16  `json:"propertyId"`
	Attribute   string `json:"attribute"`
	Index       int16  `json:"attributeIndex"`
}

// AppendFrame encodes an Int32 request as a batch's reply holds it: the body's length as u32, and the body.
func AppendFrame(dst []byte, r *Request[int32]) ([]byte, error) {
	object, err := codec.Signature([]byte(r.Handle.Object))
	if err != nil {
		return dst, err
	}
	attribute, err := codec.Signature([]byte(r.Handle.Attribute))
	if err != nil {
		return dst, err
	}
	h := &r.Handle
	return codec.AppendWrite(append(dst, 40, 0, 0, 0), &codec.Write{
		Handle: codec.Handle{
			GalaxyID: h.GalaxyID, PlatformID: h.PlatformID, EngineID: h.EngineID, ObjectID: h.ObjectID, ObjectSignature: object,
			PrimitiveID: h.PrimitiveID, AttributeID: h.AttributeID, PropertyID: h.PropertyID, AttributeSignature: attribute, AttributeIndex: h.Index,
		},
		Value:       codec.Value{Type: codec.Int32, Bits: uint64(uint32(r.Value))},
		ClientToken: r.ClientToken, WriteIndex: r.WriteIndex,
	})
}

// JSON reads src with encoding/json.
func JSON[T any](src string) Loop {
	in := []byte(src)
	return func(n int) {
		for range n {
			var r Request[T]
			if err := stdjson.Unmarshal(in, &r); err != nil {
				panic(err)
			}
		}
	}
}

// JSONv2 reads src with json/v2.
func JSONv2[T any](src string) Loop {
	in := []byte(src)
	return func(n int) {
		for range n {
			var r Request[T]
			if err := json.Unmarshal(in, &r); err != nil {
				panic(err)
			}
		}
	}
}
