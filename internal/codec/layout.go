package codec

import (
	"encoding/hex"
	"errors"
	"strconv"

	"mxrest/internal/codec/wire"
)

// TailMember is one of the four members of a write body's 18-byte tail (the members are confirmed, their order is assumed).
type TailMember uint8

// The tail's members and their sizes: 2, 8, 4 and 4 bytes.
const (
	Discriminator TailMember = iota // i16: -1 in a normal write, 0 in a timestamped one
	FileTimeSlot                    // 8 bytes: 0 in a normal write, the FILETIME in a timestamped one
	ClientToken                     // u32
	WriteIndex                      // i32
	numTailMembers
)

// TailSize is the length of the tail in bytes (derived from the confirmed sizes of whole bodies).
const TailSize = 18

var (
	tailNames = [numTailMembers]string{"discriminator", "filetime", "clientToken", "writeIndex"}
	tailSizes = [numTailMembers]int{2, 8, 4, 4}
)

// String is the member's name in layout files.
func (m TailMember) String() string {
	if m >= numTailMembers {
		return ""
	}
	return tailNames[m]
}

// Size is the member's length in bytes.
func (m TailMember) Size() int { return tailSizes[m] }

// TailOrder is the order in which the four members stand.
type TailOrder [numTailMembers]TailMember

var defaultTail = TailOrder{Discriminator, FileTimeSlot, ClientToken, WriteIndex}

// Offsets gives where in the tail each member stands, by member.
func (o TailOrder) Offsets() (at [numTailMembers]int) {
	off := 0
	for _, m := range o {
		at[m] = off
		off += m.Size()
	}
	return at
}

// Layout holds every number of the write body that is assumed: our own choice where nothing decides, which may be wrong on a real
// plant. A file may replace any of it; nothing else in this package is assumed. Fill one from DefaultLayout, change it, call Validate, and from
// then on only read it: it is shared by all requests.
type Layout struct {
	Command uint8           // the body's first byte
	Version uint16          // the two bytes after it
	Kinds   [NumKinds]uint8 // the number of each value kind

	BooleanTrue, BooleanFalse uint8 // the byte of a scalar Boolean

	// An element of a Boolean array: BooleanElementWidth bytes (1, 2, 4 or 8), little-endian.
	BooleanElementTrue, BooleanElementFalse uint64
	BooleanElementWidth                     uint8

	NormalTail, TimestampedTail TailOrder

	// The array header: ArrayReservedWidth bytes of 0 (0 to 8), the u16 count, then the element width as a number of
	// ArrayElementWidthWidth bytes (1, 2, 4 or 8).
	ArrayReservedWidth     uint8
	ArrayElementWidthWidth uint8
	StringElementWidth     uint32 // what the header says for strings, which have no fixed width

	// Standing of each member, Assumed unless a file replaced it.
	Standing [NumMembers]Standing

	// What Validate works out for the encoder: command and version as they stand in a body, the kind by type, where the tail's
	// members stand, and whether that is elsewhere than in the default order.
	head                    uint32
	kindOf                  [16]uint8
	normalAt, timestampedAt [numTailMembers]int
	reordered               bool

	// The headers of the six array types with a count of 0.
	arrayHeads [NumKinds / 2][maxHeader]byte
}

// Member names one member of a Layout.
type Member uint8

// The members, in the order in which they are shown.
const (
	MemberCommand Member = iota
	MemberVersion
	MemberKind0 // the twelve kinds follow each other: MemberKind0 + Member(kind)
)

// The members after the kinds.
const (
	MemberBooleanTrue Member = MemberKind0 + NumKinds + iota
	MemberBooleanFalse
	MemberBooleanElementTrue
	MemberBooleanElementFalse
	MemberNormalTail
	MemberTimestampedTail
	MemberArrayReservedWidth
	MemberArrayElementWidthWidth
	MemberStringElementWidth
	NumMembers = int(iota) + NumKinds + int(MemberKind0)
)

// std is the layout in which every assumed number has its default.
var std = DefaultLayout()

