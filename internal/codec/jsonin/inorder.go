package jsonin

import (
	"math"

	"mxrest/internal/codec"
)

// beginInOrder reads the beginning of a write whose members stand in the documented order without any space, as programs write it, an
// id before or not at all: as far as the value. It tells which members it took, and moves behind the last of them; item goes on from there.
func (f *fast) beginInOrder(it *Item) (seen uint32, indexSeen, ok bool) {
	b, i := f.b, f.i
	if f.withID && i+5 < len(b) && string(b[i:i+5]) == `"id":` {
		id, end, ok := textAt(b, i+5)
		if !ok || len(id) > MaxID || end >= len(b) || b[end] != ',' {
			return 0, false, true
		}
		it.ID = id
		seen, f.i = 1<<mID, end
		i = end + 1
	}
	if i+9 > len(b) || string(b[i:i+9]) != `"handle":` {
		return seen, false, true
	}
	indexSeen, i, ok = f.d.handleInOrder(&it.Handle, b, i+9)
	if !ok {
		return seen, false, true
	}
	seen, f.i = seen|1<<mHandle, i
	// In a batch the type is often that of the item before.
	if k := typeKeys[f.last]; k != "" && len(b)-i > len(k) && string(b[i:i+len(k)]) == k {
		it.Value.Type, f.i = f.last, i+len(k)
		return seen | 1<<mType | 1<<mValue, indexSeen, f.value(&it.Value)
	}
	if i+8 > len(b) || string(b[i:i+8]) != `,"type":` {
		return seen, indexSeen, true
	}
	name, i, ok := textAt(b, i+8)
	if !ok || i+9 > len(b) || string(b[i:i+9]) != `,"value":` {
		return seen, indexSeen, true
	}
	if it.Value.Type, ok = codec.ParseType(name); !ok {
		return 0, false, false
	}
	f.last, f.i = it.Value.Type, i+9
	return seen | 1<<mType | 1<<mValue, indexSeen, f.value(&it.Value)
}

// typeKeys is what stands between a handle and a value of each type.
var typeKeys = func() (keys [codec.NumTypes + 1]string) {
	for t := codec.Boolean; t.Valid(); t++ {
		keys[t] = `,"type":"` + t.String() + `","value":`
	}
	return keys
}()

// handleInOrder reads the handle that stands at i if its members stand in the documented order without any space, and returns where it ends:
// each name is compared where it must stand, which the compiler turns into one or two loads. What it does not take, handle takes
// or the judge.
func (d *Decoder) handleInOrder(h *codec.Handle, b []byte, i int) (indexSeen bool, end int, ok bool) {
	var galaxy, platform, engine, object, primitive, attribute int
	property, index := codec.DefaultPropertyID, 0
	var objectSignature, attributeSignature uint16

	if i+12 > len(b) || string(b[i:i+12]) != `{"galaxyId":` {
		return false, i, false
	}
	if galaxy, i = small(b, i+12); i+14 > len(b) || string(b[i:i+14]) != `,"platformId":` {
		return false, i, false
	}
	if platform, i = small(b, i+14); i+12 > len(b) || string(b[i:i+12]) != `,"engineId":` {
		return false, i, false
	}
	if engine, i = small(b, i+12); i+12 > len(b) || string(b[i:i+12]) != `,"objectId":` {
		return false, i, false
	}
	if object, i = small(b, i+12); i+11 > len(b) || string(b[i:i+11]) != `,"object":"` {
		return false, i, false
	}
	if objectSignature, i, ok = d.nameAt(b, i+10); !ok {
		return false, i, false
	}
	if i+15 > len(b) || string(b[i:i+15]) != `,"primitiveId":` {
		return false, i, false
	}
	if primitive, i = small(b, i+15); i+15 > len(b) || string(b[i:i+15]) != `,"attributeId":` {
		return false, i, false
	}
	if attribute, i = small(b, i+15); i+14 <= len(b) && string(b[i:i+14]) == `,"propertyId":` {
		property, i = small(b, i+14)
	}
	if i+14 > len(b) || string(b[i:i+14]) != `,"attribute":"` {
		return false, i, false
	}
	if attributeSignature, i, ok = d.nameAt(b, i+13); !ok {
		return false, i, false
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
		return false, i, false
	}
	// Member by member: a literal would be put together elsewhere and copied, which waits for its own stores.
	h.GalaxyID, h.PlatformID, h.EngineID = uint8(galaxy), uint16(platform), uint16(engine)
	h.ObjectID, h.ObjectSignature = uint16(object), objectSignature
	h.PrimitiveID, h.AttributeID, h.PropertyID = int16(primitive), int16(attribute), int16(property)
	h.AttributeSignature, h.AttributeIndex = attributeSignature, int16(index)
	return indexSeen, i + 1, true
}

// small reads an integer of at most five digits and returns where it ends. What is no such integer comes back as one that no member
// of a handle takes.
func small(b []byte, i int) (v, end int) {
	if i+1 < len(b) && b[i]-'0' <= 9 && b[i+1]-'0' > 9 {
		return int(b[i] - '0'), i + 1
	}
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	u, end := digits(b, i)
	if n := end - i; n == 0 || n > 5 || b[i] == '0' && n > 1 {
		return math.MaxInt32, end
	}
	if negative {
		return -int(u), end
	}
	return int(u), end
}
