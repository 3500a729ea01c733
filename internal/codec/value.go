package codec

import (
	"encoding/binary"
	"math"
	"slices"

	"mxrest/internal/codec/wire"
)

// Limits of the wire, each with its source.
const (
	MaxElements = 65535              // an array's count is a u16 (confirmed)
	maxText     = math.MaxUint32 - 8 // a String's outer length is a u32 and covers the inner one (derived)
)

// The NaN that is written when a client says "NaN": .NET's pattern (derived).
const (
	NaN32 = 0xffc00000
	NaN64 = 0xfff8000000000000
)

// Value is a typed value in the form nearest to the wire, so that encoding is a copy. Which fields matter depends on Type:
//
//	Boolean                 Bits is 0 or 1
//	Int32, ElapsedTime      Bits holds the i32 in its low 32 bits (ElapsedTime: milliseconds)
//	Float32, Float64        Bits holds the IEEE 754 bits; a NaN's are kept as they are
//	DateTime                Bits holds the FILETIME
//	String, Internation…    Text, as UTF-8 or, where UTF16 is set, as UTF-16LE without the terminator
//	arrays                  Count elements, in Elems as they stand in a body (AppendInt32Elem and its like make them)
//
// Text and Elems alias what they were made from.
type Value struct {
	Type  Type
	UTF16 bool
	Count int
	Bits  uint64
	Text  []byte
	Elems []byte
}

// Clone is v with Text and Elems of its own, to keep beyond the bytes that v aliases.
func (v Value) Clone() Value {
	v.Text, v.Elems = slices.Clone(v.Text), slices.Clone(v.Elems)
	return v
}

// SizeValue is the exact length of v's bytes in a body. For text that is not UTF-8 it is an upper bound.
func (l *Layout) SizeValue(v *Value) int {
	switch v.Type {
	case Boolean:
		return 1
	case Int32, Float32, ElapsedTime:
		return 4
	case Float64, DateTime:
		return 8
	case String, InternationalizedString:
		return 8 + textSize(v.Text, v.UTF16)
	}
	return l.HeaderSize() + len(v.Elems)
}

// textSize is how many bytes text takes with its terminator.
func textSize(text []byte, isUTF16 bool) int {
	if isUTF16 {
		return len(text) + 2
	}
	return 2*utf16Units(text) + 2
}

// AppendValue appends v's bytes as they stand in a body. On error dst comes back as it was.
func (l *Layout) AppendValue(dst []byte, v *Value) ([]byte, error) {
	switch v.Type {
	case Boolean:
		return append(dst, byte(l.booleanBits(v.Bits))), nil
	case Int32, Float32, ElapsedTime:
		return wire.AppendU32(dst, uint32(v.Bits)), nil
	case Float64, DateTime:
		return wire.AppendU64(dst, v.Bits), nil
	case String, InternationalizedString:
		return appendString(dst, v, 0)
	case BooleanArray, Int32Array, Float32Array, Float64Array, StringArray, DateTimeArray:
		return l.appendArray(dst, v, 0)
	}
	return dst, fail("encode", "type", -1, ErrType)
}

// booleanBits is the byte that a Boolean's bits stand for in a body.
func (l *Layout) booleanBits(bits uint64) uint64 {
	if bits != 0 {
		return uint64(l.BooleanTrue)
	}
	return uint64(l.BooleanFalse)
}

