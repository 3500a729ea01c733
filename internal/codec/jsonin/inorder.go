package jsonin

import (
	"math"

	"mxrest/internal/codec"
)

// handleInOrder reads a handle whose members stand in the documented order without any space, as programs write it: each name is compared
// where it must stand, which the compiler turns into one or two loads. It moves only when it takes the whole handle; what it does
// not take, handle takes or the judge.
func (f *fast) handleInOrder(h *codec.Handle) (indexSeen, ok bool) {
	b, i := f.b, f.i
	var galaxy, platform, engine, object, primitive, attribute int
	property, index := codec.DefaultPropertyID, 0
	var objectSignature, attributeSignature uint16

	if i+12 > len(b) || string(b[i:i+12]) != `{"galaxyId":` {
		return false, false
	}
	if galaxy, i = small(b, i+12); i+14 > len(b) || string(b[i:i+14]) != `,"platformId":` {
		return false, false
	}
	if platform, i = small(b, i+14); i+12 > len(b) || string(b[i:i+12]) != `,"engineId":` {
		return false, false
	}
	if engine, i = small(b, i+12); i+12 > len(b) || string(b[i:i+12]) != `,"objectId":` {
		return false, false
	}
	if object, i = small(b, i+12); i+11 > len(b) || string(b[i:i+11]) != `,"object":"` {
		return false, false
	}
	if objectSignature, i, ok = f.d.nameAt(b, i+10); !ok {
		return false, false
	}
	if i+15 > len(b) || string(b[i:i+15]) != `,"primitiveId":` {
		return false, false
	}
	if primitive, i = small(b, i+15); i+15 > len(b) || string(b[i:i+15]) != `,"attributeId":` {
		return false, false
	}
	if attribute, i = small(b, i+15); i+14 <= len(b) && string(b[i:i+14]) == `,"propertyId":` {
		property, i = small(b, i+14)
	}
	if i+14 > len(b) || string(b[i:i+14]) != `,"attribute":"` {
		return false, false
	}
	if attributeSignature, i, ok = f.d.nameAt(b, i+13); !ok {
		return false, false
	}
	if i+18 <= len(b) && string(b[i:i+18]) == `,"attributeIndex":` {
		index, i = small(b, i+18)
		indexSeen = true
	}
	// A number that small did not take is far out of range.
	if i >= len(b) || b[i] != '}' ||
		galaxy|math.MaxUint8 != math.MaxUint8 || platform|math.MaxUint16 != math.MaxUint16 || engine|math.MaxUint16 != math.MaxUint16 ||
		object|math.MaxUint16 != math.MaxUint16 || int(int16(primitive)) != primitive || int(int16(attribute)) != attribute ||
		int(int16(property)) != property || int(int16(index)) != index {
		return false, false
	}
	f.i = i + 1
	*h = codec.Handle{
		GalaxyID: uint8(galaxy), PlatformID: uint16(platform), EngineID: uint16(engine), ObjectID: uint16(object), ObjectSignature: objectSignature,
		PrimitiveID: int16(primitive), AttributeID: int16(attribute), PropertyID: int16(property), AttributeSignature: attributeSignature, AttributeIndex: int16(index),
	}
	return indexSeen, true
}

// small reads an integer of at most five digits and returns where it ends. What is no such integer comes back as one that no member
// of a handle takes.
func small(b []byte, i int) (v, end int) {
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	start := i
	for i < len(b) && b[i]-'0' <= 9 {
		v = v*10 + int(b[i]-'0')
		i++
	}
	if n := i - start; n-1 > 4 || n == 0 || b[start] == '0' && n > 1 {
		return math.MaxInt32, i
	}
	if negative {
		v = -v
	}
	return v, i
}
