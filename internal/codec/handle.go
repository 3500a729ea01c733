package codec

import (
	"encoding/binary"

	"mxrest/internal/codec/wire"
)

// HandleSize is the length of a reference handle in bytes, ProjectionSize that of the part that messages carry.
const (
	HandleSize     = 20
	ProjectionSize = 14
)

// DefaultPropertyID is the property a handle names when nothing else is said: 10, the attribute's value (confirmed by the
// captured handles, which all carry it).
const DefaultPropertyID = 10

// Handle is the reference handle: which attribute of which object is meant. All fields are confirmed.
type Handle struct {
	GalaxyID           uint8
	PlatformID         uint16
	EngineID           uint16
	ObjectID           uint16
	ObjectSignature    uint16 // Signature of the object's name
	PrimitiveID        int16
	AttributeID        int16
	PropertyID         int16
	AttributeSignature uint16 // Signature of the attribute's name
	AttributeIndex     int16  // 0 or an element's index for a scalar, -1 for a whole array
}

// AppendHandle appends the 20 bytes of h.
func AppendHandle(dst []byte, h *Handle) []byte {
	dst = append(dst,
		// galaxy id, reserved
		h.GalaxyID, 0,
		// platform id
		byte(h.PlatformID), byte(h.PlatformID>>8),
		// engine id
		byte(h.EngineID), byte(h.EngineID>>8))
	return AppendProjection(dst, h)
}

// AppendProjection appends the 14 bytes of h that messages carry: object id through attribute index (confirmed).
func AppendProjection(dst []byte, h *Handle) []byte {
	return append(dst,
		// object id
		byte(h.ObjectID), byte(h.ObjectID>>8),
		// object signature
		byte(h.ObjectSignature), byte(h.ObjectSignature>>8),
		// primitive id
		byte(h.PrimitiveID), byte(uint16(h.PrimitiveID)>>8),
		// attribute id
		byte(h.AttributeID), byte(uint16(h.AttributeID)>>8),
		// property id
		byte(h.PropertyID), byte(uint16(h.PropertyID)>>8),
		// attribute signature
		byte(h.AttributeSignature), byte(h.AttributeSignature>>8),
		// attribute index
		byte(h.AttributeIndex), byte(uint16(h.AttributeIndex)>>8))
}

// DecodeHandle reads a handle from exactly 20 bytes. It fails with ErrShort, ErrTrailing, or ErrReserved when byte 1 is not 0.
func DecodeHandle(src []byte) (Handle, error) {
	if len(src) < HandleSize {
		return Handle{}, fail("decode", "handle", len(src), ErrShort)
	}
	if len(src) > HandleSize {
		return Handle{}, fail("decode", "handle", HandleSize, ErrTrailing)
	}
	if src[1] != 0 {
		return Handle{}, fail("decode", "reserved", 1, ErrReserved)
	}
	h := projection(src[6:])
	h.GalaxyID = src[0]
	h.PlatformID = binary.LittleEndian.Uint16(src[2:])
	h.EngineID = binary.LittleEndian.Uint16(src[4:])
	return h, nil
}

// ReadProjection reads the 14 bytes of a handle that messages carry; galaxy, platform and engine stay 0.
// When r is short the handle is zero.
func ReadProjection(r *wire.Reader) Handle {
	if b := r.Bytes(ProjectionSize); b != nil {
		return projection(b)
	}
	return Handle{}
}

func projection(b []byte) Handle {
	_ = b[13]
	return Handle{
		ObjectID:           binary.LittleEndian.Uint16(b),
		ObjectSignature:    binary.LittleEndian.Uint16(b[2:]),
		PrimitiveID:        int16(binary.LittleEndian.Uint16(b[4:])),
		AttributeID:        int16(binary.LittleEndian.Uint16(b[6:])),
		PropertyID:         int16(binary.LittleEndian.Uint16(b[8:])),
		AttributeSignature: binary.LittleEndian.Uint16(b[10:]),
		AttributeIndex:     int16(binary.LittleEndian.Uint16(b[12:])),
	}
}
