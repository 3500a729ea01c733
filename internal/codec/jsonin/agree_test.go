package jsonin

import (
	"bytes"
	stdjson "encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// fastDocuments are what the fast path is there for: it must take each of them, and do so without allocating.
var fastDocuments = map[string]string{
	"documented order": baseWrite,
	"with everything": `{"handle":` + strings.Replace(baseHandle, `"TestInt"`, `"TestInt","attributeIndex":7`, 1) +
		`,"type":"Int32","value":-1,"timestamp":"2024-01-01T00:00:00.1234567+02:00","clientToken":4294967295,"writeIndex":-2147483648}`,
	"any order":     `{"writeIndex":1,"value":[1,2,3],"clientToken":2,"type":"Int32Array","handle":{"attribute":"B","attributeId":1,"object":"A","primitiveId":1,"objectId":1,"engineId":1,"platformId":1,"galaxyId":1}}`,
	"text first":    `{"value":"a","type":"String","handle":` + baseHandle + `}`,
	"signatures":    `{"handle":{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"objectSignature":55094,"primitiveId":2,"attributeId":155,"attributeSignature":55870},"type":"Boolean","value":true}`,
	"handle bytes":  `{"handleBytes":"010001000200050036d702009b000a003eda0000","type":"Int32","value":1}`,
	"pretty":        strings.NewReplacer(`{`, "{\n  ", `:`, ": ", `,`, ",\n  ", `}`, "\n}").Replace(baseWrite) + "\n",
	"Boolean":       typedWrite("Boolean", "false"),
	"Float32":       typedWrite("Float32", "0.1"),
	"Float32 hard":  typedWrite("Float32", "1.00000017881393432617187499"),
	"Float64":       typedWrite("Float64", "-2.2250738585072014e-308"),
	"NaN":           typedWrite("Float64", `"NaN"`),
	"String":        typedWrite("String", `"Hello"`),
	"String, Greek": typedWrite("InternationalizedString", `"ΑΣ and a long text besides"`),
	"escapes":       typedWrite("String", `"\"\\\/\b\f\n\r\t \u00e9\ud83d\uDE00 é"`),
	"escapes, many": typedWrite("StringArray", `["\u0041","B","\n\n","",  "\u20ac"]`),
	"DateTime":      typedWrite("DateTime", `"2024-01-01T00:00:00Z"`),
	"ElapsedTime":   typedWrite("ElapsedTime", `1500`),
	"Booleans":      typedWrite("BooleanArray", `[true, false]`),
	"Int32s":        typedWrite("Int32Array", `[1, -2, 3]`),
	"Float32s":      typedWrite("Float32Array", `[1.5,2e3,"Infinity"]`),
	"Float64s":      typedWrite("Float64Array", `[233.1,-0.0,1e-7]`),
	"Strings":       typedWrite("StringArray", `["a","","é"]`),
	"DateTimes":     typedWrite("DateTimeArray", `["2024-01-01T00:00:00Z"]`),
	"empty":         typedWrite("Int32Array", `[]`),
}

func TestFastTakes(t *testing.T) {
	d := New(nil, Limits{})
	for name, doc := range fastDocuments {
		f := fast{d: d, b: []byte(doc)}
		var it Item
		assert.True(t, f.document(&it), name)
		checkAgree(t, d, []byte(doc))
	}
	for name, doc := range map[string]string{"id first": item("x", "1"), "id last": strings.TrimSuffix(baseWrite, "}") + `,"id":"x"}`} {
		f := fast{d: d, b: []byte(doc), withID: true}
		var it Item
		assert.True(t, f.document(&it), name)
		assert.Equal(t, "x", string(it.ID))
	}
}

// Changing any byte of a good document, or cutting it, never makes the two halves differ.
func TestFastAgreesOnNeighbours(t *testing.T) {
	d := New(nil, Limits{})
	for _, doc := range fastDocuments {
		src := []byte(doc)
		for i := range src {
			if i%16 == 0 {
				checkAgree(t, d, src[:i])
			}
			for n := range 4 { // four of these a byte, others at the next
				const odd = "\"\\0-.e,: }]{[\x00\xff\n"
				changed := bytes.Clone(src)
				changed[i] = odd[(5*i+n)%len(odd)]
				f := fast{d: d, b: changed}
				var it Item
				if f.document(&it) { // the judge is slow: it is asked only where it matters
					checkAgree(t, d, changed)
				}
			}
		}
	}
}

// checkAgree holds the two halves and the two general decoders against each other on one document.
func checkAgree(t testing.TB, d *Decoder, src []byte) {
	t.Helper()
	for _, withID := range []bool{false, true} {
		var quick, judged Item
		f := fast{d: d, b: src, withID: withID}
		taken := f.document(&quick)
		_, err := d.judge(&judged, src, nil, withID)
		if taken {
			require.NoErrorf(t, err, "the fast path took what the judge refuses: %q", src)
			require.Equalf(t, plain(judged), plain(quick), "%q", src)
		}
		if err != nil {
			var e *Error
			require.ErrorAs(t, err, &e)
			require.NotEmpty(t, e.Reason)
			require.LessOrEqual(t, e.Offset, int64(len(src)))
			require.Less(t, len(e.Error()), 1000)
			require.True(t, e.Syntax || !e.Broken)
			continue
		}
		body, err := codec.AppendWrite(nil, &judged.Write)
		require.NoErrorf(t, err, "the codec refuses what the judge took: %q", src)
		require.Len(t, body, codec.SizeWrite(&judged.Write))
		checkGeneral(t, src, &judged)
	}
}

// plain is an item in a form that compares by what it says: nil and empty are the same.
func plain(it Item) any {
	type flat struct {
		write       codec.Write
		id          string
		text, elems string
	}
	p := flat{it.Write, string(it.ID), string(it.Value.Text), string(it.Value.Elems)}
	p.write.Value.Text, p.write.Value.Elems = nil, nil
	return p
}

// checkGeneral decodes an accepted document by reflection, with json/v2 and encoding/json, and compares every value.
func checkGeneral(t testing.TB, src []byte, it *Item) {
	t.Helper()
	require.Truef(t, stdjson.Valid(src), "%q", src)
	var v2 structWrite[jsontext.Value]
	require.NoErrorf(t, json.Unmarshal(src, &v2, json.RejectUnknownMembers(true)), "%q", src)
	var v1 structWrite[stdjson.RawMessage]
	require.NoErrorf(t, stdjson.Unmarshal(src, &v1), "%q", src)
	checkStruct(t, src, &v2, it)
	checkStruct(t, src, &v1, it)
	checkValue(t, v2.Value, it, func(b []byte, v any) error { return json.Unmarshal(b, v) })
	checkValue(t, v1.Value, it, stdjson.Unmarshal)
}

func checkStruct[V any](t testing.TB, src []byte, s *structWrite[V], it *Item) {
	t.Helper()
	require.Equal(t, s.ID, string(it.ID))
	require.Equal(t, s.Type, it.Value.Type.String())
	require.Equal(t, s.ClientToken, it.ClientToken)
	require.Equal(t, s.WriteIndex, it.WriteIndex)
	require.Equal(t, s.Timestamp != nil, it.Timestamped)
	if s.Timestamp != nil {
		require.Equal(t, fileTime(t, *s.Timestamp), it.FileTime)
	}
	if s.HandleBytes != nil {
		return
	}
	h, g := &s.Handle, &it.Handle
	require.Equalf(t, []int{int(h.GalaxyID), int(h.PlatformID), int(h.EngineID), int(h.ObjectID), int(h.PrimitiveID), int(h.AttributeID)},
		[]int{int(g.GalaxyID), int(g.PlatformID), int(g.EngineID), int(g.ObjectID), int(g.PrimitiveID), int(g.AttributeID)}, "%q", src)
	if h.PropertyID != 0 {
		require.Equal(t, h.PropertyID, g.PropertyID)
	}
	if h.AttributeIndex != 0 {
		require.Equal(t, h.AttributeIndex, g.AttributeIndex)
	}
	for _, pair := range []struct {
		name  *string
		given *uint16
		got   uint16
	}{{h.Object, h.ObjectSignature, g.ObjectSignature}, {h.Attribute, h.AttributeSignature, g.AttributeSignature}} {
		if pair.name != nil {
			want, err := codec.Signature([]byte(*pair.name))
			require.NoError(t, err)
			require.Equal(t, want, pair.got)
		} else {
			require.Equal(t, *pair.given, pair.got)
		}
	}
}

// fileTime works a time out by the standard library.
func fileTime(t testing.TB, s string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, s)
	require.NoError(t, err)
	return (at.Unix()+11_644_473_600)*10_000_000 + int64(at.Nanosecond()/100)
}