// DefaultLayout returns a new layout with the assumed defaults.
func DefaultLayout() *Layout {
	l := &Layout{
		Command:     0x37,
		Version:     1,
		Kinds:       [NumKinds]uint8{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46},
		BooleanTrue: 0xff, BooleanFalse: 0x00,
		BooleanElementTrue: 0xffff, BooleanElementFalse: 0x0000, BooleanElementWidth: 2,
		NormalTail: defaultTail, TimestampedTail: defaultTail,
		ArrayReservedWidth: 4, ArrayElementWidthWidth: 4, StringElementWidth: 0,
	}
	for m := range l.Standing {
		l.Standing[m] = Assumed
	}
	if err := l.Validate(); err != nil {
		panic(err) // the literal above is wrong
	}
	return l
}

// Opcodes of the other messages, which a write's command must not take: a message is known by its first byte.
const (
	OpAdvise     = 0x1f
	OpUnadvise   = 0x21
	OpSuspend    = 0x2d
	OpStatus     = 0x32
	OpDataUpdate = 0x33
)

// Validate checks that the members agree with each other and with the confirmed sizes, and prepares the layout for use.
// The *Error names the member in Field.
func (l *Layout) Validate() error {
	bad := func(field, reason string) error { return fail("layout", field, -1, errors.New(reason)) }
	switch l.Command {
	case OpAdvise, OpUnadvise, OpSuspend, OpStatus, OpDataUpdate, 0x00:
		return bad("command", hexNumber(l.Command)+" begins another message")
	}
	for i, k := range l.Kinds {
		for j := range i {
			if l.Kinds[j] == k {
				return bad("kinds."+Kind(i).String(), hexNumber(k)+" already stands for "+Kind(j).String())
			}
		}
	}
	if l.BooleanTrue == l.BooleanFalse {
		return bad("booleanTrue", "must differ from booleanFalse")
	}
	switch w := l.BooleanElementWidth; {
	case !widthOK(w):
		return bad("booleanElementTrue", "must be 1, 2, 4 or 8 bytes")
	case l.BooleanElementTrue == l.BooleanElementFalse:
		return bad("booleanElementTrue", "must differ from booleanElementFalse")
	case w < 8 && (l.BooleanElementTrue|l.BooleanElementFalse)>>(8*w) != 0:
		return bad("booleanElementTrue", "does not fit its width")
	}
	for _, t := range []struct {
		name  string
		order TailOrder
	}{{"normalTail", l.NormalTail}, {"timestampedTail", l.TimestampedTail}} {
		var seen [numTailMembers]bool
		for _, m := range t.order {
			if m >= numTailMembers || seen[m] { // #nosec G602 -- checked first
				return bad(t.name, "must name discriminator, filetime, clientToken and writeIndex once each: 18 bytes")
			}
			seen[m] = true // #nosec G602 -- checked above
		}
	}
	if l.ArrayReservedWidth > 8 {
		return bad("arrayHeader.reservedWidth", "must be 0 to 8 bytes")
	}
	if !widthOK(l.ArrayElementWidthWidth) {
		return bad("arrayHeader.elementWidthWidth", "must be 1, 2, 4 or 8 bytes")
	}
	if w := l.ArrayElementWidthWidth; w < 4 && l.StringElementWidth>>(8*w) != 0 {
		return bad("stringElementWidth", "does not fit arrayHeader.elementWidthWidth")
	}
	l.head = uint32(l.Command) | uint32(l.Version)<<8
	for t := Boolean; t.Valid(); t++ {
		l.kindOf[t] = l.Kinds[t.Kind()]
	}
	for t := BooleanArray; t <= DateTimeArray; t++ {
		width := uint64(l.ElemWidth(t))
		if t == StringArray {
			width = uint64(l.StringElementWidth)
		}
		head := wire.AppendZeros(l.arrayHeads[t-BooleanArray][:0], int(l.ArrayReservedWidth)+2)
		wire.AppendUint(head, width, int(l.ArrayElementWidthWidth))
	}
	l.normalAt, l.timestampedAt = l.NormalTail.Offsets(), l.TimestampedTail.Offsets()
	l.reordered = l.NormalTail != defaultTail || l.TimestampedTail != defaultTail
	return nil
}

