package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// ErrTailUnknown says that a member of the tail cannot be changed: where it stands is known only in a body that the layout decodes.
var ErrTailUnknown = errors.New("the layout in force does not decode the captured body, so where this member stands is not known")

// ErrNormal says that a normal write has no timestamp to change.
var ErrNormal = errors.New("the captured body is a normal write, which has no timestamp")

// Replay is a captured write body, and the place where its value stands. Of the layout it takes only the form of a value; command, version, kind number and
// tail are kept as they were captured, so that it works for a plant whose bytes differ from the layout.
type Replay struct {
	layout *Layout
	body   []byte
	typ    Type
	end    int    // where the value ends
	write  *Write // the body as the layout decodes it; nil where it does not
}

// Change is what a replayed body has differently; nil members are kept.
type Change struct {
	Value       *Value // of the captured type
	Handle      *Handle
	FileTime    *int64
	ClientToken *uint32
	WriteIndex  *int32
}

// Range is a run of bytes that a change replaced.
type Range struct {
	Name   string
	Offset int // in the new body
	Length int
	Was    []byte // what stood in the captured body; aliases it
}

// NewReplay looks for the value that was written when body was captured: at offset 18, in the form that a value has, with a tail of 18 bytes after
// it. It fails with ErrNotFound, Offset 18, when something else stands there, and with ErrShort when the body cannot be a write.
func (l *Layout) NewReplay(body []byte, v *Value) (*Replay, error) {
	if len(body) < WriteOverhead {
		return nil, fail("replay", "body", len(body), ErrShort)
	}
	want, err := l.AppendValue(nil, v)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(body[ValueOffset:len(body)-TailSize], want) {
		return nil, fail("replay", "value", ValueOffset, ErrNotFound)
	}
	r := &Replay{layout: l, body: body, typ: v.Type, end: ValueOffset + len(want)}
	if w, err := l.DecodeWrite(body); err == nil && w.Value.Type == v.Type.Kind().Type() {
		r.write = &w
	}
	return r, nil
}

// Message is what the layout takes the captured body for: MessageWrite, MessageTimestampedWrite, or 0 where it does not decode it.
func (r *Replay) Message() MessageKind {
	switch {
	case r.write == nil:
		return 0
	case r.write.Timestamped:
		return MessageTimestampedWrite
	}
	return MessageWrite
}

// Append appends the captured body with a change, and lists what was replaced, in the order of the body. It fails with ErrType for a value of another
// type, ErrIndex for a handle that does not fit it, ErrTailUnknown, ErrNormal, or what a value can fail with; Field says which member of the change.
func (r *Replay) Append(dst []byte, c *Change) ([]byte, []Range, error) {
	start := len(dst)
	var ranges []Range
	note := func(name string, off, length int, was []byte) {
		ranges = append(ranges, Range{Name: name, Offset: off, Length: length, Was: was})
	}
	dst = append(dst, r.body[:ValueOffset]...)
	if c.Handle != nil {
		if err := CheckIndex(r.typ, c.Handle.AttributeIndex); err != nil {
			return dst[:start], nil, fail("replay", "handle", -1, err)
		}
		at := start + 3 // command and version
		AppendProjection(dst[at:at:start+ValueOffset], c.Handle)
		note("handle projection", 3, ProjectionSize, r.body[3:3+ProjectionSize])
	}
	if c.Value != nil {
		if c.Value.Type != r.typ {
			return dst[:start], nil, fail("replay", "value", -1, ErrType)
		}
		var err error
		if dst, err = r.layout.AppendValue(dst, c.Value); err != nil {
			return dst[:start], nil, err
		}
		note("value", ValueOffset, len(dst)-start-ValueOffset, r.body[ValueOffset:r.end])
	} else {
		dst = append(dst, r.body[ValueOffset:r.end]...)
	}
	tailAt := len(dst)
	dst = append(dst, r.body[r.end:]...)
	if c.FileTime == nil && c.ClientToken == nil && c.WriteIndex == nil {
		return dst, ranges, nil
	}
	order, at := r.layout.NormalTail, &r.layout.normalAt
	if r.write != nil && r.write.Timestamped {
		order, at = r.layout.TimestampedTail, &r.layout.timestampedAt
	}
	tail := dst[tailAt:]
	for _, m := range order {
		var given bool
		switch m {
		case FileTimeSlot:
			given = c.FileTime != nil
		case ClientToken:
			given = c.ClientToken != nil
		case WriteIndex:
			given = c.WriteIndex != nil
		default:
			given = false
		}
		switch {
		case !given:
			continue
		case r.write == nil:
			return dst[:start], nil, fail("replay", m.String(), -1, ErrTailUnknown)
		case m == FileTimeSlot && !r.write.Timestamped:
			return dst[:start], nil, fail("replay", m.String(), -1, ErrNormal)
		}
		b := tail[at[m] : at[m]+m.Size()]
		switch m {
		case FileTimeSlot:
			binary.LittleEndian.PutUint64(b, uint64(*c.FileTime))
		case ClientToken:
			binary.LittleEndian.PutUint32(b, *c.ClientToken)
		case WriteIndex:
			binary.LittleEndian.PutUint32(b, uint32(*c.WriteIndex))
		}
		note(m.name(), tailAt-start+at[m], m.Size(), r.body[r.end+at[m]:r.end+at[m]+m.Size()])
	}
	return dst, ranges, nil
}
