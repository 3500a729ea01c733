package codec

import (
	"bytes"
	"encoding/binary"

	"mxrest/internal/codec/wire"
)

// ReadValue reads a value of type t that fills all of src, which it aliases.
func (l *Layout) ReadValue(src []byte, t Type) (Value, error) {
	r := wire.NewReader(src)
	v, err := l.readValue(&r, t.Kind())
	if err == nil {
		err = atEnd(&r)
	}
	v.Type = t
	return v, err
}

// readValue reads a value of kind k; it aliases the source. Text comes as UTF-16LE without its terminator, an array's elements as they
// stand in the body, each of them checked, so that whatever is accepted is encoded again to the same bytes.
// It fails with ErrShort, ErrValue, ErrLength, ErrCount, ErrWidth, ErrReserved or ErrTerminator.
func (l *Layout) readValue(r *wire.Reader, k Kind) (Value, error) {
	v, off := Value{Type: k.Type()}, r.Off()
	switch k {
	case KindBoolean:
		switch b := r.U8(); {
		case r.Short():
		case b == l.BooleanTrue:
			v.Bits = 1
		case b != l.BooleanFalse:
			return v, fail("decode", "value", off, ErrValue)
		}
	case KindInt32, KindFloat32:
		v.Bits = uint64(r.U32())
	case KindFloat64, KindDateTime:
		v.Bits = r.U64()
	case KindString:
		return v, readString(r, &v)
	default:
		return v, l.readArray(r, &v)
	}
	if r.Short() {
		return v, fail("decode", "value", off, ErrShort)
	}
	return v, nil
}

// readString reads a String: u32 outer length, u32 byte length, text, U+0000.
func readString(r *wire.Reader, v *Value) error {
	v.UTF16 = true
	off := r.Off()
	// outer length: what follows it
	outer := r.U32()
	if r.Short() {
		return fail("decode", "outer length", off, ErrShort)
	}
	if outer < 4+2 || uint64(outer) > uint64(r.Left()) {
		return fail("decode", "outer length", off, ErrLength)
	}
	// byte length: the text and its terminator
	off = r.Off()
	if inner := r.U32(); inner != outer-4 || inner%2 != 0 {
		return fail("decode", "byte length", off, ErrLength)
	}
	// text
	v.Text = r.Bytes(int(outer) - 4 - 2)
	// U+0000
	off = r.Off()
	if r.U16() != 0 {
		return fail("decode", "terminator", off, ErrTerminator)
	}
	return nil
}

// readArray reads an array's header and elements.
func (l *Layout) readArray(r *wire.Reader, v *Value) error {
	// reserved
	off := r.Off()
	if reserved := r.Uint(int(l.ArrayReservedWidth)); reserved != 0 {
		return fail("decode", "array reserved", off, ErrReserved)
	} else if r.Short() {
		return fail("decode", "array reserved", off, ErrShort)
	}
	// element count
	countOff := r.Off()
	count := int(r.U16())
	if r.Short() {
		return fail("decode", "element count", countOff, ErrShort)
	}
	// element width
	off = r.Off()
	width := r.Uint(int(l.ArrayElementWidthWidth))
	if r.Short() {
		return fail("decode", "element width", off, ErrShort)
	}
	size, want := l.ElemWidth(v.Type), uint64(l.ElemWidth(v.Type))
	if v.Type == StringArray {
		size, want = minStringElem, uint64(l.StringElementWidth)
	}
	if width != want {
		return fail("decode", "element width", off, ErrWidth)
	}
	// The count is believed only when the bytes left can hold that many of the smallest elements.
	if count*size > r.Left() {
		return fail("decode", "element count", countOff, ErrCountLeft)
	}
	v.Count = count
	// elements
	switch v.Type {
	case StringArray:
		return readStringElems(r, v)
	case BooleanArray:
		off = r.Off()
		v.Elems = r.Bytes(count * size)
		return l.checkBooleans(v.Elems, off)
	}
	v.Elems = r.Bytes(count * size)
	return nil
}

// minStringElem is the shortest element of a StringArray: the byte length and the terminator.
const minStringElem = 4 + 2

// readStringElems walks the elements, each a u32 byte length, text and U+0000, and keeps them as they stand.
func readStringElems(r *wire.Reader, v *Value) error {
	all := *r
	start := r.Off()
	for range v.Count {
		off := r.Off()
		// byte length, with the terminator
		n := r.U32()
		if r.Short() {
			return fail("decode", "element byte length", off, ErrShort)
		}
		if n < 2 || n%2 != 0 || uint64(n) > uint64(r.Left()) {
			return fail("decode", "element byte length", off, ErrLength)
		}
		// text
		r.Bytes(int(n) - 2)
		// U+0000
		off = r.Off()
		if r.U16() != 0 {
			return fail("decode", "element terminator", off, ErrTerminator)
		}
	}
	v.Elems = all.Bytes(r.Off() - start)
	return nil
}

// checkBooleans refuses elements that are neither true's bytes nor false's.
func (l *Layout) checkBooleans(elems []byte, off int) error {
	var yes, no [8]byte
	width := int(l.BooleanElementWidth)
	binary.LittleEndian.PutUint64(yes[:], l.BooleanElementTrue)
	binary.LittleEndian.PutUint64(no[:], l.BooleanElementFalse)
	for i := 0; i < len(elems); i += width {
		if e := elems[i : i+width]; !bytes.Equal(e, yes[:width]) && !bytes.Equal(e, no[:width]) {
			return fail("decode", "element", off+i, ErrValue)
		}
	}
	return nil
}
