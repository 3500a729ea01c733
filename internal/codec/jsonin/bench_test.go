package jsonin

import (
	stdjson "encoding/json"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// structWrite is what a decoder by reflection fills for one type of value.
type structWrite[V any] struct {
	ID          string       `json:"id"`
	Handle      structHandle `json:"handle"`
	HandleBytes *string      `json:"handleBytes"`
	Type        string       `json:"type"`
	Value       V            `json:"value"`
	Bits        *string      `json:"bits"`
	Timestamp   *string      `json:"timestamp"`
	ClientToken uint32       `json:"clientToken"`
	WriteIndex  int32        `json:"writeIndex"`
}

type structHandle struct {
	GalaxyID           uint8   `json:"galaxyId"`
	PlatformID         uint16  `json:"platformId"`
	EngineID           uint16  `json:"engineId"`
	ObjectID           uint16  `json:"objectId"`
	Object             *string `json:"object"`
	ObjectSignature    *uint16 `json:"objectSignature"`
	PrimitiveID        int16   `json:"primitiveId"`
	AttributeID        int16   `json:"attributeId"`
	PropertyID         int16   `json:"propertyId"`
	Attribute          *string `json:"attribute"`
	AttributeSignature *uint16 `json:"attributeSignature"`
	AttributeIndex     int16   `json:"attributeIndex"`
}

// BenchmarkWrite compares one small write (P5 of the performance goals): ours, with both signatures worked out, against the two
// general decoders into a struct, without.
func BenchmarkWrite(b *testing.B) {
	src := []byte(baseWrite)
	b.Run("jsonin", func(b *testing.B) {
		d := New(nil, Limits{})
		var w codec.Write
		var err error
		var scratch []byte
		b.ReportAllocs()
		for b.Loop() {
			if scratch, err = d.Write(&w, src, scratch[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("jsonv2", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var w structWrite[int32]
			if err := json.Unmarshal(src, &w); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encodingjson", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var w structWrite[int32]
			if err := stdjson.Unmarshal(src, &w); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("judge", func(b *testing.B) {
		d := New(nil, Limits{})
		b.ReportAllocs()
		for b.Loop() {
			var it Item
			_, err := d.judge(&it, src, nil, false)
			require.NoError(b, err)
		}
	})
}
