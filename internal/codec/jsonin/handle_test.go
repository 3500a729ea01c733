package jsonin

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// The body of a handle request: both halves, and the errors with their pointers from the root.
func TestHandle(t *testing.T) {
	d := New(nil, Limits{})
	with := func(part, other string) string { return strings.Replace(baseHandle, part, other, 1) }
	const want = "010001000200050036d702009b000a003eda"
	for in, index := range map[string]string{
		baseHandle: "0000",
		with(`"TestInt"`, `"TestInt","attributeIndex":-1`): "ffff",
		with(`"TestInt"`, `"TestInt","attributeIndex":7`):  "0700",
		with(`"TestInt"`, `"Test\u0049nt"`):                "0000",
		" " + with(`"propertyId":10,`, ` `) + "\n":         "0000",
	} {
		h := codec.Handle{GalaxyID: 9, AttributeIndex: 9}
		require.NoError(t, d.Handle(&h, []byte(in)), in)
		assert.Equal(t, want+index, hex.EncodeToString(codec.AppendHandle(nil, &h)), in)
	}
	for _, c := range []bad{
		{"index", with(`"TestInt"`, `"TestInt","attributeIndex":-2`), false, "/attributeIndex", -1, []string{"-2", "-1..32767"}},
		{"galaxy", with(`"galaxyId":1`, `"galaxyId":256`), false, "/galaxyId", 12, []string{"256", "0..255"}},
		{"no object", with(`"object":"TestChildObject",`, ``), false, "/object", 0, []string{"missing"}},
		{"both", with(`"attribute":`, `"attributeSignature":1,"attribute":`), false, "/attributeSignature", -1, []string{"both"}},
		{"unknown", with(`"object":`, `"Object":`), true, "/Object", -1, []string{`write "object"`}},
		{"trailing", baseHandle + "1", true, "", len(baseHandle), []string{"follows"}},
		{"null", "null", true, "", 0, []string{"an object"}},
		{"empty", "", true, "", 0, []string{"empty"}},
	} {
		var h codec.Handle
		var e *Error
		require.ErrorAs(t, d.Handle(&h, []byte(c.in)), &e, c.name)
		assert.Equal(t, c.syntax, e.Syntax, c.name)
		assert.Equal(t, c.pointer, e.Pointer, c.name)
		if c.offset >= 0 {
			assert.EqualValues(t, c.offset, e.Offset, c.name)
		}
		for _, s := range c.says {
			assert.Contains(t, e.Error(), s, c.name)
		}
	}
}

func TestLimits(t *testing.T) {
	d := New(nil, Limits{MaxText: 5, MaxElements: 2, MaxDepth: 3})
	handle := `{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"objectSignature":1,"primitiveId":2,"attributeId":155,"attributeSignature":1}`
	doc := func(typ, value string) string {
		return `{"handle":` + handle + `,"type":"` + typ + `","value":` + value + `}`
	}
	for _, good := range []string{doc("String", `"12345"`), doc("String", `"\u0031\u0032345"`), doc("StringArray", `["12345","é"]`), doc("Int32Array", `[1,2]`)} {
		var w codec.Write
		_, err := d.Write(&w, []byte(good), nil)
		assert.NoError(t, err, good)
	}
	for in, want := range map[string]string{
		doc("String", `"123456"`):                      "/value: the text is longer than 5 bytes (allowed: 0..5 bytes)",
		doc("String", `"\u0031\u0032345é"`):            "/value: the text is longer than 5 bytes (allowed: 0..5 bytes)",
		doc("String", `"ééé"`):                         "/value: the text is longer than 5 bytes (allowed: 0..5 bytes)",
		doc("StringArray", `["1","123456"]`):           "/value/1: the text is longer than 5 bytes (allowed: 0..5 bytes)",
		doc("StringArray", `["1","\u0031\u0032345é"]`): "/value/1: the text is longer than 5 bytes (allowed: 0..5 bytes)",
		doc("Int32Array", `[1,2,3]`):                   "/value: the array has more than 2 elements (allowed: 0..2 elements)",
		doc("Int32", `[[[]]]`):                         "objects and arrays nest deeper than 3 (allowed: 3 levels) at offset ",
		strings.Replace(doc("Int32", "1"), `"objectSignature":1`, `"object":"123456"`, 1): "/handle/object: the text is longer than 5 bytes (allowed: 0..5 bytes)",
	} {
		var w codec.Write
		_, err := d.Write(&w, []byte(in), nil)
		if assert.Error(t, err, in) {
			assert.Contains(t, err.Error(), want)
		}
	}
	long := strings.Repeat("é", MaxID)
	var it Item
	_, err := New(nil, Limits{}).Item(&it, []byte(item(long, "1")), nil)
	require.NoError(t, err)
	assert.Equal(t, long, string(it.ID))
	_, err = New(nil, Limits{}).Item(&it, []byte(item(long+"x", "1")), nil)
	assert.ErrorContains(t, err, "/id: the id is longer than 128 characters")
}

// A number between the last one that rounds to the largest Float32 and infinity is judged as a schema can judge it.
func TestFloat32NearInfinity(t *testing.T) {
	d := New(nil, Limits{})
	for value, good := range map[string]bool{
		"3.4028235677973362e38": true, "-3.4028235677973362e38": true, // one Float64 step below the middle
		"3.40282356779733661637539395458142568447e38": false,                                  // below the middle, but only beyond a Float64's digits
		"3.4028235677973366e38":                       false, "-3.4028235677973366e38": false, // the middle
	} {
		var w codec.Write
		_, err := d.Write(&w, []byte(typedWrite("Float32", value)), nil)
		assert.Equal(t, good, err == nil, "%s: %v", value, err)
	}
}