var general = New(nil, Limits{})

func checkValue(t testing.TB, raw []byte, it *Item, unmarshal func([]byte, any) error) {
	t.Helper()
	v := &it.Value
	elem := v.Type.Elem()
	if !v.Type.IsArray() {
		bits, text := generalScalar(t, elem, raw, unmarshal)
		if v.Type == codec.Float32 || v.Type == codec.Float64 {
			if isNaN := string(raw) == `"NaN"`; isNaN {
				return // the member bits may have chosen another
			}
		}
		require.Equalf(t, bits, v.Bits, "%q", raw)
		require.Equal(t, text, string(v.Text))
		return
	}
	var list []jsontext.Value
	require.NoError(t, json.Unmarshal(raw, &list))
	require.Len(t, list, v.Count)
	var want []byte
	for _, one := range list {
		bits, text := generalScalar(t, elem, one, unmarshal)
		if elem == codec.String {
			var err error
			want, err = codec.AppendStringElem(want, []byte(text))
			require.NoError(t, err)
			continue
		}
		want = general.appendElem(want, elem, bits)
	}
	require.Equalf(t, want, append([]byte(nil), v.Elems...), "%q", raw)
}

func generalScalar(t testing.TB, typ codec.Type, raw []byte, unmarshal func([]byte, any) error) (bits uint64, text string) {
	t.Helper()
	get := func(v any) { t.Helper(); require.NoErrorf(t, unmarshal(raw, v), "%q", raw) }
	switch typ {
	case codec.Boolean:
		var v bool
		if get(&v); v {
			bits = 1
		}
	case codec.Int32, codec.ElapsedTime:
		var v int32
		get(&v)
		bits = uint64(uint32(v))
	case codec.Float32:
		if raw[0] == '"' {
			get(&text)
			bits, _ = nonFinite([]byte(text), false)
			return bits, ""
		}
		var v float32
		get(&v)
		bits = uint64(math.Float32bits(v))
	case codec.Float64:
		if raw[0] == '"' {
			get(&text)
			bits, _ = nonFinite([]byte(text), true)
			return bits, ""
		}
		var v float64
		get(&v)
		bits = math.Float64bits(v)
	case codec.DateTime:
		var v string
		get(&v)
		bits = uint64(fileTime(t, v))
	default:
		get(&text)
	}
	return bits, text
}

