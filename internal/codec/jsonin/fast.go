package jsonin

import (
	"math"

	"mxrest/internal/codec"
)

// fast reads one document by hand. Each method says whether it took what it met; once one did not, the judge begins anew, so
// that no error is ever worded here. Between calls b[i] is the next byte to look at.
type fast struct {
	d       *Decoder
	b       []byte
	i       int
	scratch []byte
	withID  bool
	last    codec.Type // of the item before, 0 for none
}

// The members of a write and of a handle, by their place in writeNames and handleNames.
const (
	mHandle = iota
	mHandleBytes
	mType
	mValue
	mBits
	mTimestamp
	mClientToken
	mWriteIndex
	mID

	hGalaxy = iota - mID - 1
	hPlatform
	hEngine
	hObjectID
	hObject
	hObjectSignature
	hPrimitive
	hAttributeID
	hProperty
	hAttribute
	hAttributeSignature
	hIndex
)

// Sets of members seen, by place.
const (
	needWrite  = 1<<mType | 1<<mValue
	needHandle = 1<<hGalaxy | 1<<hPlatform | 1<<hEngine | 1<<hObjectID | 1<<hPrimitive | 1<<hAttributeID
)

// writeKeys and handleKeys are the names as they stand in a document that has no space before the colon; the last one is a
// guess that always fails.
var writeKeys, handleKeys = keys(writeNames), keys(handleNames)

func keys(names []string) []string {
	list := make([]string, 0, len(names)+1)
	for _, name := range names {
		list = append(list, `"`+name+`":`)
	}
	return append(list, "\x00")
}

// document reads a whole document: an item and the space around it.
func (f *fast) document(it *Item) bool {
	f.space()
	if !f.item(it) {
		return false
	}
	f.space()
	return f.i == len(f.b)
}

// space skips white space.
func (f *fast) space() {
	for f.i < len(f.b) && f.b[f.i] <= ' ' {
		switch f.b[f.i] {
		case ' ', '\n', '\r', '\t':
			f.i++
		default:
			return
		}
	}
}

// take skips the byte c, with space around it.
func (f *fast) take(c byte) bool {
	f.space()
	if f.i >= len(f.b) || f.b[f.i] != c {
		return false
	}
	f.i++
	f.space()
	return true
}

// next is called after a member or an element: done when closing ends the list, not done when a comma leads to another, not ok when
// neither stands there.
func (f *fast) next(closing byte) (done, ok bool) {
	f.space()
	if f.i >= len(f.b) {
		return false, false
	}
	c := f.b[f.i]
	f.i++
	if c == ',' {
		f.space()
		return false, true
	}
	return true, c == closing
}

// key reads a member's name and the colon, and returns its place in names, or len(names). It tries guess first and the name after
// it next: the documented order, in which one of a pair is left out.
func (f *fast) key(guess int, keys, names []string) int {
	rest := f.b[f.i:]
	for at := guess; at <= guess+1 && at < len(names); at++ {
		if k := keys[at]; len(rest) > len(k) && string(rest[:len(k)]) == k {
			f.i += len(k)
			if c := f.b[f.i]; c <= ' ' {
				f.space()
			}
			return at
		}
	}
	name, ok := f.text()
	if !ok || !f.take(':') {
		return len(names)
	}
	for at := range names {
		if string(name) == names[at] {
			return at
		}
	}
	return len(names)
}

// item reads a write. The handle's index and a value that comes before its type are settled once the type is known.
func (f *fast) item(it *Item) bool {
	if !f.take('{') {
		return false
	}
	names := writeNames
	if !f.withID {
		names = names[:mID]
	}
	seen, indexSeen, ok := f.beginInOrder(it)
	if !ok {
		return false
	}
	var (
		valueAt = -1 // where a value stands that came before its type
		guess   = mHandle
		done    bool
	)
	switch {
	case seen&needWrite == needWrite:
		guess = mTimestamp
	case seen&(1<<mHandle) != 0:
		guess = mType
	}
	if seen != 0 {
		if done, ok = f.next('}'); !ok {
			return false
		}
	}
	for !done {
		at := f.key(guess, writeKeys, names)
		if at == len(names) || seen&(1<<at) != 0 {
			return false
		}
		seen |= 1 << at
		ok := false
		switch guess = at + 1; at {
		case mHandle:
			indexSeen, ok = f.handle(&it.Handle)
			guess = mType
		case mHandleBytes:
			ok = f.handleBytes(&it.Handle)
			indexSeen = true
		case mType:
			var name []byte
			if name, ok = f.text(); ok {
				it.Value.Type, ok = codec.ParseType(name)
			}
		case mValue:
			if it.Value.Type != 0 {
				ok = f.value(&it.Value)
			} else {
				valueAt = f.i
				ok = f.skip()
			}
			guess = mTimestamp
		case mBits:
			return false // rare
		case mTimestamp:
			it.Timestamped = true
			it.FileTime, ok = f.fileTime()
		case mClientToken:
			var v int64
			v, ok = f.integer(0, math.MaxUint32)
			it.ClientToken = uint32(v)
		case mWriteIndex:
			var v int64
			v, ok = f.integer(math.MinInt32, math.MaxInt32)
			it.WriteIndex = int32(v)
		case mID:
			it.ID, ok = f.text()
			ok = ok && (len(it.ID) <= MaxID || runes(it.ID) <= MaxID)
			guess = mHandle
		}
		if !ok {
			return false
		}
		if done, ok = f.next('}'); !ok {
			return false
		}
	}
	if seen&needWrite != needWrite || (seen>>mHandle&1)+(seen>>mHandleBytes&1) != 1 {
		return false
	}
	if valueAt >= 0 && !f.valueBefore(&it.Value, valueAt) {
		return false
	}
	if !indexSeen && it.Value.Type.IsArray() {
		it.Handle.AttributeIndex = -1
	}
	return codec.CheckIndex(it.Value.Type, it.Handle.AttributeIndex) == nil
}

