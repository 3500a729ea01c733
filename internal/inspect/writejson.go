package inspect

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mxrest/internal/codec"
)

// WriteJSON is a decoded write as the JSON that /v1/write takes; encoding that in the same layout gives the same bytes. Where JSON cannot say it,
// the JSON is nil and reason tells why. names are those that are known to have the write's signatures; the others stand as signatures. A body
// does not carry galaxy, platform and engine: they are 0 here, and any others give the same body.
func WriteJSON(l *codec.Layout, w *codec.Write, names Options) (out json.RawMessage, reason string) {
	if codec.CheckIndex(w.Value.Type, w.Handle.AttributeIndex) != nil {
		return nil, fmt.Sprintf("the attribute index is %d beside %s: a write has -1 for a whole array, else 0 or an element's index", w.Handle.AttributeIndex, w.Value.Type)
	}
	value, bits, reason := ValueJSON(l, &w.Value)
	if reason != "" {
		return nil, reason
	}
	b := append(make([]byte, 0, 256+len(value)), `{"handle":`...)
	b = appendHandleJSON(b, &w.Handle, names)
	b = append(b, `,"type":"`...)
	b = append(b, w.Value.Type.String()...)
	b = append(b, `","value":`...)
	b = append(b, value...)
	if bits != nil {
		b = append(b, `,"bits":`...)
		b = append(b, bits...)
	}
	if w.Timestamped {
		b = append(b, `,"timestamp":"`...)
		var ok bool
		if b, ok = codec.AppendFileTime(b, w.FileTime); !ok {
			return nil, fmt.Sprintf("the timestamp, FILETIME %d, is outside the years 1601 to 9999", w.FileTime)
		}
		b = append(b, '"')
	}
	b = append(b, `,"clientToken":`...)
	b = strconv.AppendUint(b, uint64(w.ClientToken), 10)
	b = append(b, `,"writeIndex":`...)
	b = strconv.AppendInt(b, int64(w.WriteIndex), 10)
	return append(b, '}'), ""
}

// itemControlJSON is an advise or unadvise as the JSON that /v1/item-control takes.
func itemControlJSON(c *codec.ItemControl, names Options) (out json.RawMessage, reason string) {
	operation := "unadvise"
	if c.Opcode == codec.OpAdvise {
		operation = "advise"
	}
	b := append([]byte(`{"operation":"`), operation...)
	b = append(b, `","itemCorrelationId":"`...)
	b = c.ItemID.AppendText(b)
	if i := c.Handle.AttributeIndex; i < -1 {
		return nil, fmt.Sprintf("the attribute index is %d: a handle has -1 for a whole array, else 0 or an element's index", i)
	}
	b = append(b, `","handle":`...)
	b = appendHandleJSON(b, &c.Handle, names)
	if c.Opcode == codec.OpAdvise {
		b = append(b, `,"extra":`...)
		b = strconv.AppendUint(b, uint64(c.Extra), 10)
	}
	b = append(b, `,"tail":`...)
	b = strconv.AppendUint(b, uint64(c.Tail), 10)
	return append(b, '}'), ""
}

// appendHandleJSON appends a handle object.
func appendHandleJSON(b []byte, h *codec.Handle, names Options) []byte {
	number := func(key string, v int64) {
		b = append(b, '"')
		b = append(b, key...)
		b = append(b, `":`...)
		b = strconv.AppendInt(b, v, 10)
		b = append(b, ',')
	}
	name := func(key, name string, sig uint16) {
		if name == "" {
			number(key+"Signature", int64(sig))
			return
		}
		b = append(b, '"')
		b = append(b, key...)
		b = append(b, `":`...)
		b, _ = jsontext.AppendQuote(b, name) // names that have a signature are valid text
		b = append(b, ',')
	}
	b = append(b, '{')
	number("galaxyId", int64(h.GalaxyID))
	number("platformId", int64(h.PlatformID))
	number("engineId", int64(h.EngineID))
	number("objectId", int64(h.ObjectID))
	name("object", names.Object, h.ObjectSignature)
	number("primitiveId", int64(h.PrimitiveID))
	number("attributeId", int64(h.AttributeID))
	number("propertyId", int64(h.PropertyID))
	name("attribute", names.Attribute, h.AttributeSignature)
	number("attributeIndex", int64(h.AttributeIndex))
	b[len(b)-1] = '}'
	return b
}

