package jsonin

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mxrest/internal/codec"
)

// judge reads what the fast path gave up on: it accepts slowly or says what is wrong.
func (d *Decoder) judge(it *Item, src, scratch []byte, withID bool) ([]byte, error) {
	root, err := d.Parse(src)
	if err == nil {
		err = root.wantObject()
	}
	if err == nil {
		scratch, err = d.item(it, root, scratch, withID)
	}
	if err != nil && withID && it.ID == nil {
		it.ID = LooseID(src)
	}
	return scratch, err
}

// LooseID is the member id of an item that is against the rules, so that its error can name it; nil where none can be read.
func LooseID(src []byte) []byte {
	dec := jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		return nil
	}
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		isID := name.String() == "id"
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if isID {
			id, err := jsontext.AppendUnquote([]byte{}, value)
			if err != nil || runes(id) > MaxID {
				return nil
			}
			return id
		}
	}
	return nil
}

// The members of a write in their documented order; id only in a batch.
var writeNames = []string{"handle", "handleBytes", "type", "value", "bits", "timestamp", "clientToken", "writeIndex", "id"}

func (d *Decoder) item(it *Item, n Node, scratch []byte, withID bool) ([]byte, error) {
	names := writeNames
	if !withID {
		names = names[:len(names)-1]
	}
	m, err := n.Members(names...)
	if err != nil {
		return scratch, err
	}
	handle, handleBytes, typ, value, bits, timestamp, token, index := m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]

	if withID && m[8].Present() {
		id, err := m[8].Text([]byte{}) // never nil: an id may be empty
		if err != nil {
			return scratch, err
		}
		if runes(id) > MaxID {
			return scratch, m[8].Fail("the id is longer than "+strconv.Itoa(MaxID)+" characters", "0.."+strconv.Itoa(MaxID)+" characters")
		}
		it.ID = id
	}

	// The handle's own members come first, because an unknown one among them is a fault of syntax. Its type decides over the
	// index, and is looked at here without being judged.
	t := typeOf(typ)
	if err := d.HandleOrBytes(&it.Handle, n, handle, handleBytes, t); err != nil {
		return scratch, err
	}
	if t == 0 {
		return scratch, typeError(n, typ)
	}
	if !value.Present() {
		return scratch, n.Missing("value", valueLimit(t))
	}
	if scratch, err = d.ValueNode(&it.Value, t, value, scratch); err != nil {
		return scratch, err
	}
	if bits.Present() {
		if err := BitsNode(&it.Value, bits); err != nil {
			return scratch, err
		}
	}
	if timestamp.Present() {
		if it.FileTime, err = timestamp.FileTime(); err != nil {
			return scratch, err
		}
		it.Timestamped = true
	}
	if token.Present() {
		v, err := token.Int(0, math.MaxUint32)
		if err != nil {
			return scratch, err
		}
		it.ClientToken = uint32(v)
	}
	if index.Present() {
		v, err := index.Int(math.MinInt32, math.MaxInt32)
		if err != nil {
			return scratch, err
		}
		it.WriteIndex = int32(v)
	}
	return scratch, nil
}

// typeOf is the type a node names, 0 when it names none.
func typeOf(n Node) codec.Type {
	if n.Kind() != String {
		return 0
	}
	t, _ := codec.ParseType(unquote(nil, n.raw))
	return t
}

func typeError(parent, n Node) error {
	limit := strings.Join(codec.TypeNames(), ", ")
	switch n.Kind() {
	case Absent:
		return parent.Missing("type", limit)
	case String:
		reason := typed(n.raw) + " is not a type"
		for _, name := range codec.TypeNames() {
			if strings.EqualFold(name, string(unquote(nil, n.raw))) {
				reason += ": names are case-sensitive, write " + strconv.Quote(name)
			}
		}
		return n.Fail(reason, limit)
	}
	return n.Wrong("the name of a type", limit)
}

// TypeNode reads the name of a type. The error lists the allowed ones.
func TypeNode(n Node) (codec.Type, error) {
	if t := typeOf(n); t != 0 {
		return t, nil
	}
	return 0, typeError(n, n)
}