// valueBefore reads the value that stands at an earlier place, now that its type is known.
func (f *fast) valueBefore(v *codec.Value, at int) bool {
	end := f.i
	f.i = at
	if !f.skip() {
		return false
	}
	valueEnd := f.i
	f.i = at
	ok := f.value(v) && f.i == valueEnd
	f.i = end
	return ok
}

// skip passes over a scalar or an array of scalars without judging it.
func (f *fast) skip() bool {
	if f.i < len(f.b) && f.b[f.i] == '[' {
		f.i++
		f.space()
		if f.i < len(f.b) && f.b[f.i] == ']' {
			f.i++
			return true
		}
		for {
			if !f.skipScalar() {
				return false
			}
			if done, ok := f.next(']'); done || !ok {
				return ok
			}
		}
	}
	return f.skipScalar()
}

func (f *fast) skipScalar() bool {
	if f.i < len(f.b) && f.b[f.i] == '"' {
		_, ok := f.text()
		return ok
	}
	start := f.i
	for f.i < len(f.b) {
		switch c := f.b[f.i]; {
		case c <= ' ' || c == ',' || c == ']' || c == '}':
			return f.i > start
		case c == '"' || c == '[' || c == '{':
			return false
		}
		f.i++
	}
	return false
}

// handle reads a handle object. Whether its index was there is told, because its default depends on the type.
func (f *fast) handle(h *codec.Handle) (indexSeen, ok bool) {
	if indexSeen, end, ok := f.d.handleInOrder(h, f.b, f.i); ok {
		f.i = end
		return indexSeen, true
	}
	if !f.take('{') {
		return false, false
	}
	var seen uint32
	h.PropertyID = codec.DefaultPropertyID
	done := false
	for guess := hGalaxy; !done; {
		at := f.key(guess, handleKeys, handleNames)
		if at == len(handleNames) || seen&(1<<at) != 0 {
			return false, false
		}
		seen |= 1 << at
		guess = at + 1
		var v int64
		switch at {
		case hGalaxy:
			v, ok = f.integer(0, math.MaxUint8)
			h.GalaxyID = uint8(v)
		case hPlatform:
			v, ok = f.integer(0, math.MaxUint16)
			h.PlatformID = uint16(v)
		case hEngine:
			v, ok = f.integer(0, math.MaxUint16)
			h.EngineID = uint16(v)
		case hObjectID:
			v, ok = f.integer(0, math.MaxUint16)
			h.ObjectID = uint16(v)
		case hObject:
			h.ObjectSignature, ok = f.name()
			guess = hPrimitive
		case hObjectSignature:
			v, ok = f.integer(0, math.MaxUint16)
			h.ObjectSignature = uint16(v)
		case hPrimitive:
			v, ok = f.integer(math.MinInt16, math.MaxInt16)
			h.PrimitiveID = int16(v)
		case hAttributeID:
			v, ok = f.integer(math.MinInt16, math.MaxInt16)
			h.AttributeID = int16(v)
		case hProperty:
			v, ok = f.integer(math.MinInt16, math.MaxInt16)
			h.PropertyID = int16(v)
		case hAttribute:
			h.AttributeSignature, ok = f.name()
			guess = hIndex
		case hAttributeSignature:
			v, ok = f.integer(0, math.MaxUint16)
			h.AttributeSignature = uint16(v)
		case hIndex:
			v, ok = f.integer(math.MinInt16, math.MaxInt16)
			h.AttributeIndex = int16(v)
		}
		if !ok {
			return false, false
		}
		if done, ok = f.next('}'); !ok {
			return false, false
		}
	}
	ok = seen&needHandle == needHandle &&
		(seen>>hObject&1)+(seen>>hObjectSignature&1) == 1 &&
		(seen>>hAttribute&1)+(seen>>hAttributeSignature&1) == 1
	return seen>>hIndex&1 != 0, ok
}

// handleDocument reads a whole document that is a handle.
func (f *fast) handleDocument(h *codec.Handle) bool {
	*h = codec.Handle{}
	f.space()
	if _, ok := f.handle(h); !ok || h.AttributeIndex < -1 {
		return false
	}
	f.space()
	return f.i == len(f.b)
}

