package codec

import (
	"encoding/binary"

	"mxrest/internal/codec/wire"
)

// DecodeWrite reads a write body in the default layout; see Layout.DecodeWrite.
func DecodeWrite(src []byte) (Write, error) { return std.DecodeWrite(src) }

// DecodeWrite reads a write body. The Write aliases src (Clone it to keep it) and has no galaxy, platform and engine id: a body does not carry them.
// An ElapsedTime comes back as Int32 and an InternationalizedString as String: a body does not tell them apart.
//
// The tail is a normal one when, read in the order of NormalTail, the discriminator is -1 and the 8 bytes are 0; else a
// timestamped one when, in the order of TimestampedTail, the discriminator is 0. Only in a layout whose two orders put the
// discriminator in different places can a tail fit both; then it is normal, whose ten fixed bytes say more than the other's two.
//
// It fails with ErrEmpty, ErrOpcode, ErrVersion, ErrShort, ErrKind, ErrTail, ErrTrailing or what a value can fail with.
func (l *Layout) DecodeWrite(src []byte) (w Write, err error) {
	r := wire.NewReader(src)
	// command
	if len(src) == 0 {
		return w, fail("decode", "", 0, ErrEmpty)
	}
	if r.U8() != l.Command {
		return w, fail("decode", "command", 0, ErrOpcode)
	}
	// version
	if version := r.U16(); r.Short() {
		return w, fail("decode", "version", 1, ErrShort)
	} else if version != l.Version {
		return w, fail("decode", "version", 1, ErrVersion)
	}
	// handle projection
	if w.Handle = ReadProjection(&r); r.Short() {
		return w, shortProjection(&r)
	}
	// value kind
	off := r.Off()
	b := r.U8()
	if r.Short() {
		return w, fail("decode", "kind", off, ErrShort)
	}
	kind, ok := l.KindOf(b)
	if !ok {
		return w, fail("decode", "kind", off, ErrKind)
	}
	// value
	if w.Value, err = l.readValue(&r, kind); err != nil {
		return w, err
	}
	// tail
	if err = l.readTail(&r, &w); err != nil {
		return w, err
	}
	if r.Left() != 0 {
		return w, fail("decode", "", r.Off(), ErrTrailing)
	}
	return w, nil
}

// projectionNames are the projection's members in order; all of them have 2 bytes.
var projectionNames = [ProjectionSize / 2]string{
	"object id", "object signature", "primitive id", "attribute id", "property id", "attribute signature", "attribute index",
}

// shortProjection places the end of the body at the member of the projection that it cuts.
func shortProjection(r *wire.Reader) error {
	i := r.Left() / 2
	return fail("decode", projectionNames[i], r.Off()+2*i, ErrShort)
}

// readTail reads the 18 bytes that end a write.
func (l *Layout) readTail(r *wire.Reader, w *Write) error {
	start := r.Off()
	if r.Left() < TailSize {
		return l.shortTail(start, r.Left())
	}
	tail := (*[TailSize]byte)(r.Bytes(TailSize))
	at := &l.normalAt
	switch {
	case isNormal(tail, at):
	case binary.LittleEndian.Uint16(tail[l.timestampedAt[Discriminator]:]) == 0:
		at = &l.timestampedAt
		w.Timestamped = true
		// FILETIME
		w.FileTime = int64(binary.LittleEndian.Uint64(tail[at[FileTimeSlot]:]))
	case binary.LittleEndian.Uint16(tail[at[Discriminator]:]) == 0xffff:
		return fail("decode", "filetime", start+at[FileTimeSlot], ErrTail)
	default:
		return fail("decode", "discriminator", start+at[Discriminator], ErrTail)
	}
	// client token
	w.ClientToken = binary.LittleEndian.Uint32(tail[at[ClientToken]:])
	// write index
	w.WriteIndex = int32(binary.LittleEndian.Uint32(tail[at[WriteIndex]:]))
	return nil
}

// isNormal tells whether a tail, read in the normal order, has the bytes that every normal write has.
func isNormal(tail *[TailSize]byte, at *[numTailMembers]int) bool {
	return binary.LittleEndian.Uint16(tail[at[Discriminator]:]) == 0xffff && binary.LittleEndian.Uint64(tail[at[FileTimeSlot]:]) == 0
}

// AmbiguousTail tells whether a write's tail could be read as a normal one and as a timestamped one; DecodeWrite takes it as normal.
// It is never so where both orders put the discriminator in the same place, as the default layout does.
func (l *Layout) AmbiguousTail(tail []byte) bool {
	if len(tail) != TailSize {
		return false
	}
	return isNormal((*[TailSize]byte)(tail), &l.normalAt) && binary.LittleEndian.Uint16(tail[l.timestampedAt[Discriminator]:]) == 0
}

// shortTail places the end of the body at the member that it cuts, as far as both orders agree on which that is.
func (l *Layout) shortTail(start, left int) error {
	at := start
	for i, m := range l.NormalTail {
		if m != l.TimestampedTail[i] {
			break
		}
		if left < m.Size() {
			return fail("decode", m.name(), at, ErrShort)
		}
		at += m.Size()
		left -= m.Size()
	}
	return fail("decode", "tail", at, ErrShort)
}

// name is the member's name in the words of the wire format.
func (m TailMember) name() string {
	return [numTailMembers]string{"discriminator", "filetime", "client token", "write index"}[m]
}

// AppendCapturedWrite is AppendWrite without the rule that ties attribute index and type together: a decoded body may break it, and is
// encoded again to the same bytes all the same. What a client asks for goes through AppendWrite.
func (l *Layout) AppendCapturedWrite(dst []byte, w *Write) ([]byte, error) {
	if !w.Value.Type.Valid() {
		return dst, fail("encode", "type", -1, ErrType)
	}
	return l.appendWrite(dst, w)
}