// HandleOrBytes reads the handle of a request from its members handle and handleBytes, of which exactly one is to be present; parent
// is the object they stand in. t is the type written, for the index; 0 when there is none.
func (d *Decoder) HandleOrBytes(h *codec.Handle, parent, handle, handleBytes Node, t codec.Type) error {
	switch {
	case handle.Present() && handleBytes.Present():
		// An unknown member of the handle is a fault of syntax and comes first.
		if handle.Kind() == Object {
			if _, err := handle.Members(handleNames...); err != nil {
				return err
			}
		}
		return handleBytes.Fail("handle and handleBytes are both there", "one of handle, handleBytes")
	case handle.Present():
		return d.HandleNode(h, handle, t)
	case handleBytes.Present():
		return HandleBytesNode(h, handleBytes, t)
	}
	return parent.Missing("handle", "one of handle, handleBytes")
}

// HandleBytesNode reads a handle given as 40 hex digits, for a write of type t or, with 0, for none.
func HandleBytesNode(h *codec.Handle, n Node, t codec.Type) error {
	const limit = "40 hex digits"
	if n.Kind() != String {
		return n.Wrong("a string of 40 hex digits", limit)
	}
	text := unquote(nil, n.raw)
	var b [codec.HandleSize]byte
	if len(text) != 2*len(b) {
		return n.Fail("the string has "+strconv.Itoa(runes(text))+" characters, not 40", limit)
	}
	if _, err := hex.Decode(b[:], text); err != nil {
		return n.Fail(typed(n.raw)+" has a character that is no hex digit", limit)
	}
	got, err := codec.DecodeHandle(b[:])
	if err != nil {
		return n.Fail("byte 1 of the handle is reserved and is not 0 here", "00 at byte 1")
	}
	if reason, limit := indexFault(got.AttributeIndex, t); reason != "" {
		return n.Fail("the attribute index, bytes 18 and 19, is "+strconv.Itoa(int(got.AttributeIndex))+": "+reason, limit)
	}
	*h = got
	return nil
}

// indexFault says why an attribute index does not fit a type, "" when it does. Type 0 stands for no type.
func indexFault(index int16, t codec.Type) (reason, limit string) {
	switch {
	case t == 0 && index < -1:
		return "it is -1 for a whole array, else 0 or an element's index", "-1..32767"
	case t == 0 || codec.CheckIndex(t, index) == nil:
		return "", ""
	case t.IsArray():
		return "a whole array has the index -1", "-1"
	}
	return "a scalar has the index 0 or that of an element", "0..32767"
}

// The members of a handle in their documented order.
var handleNames = []string{"galaxyId", "platformId", "engineId", "objectId", "object", "objectSignature", "primitiveId",
	"attributeId", "propertyId", "attribute", "attributeSignature", "attributeIndex"}

// HandleNode reads a handle object, for a write of type t or, with 0, for none.
func (d *Decoder) HandleNode(h *codec.Handle, n Node, t codec.Type) error {
	m, err := n.Members(handleNames...)
	if err != nil {
		return err
	}
	var v [12]int64
	for _, f := range [...]struct {
		at, lo, hi int
		optional   bool
	}{
		{at: 0, hi: math.MaxUint8},                                     // galaxyId
		{at: 1, hi: math.MaxUint16},                                    // platformId
		{at: 2, hi: math.MaxUint16},                                    // engineId
		{at: 3, hi: math.MaxUint16},                                    // objectId
		{at: 5, hi: math.MaxUint16, optional: true},                    // objectSignature
		{at: 6, lo: math.MinInt16, hi: math.MaxInt16},                  // primitiveId
		{at: 7, lo: math.MinInt16, hi: math.MaxInt16},                  // attributeId
		{at: 8, lo: math.MinInt16, hi: math.MaxInt16, optional: true},  // propertyId
		{at: 10, hi: math.MaxUint16, optional: true},                   // attributeSignature
		{at: 11, lo: math.MinInt16, hi: math.MaxInt16, optional: true}, // attributeIndex
	} {
		switch {
		case m[f.at].Present():
			if v[f.at], err = m[f.at].Int(int64(f.lo), int64(f.hi)); err != nil {
				return err
			}
		case !f.optional:
			return n.Missing(handleNames[f.at], strconv.Itoa(f.lo)+".."+strconv.Itoa(f.hi))
		}
	}
	if v[4], err = d.signature(n, m, 4); err != nil {
		return err
	}
	if v[9], err = d.signature(n, m, 9); err != nil {
		return err
	}
	if !m[8].Present() {
		v[8] = codec.DefaultPropertyID
	}
	if !m[11].Present() && t.IsArray() {
		v[11] = -1
	}
	if reason, limit := indexFault(int16(v[11]), t); reason != "" {
		if !m[11].Present() {
			return n.Missing(handleNames[11], limit)
		}
		return m[11].Fail(typed(m[11].raw)+" does not fit the type: "+reason, limit)
	}
	*h = codec.Handle{
		GalaxyID: uint8(v[0]), PlatformID: uint16(v[1]), EngineID: uint16(v[2]), ObjectID: uint16(v[3]), ObjectSignature: uint16(v[4]),
		PrimitiveID: int16(v[6]), AttributeID: int16(v[7]), PropertyID: int16(v[8]), AttributeSignature: uint16(v[9]), AttributeIndex: int16(v[11]),
	}
	return nil
}