// FuzzWrite: what the fast path takes, the judge takes with the same values, and what the judge takes, json/v2 and encoding/json
// take with the same values.
func FuzzWrite(f *testing.F) {
	for _, doc := range fastDocuments {
		f.Add([]byte(doc))
	}
	for _, c := range goodCases() {
		f.Add([]byte(c.in))
	}
	for _, c := range badCases() {
		if len(c.in) < 2000 {
			f.Add([]byte(c.in))
		}
	}
	d := New(nil, Limits{})
	f.Fuzz(func(t *testing.T, src []byte) { checkAgree(t, d, src) })
}

// FuzzValue: the same with the text of the value alone, for each type, so that the mutations stay where they count.
func FuzzValue(f *testing.F) {
	for _, v := range []string{`"\u0041\n"`, `["\ud83d\ude00","\"\/"]`, `"\ud83d\u0041"`, "1", "-0", "1.0", "0.1e-5", "[1,2]", `"a"`, `["a",""]`, "true", "null", `"NaN"`, "1e309", `"2024-01-01T00:00:00Z"`, "123456789012345678901234567890", "[1.5,]", "-9007199254740993"} {
		f.Add(v, uint8(3))
	}
	d := New(nil, Limits{})
	f.Fuzz(func(t *testing.T, value string, typ uint8) {
		for _, v := range []string{value, "[" + value + "]"} {
			checkAgree(t, d, []byte(typedWrite(codec.TypeNames()[int(typ)%codec.NumTypes], v)))
		}
	})
}

// FuzzFloat: each number's bits are those of strconv at the number's own width.
func FuzzFloat(f *testing.F) {
	for _, s := range []string{"0", "-0", "0.1", "1e22", "1e23", "9007199254740993", "16777217", "3.4028236e38", "1e-45", "7e-46", "1.00000017881393432617187499", "1E+5", "5e-324", "0.000001e10", "123456789.125e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkFloat(t, s) })
}

func checkFloat(t testing.TB, s string) {
	t.Helper()
	sound := jsontext.Value(s).IsValid()
	for _, wide := range []bool{false, true} {
		p := fast{b: []byte(s)}
		bits, ok := p.float(wide)
		if !ok || p.i != len(s) || s[0] == '"' {
			continue
		}
		require.Truef(t, sound, "%q", s)
		if wide {
			want, err := strconv.ParseFloat(s, 64)
			require.NoError(t, err)
			require.Equalf(t, math.Float64bits(want), bits, "%q", s)
		} else {
			want, err := strconv.ParseFloat(s, 32)
			require.NoError(t, err)
			require.Equalf(t, math.Float32bits(float32(want)), uint32(bits), "%q", s)
		}
	}
}