// hexNumber is a byte as people write it: 0x37.
func hexNumber(b byte) string { return "0x" + hex.EncodeToString([]byte{b}) }

func widthOK(w uint8) bool { return w == 1 || w == 2 || w == 4 || w == 8 }

// maxHeader is the longest header that Validate lets through: 8 bytes reserved, the count, 8 bytes of element width.
const maxHeader = 8 + 2 + 8

// defaultHeader is the length of the header in the default layout.
const defaultHeader = 4 + 2 + 4

// HeaderSize is the length of an array's header in bytes: 10 in the default layout.
func (l *Layout) HeaderSize() int {
	return int(l.ArrayReservedWidth) + 2 + int(l.ArrayElementWidthWidth)
}

// ElemWidth is the width in bytes of one element of an array type, 0 for StringArray, whose elements differ.
func (l *Layout) ElemWidth(t Type) int {
	switch t {
	case BooleanArray:
		return int(l.BooleanElementWidth)
	case Int32Array, Float32Array:
		return 4
	case Float64Array, DateTimeArray:
		return 8
	}
	return 0
}

// KindOf finds the kind that a byte stands for.
func (l *Layout) KindOf(b byte) (Kind, bool) {
	for k, n := range l.Kinds {
		if n == b {
			return Kind(k), true
		}
	}
	return 0, false
}

// MemberInfo is one member of a layout as it is shown: name as in layout files, value in words, standing, and what it is.
type MemberInfo struct {
	Name     string
	Value    string
	Standing Standing
	About    string
}

// Members lists every member of the layout in force. It allocates; it is for people.
func (l *Layout) Members() []MemberInfo {
	all := make([]MemberInfo, NumMembers)
	set := func(m Member, name, value, about string) {
		all[m] = MemberInfo{Name: name, Value: value, Standing: l.Standing[m], About: about}
	}
	order := func(o TailOrder) string {
		return o[0].String() + ", " + o[1].String() + ", " + o[2].String() + ", " + o[3].String()
	}
	element := func(v uint64) string {
		b := make([]byte, 0, 8)
		for i := range int(l.BooleanElementWidth) {
			b = append(b, byte(v>>(8*i)))
		}
		return hex.EncodeToString(b)
	}
	set(MemberCommand, "command", hexNumber(l.Command), "first byte of a write body")
	set(MemberVersion, "version", strconv.Itoa(int(l.Version)), "u16 after the command")
	for k, n := range l.Kinds {
		set(MemberKind0+Member(k), "kinds."+Kind(k).String(), hexNumber(n), "number of the value kind")
	}
	set(MemberBooleanTrue, "booleanTrue", hex.EncodeToString([]byte{l.BooleanTrue}), "byte of a scalar true")
	set(MemberBooleanFalse, "booleanFalse", hex.EncodeToString([]byte{l.BooleanFalse}), "byte of a scalar false")
	set(MemberBooleanElementTrue, "booleanElementTrue", element(l.BooleanElementTrue), "bytes of true in an array")
	set(MemberBooleanElementFalse, "booleanElementFalse", element(l.BooleanElementFalse), "bytes of false in an array")
	set(MemberNormalTail, "normalTail", order(l.NormalTail), "order of the tail's members in a normal write")
	set(MemberTimestampedTail, "timestampedTail", order(l.TimestampedTail), "order of the tail's members in a timestamped write")
	set(MemberArrayReservedWidth, "arrayHeader.reservedWidth", strconv.Itoa(int(l.ArrayReservedWidth)), "bytes of 0 before an array's count")
	set(MemberArrayElementWidthWidth, "arrayHeader.elementWidthWidth", strconv.Itoa(int(l.ArrayElementWidthWidth)), "bytes of the element width after it")
	set(MemberStringElementWidth, "stringElementWidth", strconv.FormatUint(uint64(l.StringElementWidth), 10), "element width that a string array states")
	return all
}
