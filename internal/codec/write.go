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

// Clone is w with a value of its own, to keep beyond the bytes that w aliases.
func (w *Write) Clone() Write {
	out := *w
	out.Value = w.Value.Clone()
	return out
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
	return l.encode(dst, w, true)
}

// appendWrite is AppendWrite without the index rule, which a captured body may break.
func (l *Layout) appendWrite(dst []byte, w *Write) ([]byte, error) { return l.encode(dst, w, false) }

// CheckIndex tells whether an attribute index fits a type: -1 for an array, 0 or more for a scalar.
func CheckIndex(t Type, index int16) error {
	if t.IsArray() != (index < 0) || index < -1 {
		return ErrIndex
	}
	return nil
}

// encode is AppendWrite, with or without the index rule. Most writes are numbers, so these take no further call.
func (l *Layout) encode(dst []byte, w *Write, checkIndex bool) ([]byte, error) {
	t, h := w.Value.Type, &w.Handle
	if !t.Valid() {
		return dst, fail("encode", "type", -1, ErrType)
	}
	if checkIndex && CheckIndex(t, h.AttributeIndex) != nil {
		return dst, fail("encode", "attribute index", -1, ErrIndex)
	}
	start, width := len(dst), int(fixedWidth[t&15])
	if cap(dst)-start < WriteOverhead+width { // enough for numbers; text and arrays look for themselves
		dst = slices.Grow(dst, l.SizeWrite(w))
	}
	body := dst[start : start+WriteOverhead+width]
	b := (*[ValueOffset]byte)(body)
	// command, version
	binary.LittleEndian.PutUint32(b[0:], l.head)
	// object id, object signature, primitive id, attribute id: neighbours in a Handle too, so one load and one store
	binary.LittleEndian.PutUint64(b[3:], uint64(h.ObjectID)|uint64(h.ObjectSignature)<<16|uint64(uint16(h.PrimitiveID))<<32|uint64(uint16(h.AttributeID))<<48)
	// property id, attribute signature
	binary.LittleEndian.PutUint32(b[11:], uint32(uint16(h.PropertyID))|uint32(h.AttributeSignature)<<16)
	// attribute index
	binary.LittleEndian.PutUint16(b[15:], uint16(h.AttributeIndex))
	// value kind
	b[17] = l.kindOf[t&15]

	// value
	switch width {
	case 0:
		out, err := l.appendLong(dst[:start+ValueOffset], &w.Value)
		if err != nil {
			return dst[:start], err
		}
		dst, body, width = out, out[start:], len(out)-start-WriteOverhead
	case 1:
		body[ValueOffset] = byte(l.booleanBits(w.Value.Bits))
	case 4:
		binary.LittleEndian.PutUint32(body[ValueOffset:], uint32(w.Value.Bits))
	case 8:
		binary.LittleEndian.PutUint64(body[ValueOffset:], w.Value.Bits)
	}

	tail := (*[TailSize]byte)(body[ValueOffset+width:])
	discriminator, filetime := uint16(0xffff), uint64(0)
	if w.Timestamped {
		discriminator, filetime = 0, uint64(w.FileTime)
	}
	if l.reordered {
		l.putReordered(tail, w, discriminator, filetime)
		return dst[:start+len(body)], nil
	}
	// discriminator
	binary.LittleEndian.PutUint16(tail[0:], discriminator)
	// 8 bytes, 0 or the FILETIME
	binary.LittleEndian.PutUint64(tail[2:], filetime)
	// client token
	binary.LittleEndian.PutUint32(tail[10:], w.ClientToken)
	// write index
	binary.LittleEndian.PutUint32(tail[14:], uint32(w.WriteIndex))
	return dst[:start+len(body)], nil
}

// appendLong appends text or an array, and room for the tail.
func (l *Layout) appendLong(dst []byte, v *Value) ([]byte, error) {
	var err error
	if v.Type.IsArray() {
		dst, err = l.appendArray(dst, v, TailSize)
	} else {
		dst, err = appendString(dst, v, TailSize)
	}
	if err != nil {
		return nil, err
	}
	return dst[:len(dst)+TailSize], nil
}

// putReordered fills in the tail of a layout whose file names another order.
func (l *Layout) putReordered(b *[TailSize]byte, w *Write, discriminator uint16, filetime uint64) {
	at := &l.normalAt
	if w.Timestamped {
		at = &l.timestampedAt
	}
	binary.LittleEndian.PutUint16(b[at[Discriminator]:], discriminator)
	binary.LittleEndian.PutUint64(b[at[FileTimeSlot]:], filetime)
	binary.LittleEndian.PutUint32(b[at[ClientToken]:], w.ClientToken)
	binary.LittleEndian.PutUint32(b[at[WriteIndex]:], uint32(w.WriteIndex))
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