// appendString appends both lengths, the text and its terminator, and makes sure of room for so many bytes more.
func appendString(dst []byte, v *Value, room int) ([]byte, error) {
	start, done, size := len(dst), 0, len(v.Text)+2
	if !v.UTF16 {
		// The ASCII letters that the text begins with, as a rule all, are written on the way to its length.
		if cap(dst)-start > 8 {
			done = widen(dst[start+8:cap(dst)], v.Text)
		}
		if size += len(v.Text); done < len(v.Text) {
			size = 2*(done+utf16Units(v.Text[done:])) + 2
		}
	}
	if uint64(size) > maxText {
		return dst, fail("encode", "value", -1, ErrTooLong)
	}
	if cap(dst)-start < 8+size+room {
		dst, done = slices.Grow(dst, 8+size+room), 0
	}
	dst = dst[:start+8+size]
	b := dst[start:]
	// outer length: the inner length's 4 bytes and the text
	binary.LittleEndian.PutUint32(b, uint32(4+size))
	if err := putText(b[4:], v.Text, v.UTF16, done); err != nil {
		return dst[:start], err
	}
	return dst, nil
}

// putText fills b with a u32 byte length, the text and its terminator: a String's inner part, and an element of a StringArray. The first done
// letters stand there already.
func putText(b, text []byte, isUTF16 bool, done int) error {
	end := len(b) - 2
	// byte length, with the terminator
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	if isUTF16 {
		copy(b[4:end], text)
	} else if done < len(text) {
		if err := putUTF16(b[4+2*done:end], text[done:]); err != nil {
			return fail("encode", "value", -1, err)
		}
	}
	// U+0000
	b[end], b[end+1] = 0, 0
	return nil
}

// appendArray appends the header and the elements, and makes sure of room for so many bytes more.
func (l *Layout) appendArray(dst []byte, v *Value, room int) ([]byte, error) {
	if v.Count < 0 || v.Count > MaxElements {
		return dst, fail("encode", "value", -1, ErrCount)
	}
	if v.Type != StringArray && l.ElemWidth(v.Type)*v.Count != len(v.Elems) {
		return dst, fail("encode", "value", -1, ErrValue)
	}
	start, head := len(dst), l.HeaderSize()
	size := head + len(v.Elems)
	dst = slices.Grow(dst, size+room)[:start+size]
	to := dst[start:]
	// reserved, element width
	if from := &l.arrayHeads[v.Type-BooleanArray]; head == defaultHeader {
		copy(to[:defaultHeader], from[:]) // of a length that is known it is two stores
	} else {
		copy(to[:head], from[:])
	}
	// element count
	binary.LittleEndian.PutUint16(to[l.ArrayReservedWidth:], uint16(v.Count))
	// elements
	copy(to[head:], v.Elems)
	return dst, nil
}

// AppendBooleanElem appends one element of a BooleanArray.
func (l *Layout) AppendBooleanElem(dst []byte, v bool) []byte {
	e := l.BooleanElementFalse
	if v {
		e = l.BooleanElementTrue
	}
	return wire.AppendUint(dst, e, int(l.BooleanElementWidth))
}

// AppendInt32Elem appends one element of an Int32Array.
func AppendInt32Elem(dst []byte, v int32) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(v))
}

// AppendFloat32Elem appends one element of a Float32Array, given as its IEEE 754 bits.
func AppendFloat32Elem(dst []byte, bits uint32) []byte {
	return binary.LittleEndian.AppendUint32(dst, bits)
}

// AppendFloat64Elem appends one element of a Float64Array, given as its IEEE 754 bits.
func AppendFloat64Elem(dst []byte, bits uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, bits)
}

// AppendDateTimeElem appends one element of a DateTimeArray, a FILETIME.
func AppendDateTimeElem(dst []byte, ticks int64) []byte {
	return binary.LittleEndian.AppendUint64(dst, uint64(ticks))
}

// AppendStringElem appends one element of a StringArray from UTF-8 text: u32 byte length, text, U+0000. On error (ErrText,
// ErrTooLong) dst comes back as it was.
func AppendStringElem(dst, text []byte) ([]byte, error) {
	size := textSize(text, false)
	if uint64(size) > maxText {
		return dst, fail("encode", "value", -1, ErrTooLong)
	}
	start := len(dst)
	dst = slices.Grow(dst, 4+size)[:start+4+size]
	if err := putText(dst[start:], text, false, 0); err != nil {
		return dst[:start], err
	}
	return dst, nil
}