// signature is that of the name at m[at], or the one given at m[at+1].
func (d *Decoder) signature(parent Node, m []Node, at int) (int64, error) {
	name, given := m[at], m[at+1]
	both := "one of " + handleNames[at] + ", " + handleNames[at+1]
	switch {
	case name.Present() && given.Present():
		return 0, given.Fail(handleNames[at]+" and "+handleNames[at+1]+" are both there", both)
	case given.Present():
		return given.Int(0, math.MaxUint16)
	case !name.Present():
		return 0, parent.Missing(handleNames[at], both)
	}
	text, err := name.Text(nil)
	if err != nil {
		return 0, err
	}
	if len(text) > d.limits.MaxText {
		return 0, d.tooLong(name)
	}
	s, err := codec.Signature(text)
	if err != nil {
		return 0, name.Fail("the name is empty", "at least 1 character")
	}
	return int64(s), nil
}

func (d *Decoder) tooLong(n Node) error {
	return n.Fail("the text is longer than "+strconv.Itoa(d.limits.MaxText)+" bytes", d.textRange())
}

// textRange is how long a text value may be.
func (d *Decoder) textRange() string { return "0.." + strconv.Itoa(d.limits.MaxText) + " bytes" }

// valueLimit is what a type's value may be, for errors.
func valueLimit(t codec.Type) string {
	switch t {
	case codec.Boolean:
		return "true, false"
	case codec.Int32, codec.ElapsedTime:
		return "-2147483648..2147483647"
	case codec.Float32:
		return `-3.4028235e38..3.4028235e38, "NaN", "Infinity", "-Infinity"`
	case codec.Float64:
		return `-1.7976931348623157e308..1.7976931348623157e308, "NaN", "Infinity", "-Infinity"`
	case codec.DateTime:
		return timeLimit
	case codec.String, codec.InternationalizedString:
		return "a string"
	}
	return "an array of " + t.Elem().String()
}

const timeLimit = "1601-01-01T00:00:00Z..9999-12-31T23:59:59.9999999Z"

// ValueNode reads a value of type t. Array elements and unescaped text are appended to scratch, which is returned.
func (d *Decoder) ValueNode(v *codec.Value, t codec.Type, n Node, scratch []byte) ([]byte, error) {
	*v = codec.Value{Type: t}
	start := len(scratch)
	var err error
	switch {
	case t == codec.String || t == codec.InternationalizedString:
		v.Text, scratch, err = d.text(n, scratch)
		return scratch, err
	case t.IsArray():
		if n.Kind() != Array {
			return scratch, n.Wrong("an array of "+t.Elem().String(), valueLimit(t))
		}
		err = n.Elements(d.limits.MaxElements, func(_ int, elem Node) (err error) {
			v.Count++
			scratch, err = d.element(t.Elem(), elem, scratch)
			return err
		})
		v.Elems = scratch[start:len(scratch):len(scratch)]
		return scratch, err
	}
	v.Bits, err = scalar(t, n)
	return scratch, err
}

// text reads a string and keeps what it had to unescape in scratch.
func (d *Decoder) text(n Node, scratch []byte) (text, _ []byte, err error) {
	if n.Kind() != String {
		return nil, scratch, n.Wrong("a string", "a string of "+d.textRange())
	}
	start := len(scratch)
	if text = unquote(scratch, n.raw); len(text) > d.limits.MaxText {
		return nil, scratch, d.tooLong(n)
	}
	if bytes.IndexByte(n.raw, '\\') >= 0 {
		scratch = append(scratch[:start], text...) // where it stands already, or in scratch's new place
		text = scratch[start:len(scratch):len(scratch)]
	}
	return text, scratch, nil
}

