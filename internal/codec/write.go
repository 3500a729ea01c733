package codec

import (
	"encoding/binary"
	"slices"
)

// Sizes of a write body's parts, in bytes.
const (
	// ValueOffset is where the value begins: command 1 + version 2 + projection 14 + kind 1.
	ValueOffset = 18
	// WriteOverhead is everything but the value: 36 bytes (derived: a Boolean's body is 37).
	WriteOverhead = ValueOffset + TailSize
)

// Write is one tag write: which attribute, what value, and the members of the tail. It may alias the input it was read
// from; it owns nothing.
type Write struct {
	Handle      Handle
	Value       Value
	Timestamped bool  // FileTime is sent: a timestamped write
	FileTime    int64 // 100 ns since 1601-01-01T00:00:00Z
	ClientToken uint32
	WriteIndex  int32
}

// SizeWrite is the exact length of w's body in bytes, in the default layout.
func SizeWrite(w *Write) int { return std.SizeWrite(w) }

// AppendWrite appends w's body to dst in the default layout; see Layout.AppendWrite.
func AppendWrite(dst []byte, w *Write) ([]byte, error) { return std.AppendWrite(dst, w) }

// PutWrite fills the front of dst with w's body in the default layout; see Layout.PutWrite.
func PutWrite(dst []byte, w *Write) (int, error) { return std.PutWrite(dst, w) }

// EncodeWrite returns w's body in the default layout in a new slice; see Layout.EncodeWrite.
func EncodeWrite(w *Write) ([]byte, error) { return std.EncodeWrite(w) }

// SizeWrite is the exact length of w's body in bytes: 36 and the value.
func (l *Layout) SizeWrite(w *Write) int { return WriteOverhead + l.SizeValue(&w.Value) }

// AppendWrite appends w's body: command, version, projection, kind, value, tail. With room in dst it allocates nothing.
// On error dst comes back as it was, with an *Error around ErrType, ErrIndex, ErrCount, ErrText, ErrTooLong or ErrValue.
func (l *Layout) AppendWrite(dst []byte, w *Write) ([]byte, error) {
	if !w.Value.Type.Valid() {
		return dst, fail("encode", "type", -1, ErrType)
	}
	if err := CheckIndex(w.Value.Type, w.Handle.AttributeIndex); err != nil {
		return dst, fail("encode", "attribute index", -1, err)
	}
	return l.appendWrite(dst, w)
}

// CheckIndex tells whether an attribute index fits a type: -1 for an array, 0 or more for a scalar.
func CheckIndex(t Type, index int16) error {
	if t.IsArray() != (index < 0) || index < -1 {
		return ErrIndex
	}
	return nil
}

// appendWrite is AppendWrite without the index rule, which a captured body may break.
func (l *Layout) appendWrite(dst []byte, w *Write) ([]byte, error) {
	start := len(dst)
	if cap(dst)-start < WriteOverhead+8 { // with that much room any number fits, and text and arrays look for themselves
		dst = slices.Grow(dst, l.SizeWrite(w))
	}
	b := dst[start : start+ValueOffset]
	// command
	b[0] = l.Command
	// version
	binary.LittleEndian.PutUint16(b[1:], l.Version)
	// handle projection
	h := &w.Handle
	binary.LittleEndian.PutUint64(b[3:],
		uint64(h.ObjectID)|uint64(h.ObjectSignature)<<16|uint64(uint16(h.PrimitiveID))<<32|uint64(uint16(h.AttributeID))<<48)
	binary.LittleEndian.PutUint32(b[11:], uint32(uint16(h.PropertyID))|uint32(h.AttributeSignature)<<16)
	binary.LittleEndian.PutUint16(b[15:], uint16(h.AttributeIndex))
	// value kind
	b[17] = l.Kinds[w.Value.Type.Kind()]
	dst = dst[:start+ValueOffset]

	// value
	v := &w.Value
	switch v.Type {
	case Int32, ElapsedTime, Float32:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v.Bits))
	case Float64, DateTime:
		dst = binary.LittleEndian.AppendUint64(dst, v.Bits)
	default:
		var err error
		if dst, err = l.AppendValue(dst, v); err != nil {
			return dst[:start], err
		}
	}

	// tail
	dst = slices.Grow(dst, TailSize)
	n := len(dst)
	dst = dst[:n+TailSize]
	tail := (*[TailSize]byte)(dst[n:])
	at, discriminator, filetime := &l.normalAt, uint16(0xffff), uint64(0)
	if w.Timestamped {
		at, discriminator, filetime = &l.timestampedAt, 0, uint64(w.FileTime)
	}
	binary.LittleEndian.PutUint16(tail[at[Discriminator]:], discriminator)
	binary.LittleEndian.PutUint64(tail[at[FileTimeSlot]:], filetime)
	binary.LittleEndian.PutUint32(tail[at[ClientToken]:], w.ClientToken)
	binary.LittleEndian.PutUint32(tail[at[WriteIndex]:], uint32(w.WriteIndex))
	return dst, nil
}

// PutWrite fills the front of dst with w's body and returns its length. It allocates nothing and fails with ErrDestination,
// dst untouched, when dst is shorter than SizeWrite says.
func (l *Layout) PutWrite(dst []byte, w *Write) (int, error) {
	if l.SizeWrite(w) > len(dst) {
		return 0, fail("encode", "", -1, ErrDestination)
	}
	out, err := l.AppendWrite(dst[:0:len(dst)], w)
	return len(out), err
}

// EncodeWrite returns w's body in a new slice of exactly its length: one allocation.
func (l *Layout) EncodeWrite(w *Write) ([]byte, error) {
	out, err := l.AppendWrite(make([]byte, 0, l.SizeWrite(w)), w)
	if err != nil {
		return nil, err
	}
	return out, nil
}