// name reads a name as its signature.
func (f *fast) name() (signature uint16, ok bool) {
	signature, f.i, ok = f.d.nameAt(f.b, f.i)
	return signature, ok
}

// nameAt reads the name that stands at i as its signature, and returns where it ends.
func (d *Decoder) nameAt(b []byte, i int) (signature uint16, end int, ok bool) {
	text, end, ok := textAt(b, i)
	if !ok || len(text) > d.limits.MaxText {
		return 0, i, false
	}
	signature, err := codec.Signature(text)
	return signature, end, err == nil
}

// handleBytes reads a handle given as 40 hex digits.
func (f *fast) handleBytes(h *codec.Handle) bool {
	text, ok := f.text()
	var b [codec.HandleSize]byte
	if !ok || len(text) != 2*len(b) {
		return false
	}
	for i := range b {
		hi, lo := unhex[text[2*i]], unhex[text[2*i+1]]
		if hi|lo > 15 {
			return false
		}
		b[i] = hi<<4 | lo
	}
	got, err := codec.DecodeHandle(b[:])
	*h = got
	return err == nil
}

// unhex gives the value of a hex digit, 255 for what is none.
var unhex = func() (t [256]byte) {
	for i := range t {
		t[i] = 255
	}
	for i := range byte(10) {
		t['0'+i] = i
	}
	for i := range byte(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}()

// fileTime reads a string that is a time.
func (f *fast) fileTime() (int64, bool) {
	text, ok := f.text()
	if !ok {
		return 0, false
	}
	v, err := codec.ParseFileTime(text)
	return v, err == nil
}

// value reads a value of the type that v has.
func (f *fast) value(v *codec.Value) (ok bool) {
	switch v.Type {
	case codec.String, codec.InternationalizedString:
		v.Text, ok = f.valueText()
		return ok
	case codec.BooleanArray, codec.Int32Array, codec.Float32Array, codec.Float64Array, codec.StringArray, codec.DateTimeArray:
		return f.array(v)
	}
	v.Bits, ok = f.scalar(v.Type)
	return ok
}

// scalar reads a value that is no text, as its bits.
func (f *fast) scalar(t codec.Type) (bits uint64, ok bool) {
	switch t {
	case codec.Int32, codec.ElapsedTime:
		v, ok := f.integer(math.MinInt32, math.MaxInt32)
		return uint64(uint32(v)), ok
	case codec.Boolean:
		return f.boolean()
	case codec.Float32:
		return f.float(false)
	case codec.Float64:
		return f.float(true)
	}
	v, ok := f.fileTime()
	return uint64(v), ok
}

func (f *fast) boolean() (uint64, bool) {
	rest := f.b[f.i:]
	switch {
	case len(rest) >= 4 && string(rest[:4]) == "true":
		f.i += 4
		return 1, true
	case len(rest) >= 5 && string(rest[:5]) == "false":
		f.i += 5
		return 0, true
	}
	return 0, false
}

// array reads the elements of an array straight into the form they have on the wire.
func (f *fast) array(v *codec.Value) bool {
	if f.i >= len(f.b) || f.b[f.i] != '[' {
		return false
	}
	f.i++
	f.space()
	start := len(f.scratch)
	t := v.Type.Elem()
	if f.i < len(f.b) && f.b[f.i] == ']' {
		f.i++
	} else {
		if t == codec.Int32 {
			f.int32s(v)
		}
		for done := false; !done; v.Count++ {
			if v.Count == f.d.limits.MaxElements || !f.elem(t) {
				return false
			}
			var ok bool
			if done, ok = f.next(']'); !ok {
				return false
			}
		}
	}
	v.Elems = f.scratch[start:len(f.scratch):len(f.scratch)]
	return true
}

// int32s reads elements of an Int32Array as long as each is followed by a comma and at most one space, as programs write them: all but the
// last. What it leaves begins with an element.
func (f *fast) int32s(v *codec.Value) {
	b, i := f.b, f.i
	for v.Count < f.d.limits.MaxElements {
		at := i
		if at < len(b) && b[at] == '-' {
			at++
		}
		u, end := digits(b, at)
		if n := end - at; end >= len(b) || b[end] != ',' || n == 0 || n > 10 || b[at] == '0' && n > 1 {
			break
		}
		e := int64(u)
		if at > i {
			e = -e
		}
		if int64(int32(e)) != e {
			break
		}
		f.scratch = codec.AppendInt32Elem(f.scratch, int32(e))
		v.Count++
		if i = end + 1; i < len(b) && b[i] == ' ' {
			i++
		}
	}
	f.i = i
}

// elem reads one element of scalar type t.
func (f *fast) elem(t codec.Type) bool {
	if t == codec.String {
		return f.stringElem()
	}
	bits, ok := f.scalar(t)
	if !ok {
		return false
	}
	f.scratch = f.d.appendElem(f.scratch, t, bits)
	return true
}