// element appends one element of an array, of scalar type t, to scratch.
func (d *Decoder) element(t codec.Type, n Node, scratch []byte) ([]byte, error) {
	if t == codec.String {
		if n.Kind() != String {
			return scratch, n.Wrong("a string", "a string of "+d.textRange())
		}
		text := unquote(nil, n.raw)
		if len(text) > d.limits.MaxText {
			return scratch, d.tooLong(n)
		}
		return codec.AppendStringElem(scratch, text)
	}
	v, err := scalar(t, n)
	if err != nil {
		return scratch, err
	}
	return d.appendElem(scratch, t, v), nil
}

// appendElem appends one element that is no string, given by its bits.
func (d *Decoder) appendElem(dst []byte, t codec.Type, bits uint64) []byte {
	switch t {
	case codec.Boolean:
		return d.layout.AppendBooleanElem(dst, bits != 0)
	case codec.Int32:
		return codec.AppendInt32Elem(dst, int32(bits))
	case codec.Float32:
		return codec.AppendFloat32Elem(dst, uint32(bits))
	case codec.Float64:
		return codec.AppendFloat64Elem(dst, bits)
	}
	return codec.AppendDateTimeElem(dst, int64(bits))
}

// scalar reads a value that is no text, as its bits.
func scalar(t codec.Type, n Node) (uint64, error) {
	switch t {
	case codec.Boolean:
		v, err := n.Bool()
		if v {
			return 1, err
		}
		return 0, err
	case codec.Int32, codec.ElapsedTime:
		want := "an integer of 32 bits"
		if t == codec.ElapsedTime {
			want = "a whole number of milliseconds"
		}
		v, err := n.integer(want, math.MinInt32, math.MaxInt32)
		return uint64(uint32(v)), err
	case codec.Float32, codec.Float64:
		return n.float(t)
	}
	v, err := n.FileTime()
	return uint64(v), err
}

// float reads a Float32 or Float64: a number, or one of three names.
func (n Node) float(t codec.Type) (uint64, error) {
	wide := t == codec.Float64
	switch n.Kind() {
	case String:
		if bits, ok := nonFinite(unquote(nil, n.raw), wide); ok {
			return bits, nil
		}
	case Number:
		if wide {
			v, err := strconv.ParseFloat(string(n.raw), 64)
			if err != nil {
				return 0, n.Fail(typed(n.raw)+" is out of range", valueLimit(t))
			}
			return math.Float64bits(v), nil
		}
		v, err := strconv.ParseFloat(string(n.raw), 32)
		bits := math.Float32bits(float32(v))
		if err != nil || !belowFloat32Infinity(n.raw, bits) {
			return 0, n.Fail(typed(n.raw)+" is out of range", valueLimit(t))
		}
		return uint64(bits), nil
	}
	return 0, n.Wrong("a number", valueLimit(t))
}

// belowFloat32Infinity tells whether a number that rounds to the largest Float32 is below the middle between that and infinity also
// when it is read as a Float64. A schema can give the bound only to that precision, and would refuse what lies closer.
func belowFloat32Infinity(raw []byte, bits uint32) bool {
	const largest, middle = 0x7f7fffff, 0x1.ffffffp127
	if bits&^(1<<31) != largest {
		return true
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && v < middle && v > -middle
}

// nonFinite gives the bits of the three values that JSON numbers cannot say.
func nonFinite(name []byte, wide bool) (bits uint64, ok bool) {
	switch string(name) {
	case "NaN":
		if wide {
			return codec.NaN64, true
		}
		return codec.NaN32, true
	case "Infinity":
		if wide {
			return math.Float64bits(math.Inf(1)), true
		}
		return 0x7f800000, true
	case "-Infinity":
		if wide {
			return math.Float64bits(math.Inf(-1)), true
		}
		return 0xff800000, true
	}
	return 0, false
}

// FileTime reads an RFC 3339 time with Z or an offset.
func (n Node) FileTime() (int64, error) {
	const want = "an RFC 3339 time with Z or an offset, such as 2024-01-01T00:00:00Z"
	if n.Kind() != String {
		return 0, n.Wrong(want, timeLimit)
	}
	v, err := codec.ParseFileTime(unquote(nil, n.raw))
	switch {
	case errors.Is(err, codec.ErrTime):
		return 0, n.Fail(typed(n.raw)+" is out of range", timeLimit)
	case err != nil:
		return 0, n.Fail(typed(n.raw)+" is not "+want, timeLimit)
	}
	return v, nil
}