// ValueJSON is a decoded value as a write's value, with its bits where it is, or has elements that are, a NaN with bits of its own. Where JSON cannot say it,
// the JSON is nil and reason tells why.
func ValueJSON(l *codec.Layout, v *codec.Value) (value, bits json.RawMessage, reason string) {
	switch v.Type {
	case codec.String, codec.InternationalizedString:
		value, reason = textJSON(nil, v.Text, v.UTF16)
		return value, nil, reason
	case codec.StringArray:
		value, reason = stringsJSON(v)
		return value, nil, reason
	}
	if !v.Type.IsArray() {
		b, nan, reason := appendScalarJSON(nil, v.Type, v.Bits)
		if reason != "" {
			return nil, nil, reason
		}
		if nan != "" {
			bits = json.RawMessage(strconv.Quote(nan))
		}
		return b, bits, ""
	}
	width := l.ElemWidth(v.Type)
	b := append(make([]byte, 0, 16+6*v.Count), '[')
	for i := range v.Count {
		if i > 0 {
			b = append(b, ',')
		}
		e := uintOf(v.Elems[i*width : (i+1)*width])
		if v.Type == codec.BooleanArray {
			e = map[bool]uint64{true: 1, false: 0}[e == l.BooleanElementTrue]
		}
		var nan, reason string
		if b, nan, reason = appendScalarJSON(b, v.Type.Elem(), e); reason != "" {
			return nil, nil, fmt.Sprintf("element %d: %s", i, reason)
		}
		if nan != "" {
			bits = append(bits, map[bool]string{true: "[", false: ","}[len(bits) == 0]...)
			bits = append(bits, fmt.Sprintf(`{"index":%d,"bits":%q}`, i, nan)...)
		}
	}
	if len(bits) > 0 {
		bits = append(bits, ']')
	}
	return append(b, ']'), bits, ""
}

// appendScalarJSON appends a value that is no text, given by its bits. nan are the bits of a NaN that "NaN" alone does not say.
func appendScalarJSON(b []byte, t codec.Type, bits uint64) (out []byte, nan, reason string) {
	switch t {
	case codec.Boolean:
		return strconv.AppendBool(b, bits != 0), "", ""
	case codec.Int32, codec.ElapsedTime:
		return strconv.AppendInt(b, int64(int32(uint32(bits))), 10), "", ""
	case codec.Float32:
		v := math.Float32frombits(uint32(bits))
		if v != v && uint32(bits) != codec.NaN32 {
			nan = fmt.Sprintf("%08x", uint32(bits))
		}
		return appendFloat(b, float64(v), 32), nan, ""
	case codec.Float64:
		v := math.Float64frombits(bits)
		if v != v && bits != codec.NaN64 {
			nan = fmt.Sprintf("%016x", bits)
		}
		return appendFloat(b, v, 64), nan, ""
	}
	b = append(b, '"')
	b, ok := codec.AppendFileTime(b, int64(bits))
	if !ok {
		return nil, "", fmt.Sprintf("FILETIME %d is outside the years 1601 to 9999", int64(bits))
	}
	return append(b, '"'), "", ""
}

// appendFloat appends the shortest number that reads back as the same bits, without an exponent where people would write none; what JSON cannot say as
// the contract spells it.
func appendFloat(b []byte, v float64, width int) []byte {
	if !finite(v) {
		return append(append(append(b, '"'), nonFinite(v)...), '"')
	}
	if v == 0 && math.Signbit(v) {
		return append(b, minusZero{}.String()...)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, width)
}

// textJSON appends text as a JSON string.
func textJSON(b, text []byte, isUTF16 bool) (out json.RawMessage, reason string) {
	if isUTF16 {
		utf8, ok := codec.AppendUTF8(nil, text)
		if !ok {
			return nil, "the text has a lone surrogate, which JSON text cannot hold"
		}
		text = utf8
	}
	b, err := jsontext.AppendQuote(b, text)
	if err != nil {
		return nil, "the text is not valid UTF-8"
	}
	return b, ""
}

// stringsJSON is a StringArray, whose elements stand as in a body.
func stringsJSON(v *codec.Value) (out json.RawMessage, reason string) {
	out = append(out, '[')
	rest := v.Elems
	for i := range v.Count {
		if i > 0 {
			out = append(out, ',')
		}
		n := binary.LittleEndian.Uint32(rest)
		if out, reason = textJSON(out, rest[4:2+n], true); reason != "" {
			return nil, fmt.Sprintf("element %d: %s", i, reason)
		}
		rest = rest[4+n:]
	}
	return append(out, ']'), ""
}
