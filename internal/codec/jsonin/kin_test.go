package jsonin

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/api"
	"mxrest/internal/cases"
	"mxrest/internal/codec"
)

// schemaOf gives a function that asks the validator of the document whether it takes a body for an operation.
func schemaOf(t testing.TB, path string) func(body string) error {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	require.NoError(t, err)
	body := doc.Paths.Value(path).Post.RequestBody.Value
	return func(text string) error {
		r, err := http.NewRequest(http.MethodPost, path, strings.NewReader(text))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		return openapi3filter.ValidateRequestBody(context.Background(), &openapi3filter.RequestValidationInput{
			Request: r, Options: &openapi3filter.Options{SkipSettingDefaults: true}}, body)
	}
}

// differences is the written list of what the document takes and this package refuses: the package's documentation in the
// form of the errors that each line of it comes with. Anything else is a fault on one side or the other.
var differences = regexp.MustCompile(strings.Join([]string{
	// text after the value, a member twice, invalid UTF-8, a lone surrogate, nesting
	`text follows the end`, `stands twice`, `invalid UTF-8`, `half of a surrogate pair`, `nest deeper`,
	// integers with a fraction or an exponent
	`an integer has no fraction and no exponent`,
	// floats beyond their range
	`^/(value|value/\d+): -?[\d.]+([eE][+-]?\d+)? is out of range \(allowed: -\d\.\d+e`,
	// handle and handleBytes, names and signatures
	`are both there`, `handle is missing`, `^(/handle)?/(object|attribute): (object|attribute) is missing`,
	// indexes and handleBytes
	`does not fit the type`, `is reserved and is not 0`, `^/handleBytes: the attribute index`,
	// times
	`is out of range \(allowed: 1601-`, `is not an RFC 3339 time`,
	// bits
	`are not the bits of a NaN`, `bits stands beside the value`, `is not "NaN"`, `names no element`, `is named twice`, `^/bits/\d+/index: \d+ is out of range`,
	// text
	`the text is longer than`, `the array has more than`,
}, "|"))

// What this package takes, the document takes; what the document takes and this package refuses is on the written list.
func TestAgreesWithTheDocument(t *testing.T) {
	schema := schemaOf(t, "/v1/write")
	d := New(nil, Limits{})
	check := func(in string) {
		t.Helper()
		var it Item
		_, err := d.Item(&it, []byte(in), nil)
		said := schema(in)
		switch {
		case err == nil:
			assert.NoError(t, said, "the document refuses what the decoder takes: %s", in)
		case said == nil:
			assert.Regexp(t, differences, err.Error(), "not on the list of differences: %s", in)
		}
	}
	for _, c := range goodCases() {
		check(c.in)
	}
	for _, c := range badCases() {
		if len(c.in) < 10_000 {
			check(c.in)
		}
	}
	for _, c := range cases.All() {
		if len(c.JSON) < 10_000 {
			check(c.JSON)
		}
	}

	// Each value in the place of each member.
	for _, value := range []string{
		"0", "-0", "1", "-1", "-2", "0.0", "1.0", "1.5", "1e2", "255", "256", "32767", "32768", "-32768", "-32769", "65535", "65536",
		"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993", "18446744073709551616",
		"3.4028235e38", "3.4028235677973362e38", "3.40282356779733661637539395458142568447e38", "3.4028235677973366e38", "-3.4028235677973366e38", "1e39", "-1e39", "1e-50", "1e308", "1.7976931348623157e308",
		`""`, `"a"`, `"\u0000"`, `"é😀"`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"nan"`, `"1"`, `"7fc00001"`, `"7fc0000g"`, `"7ff8000000000001"`, `"0000000000000000"`,
		`"Int32"`, `"int32"`, `"StringArray"`, `"` + strings.Repeat("x", 128) + `"`, `"` + strings.Repeat("é", 128) + `"`, `"` + strings.Repeat("x", 129) + `"`,
		`"010001000200050036d702009b000a003eda0000"`, `"010001000200050036D702009B000A003EDAFFFF"`, `"010101000200050036d702009b000a003eda0000"`, `"010001000200050036d702009b000a003eda000"`, `"` + strings.Repeat("é", 40) + `"`,
		`"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00.123456789-23:59"`, `"1601-01-01T00:00:00Z"`, `"1600-12-31T23:59:59Z"`, `"9999-12-31T23:59:59.9999999Z"`, `"2024-01-01T00:00:60Z"`, `"2023-02-29T00:00:00Z"`,
		`"2024-01-01T00:00:00"`, `"2024-01-01T00:00:00+24:00"`, `"2024-01-01t00:00:00z"`, `"2024-01-01 00:00:00Z"`, `"2024-01-01"`, `"2024-01-01T00:00:00+02"`, `"2024-06-31T23:59:59+23:59"`, `"0000-01-01T00:00:00Z"`, `"12024-01-01T00:00:00Z"`,
		"true", "false", "null", "[]", "{}", "[1]", "[1,null]", `["a"]`, `["a",1]`, "[true]", "[1.5]", "[1.0]", `["NaN",1]`, "[[1]]", `[{}]`, `["2024-01-01T00:00:00Z"]`, `["1600-01-01T00:00:00Z"]`, "[1e39]",
		`[{"index":0,"bits":"7fc00001"}]`, `[{"index":9,"bits":"7fc00001"}]`, `[{"index":0,"bits":"7ff8000000000001"}]`, `[{"index":0}]`, `[{"index":0,"bits":"7fc00001","x":1}]`, baseHandle,
	} {
		for _, typ := range codec.TypeNames() {
			check(typedWrite(typ, value))
			if isFloat := strings.HasPrefix(typ, "Float"); isFloat && strings.Contains(value, `"`) || value == "1" {
				check(strings.TrimSuffix(typedWrite(typ, valueFor[typ]), "}") + `,"bits":` + value + `}`)
			}
		}
		for _, member := range []string{"timestamp", "clientToken", "writeIndex", "id", "handleBytes", "unknown", "Value"} {
			check(strings.TrimSuffix(baseWrite, "}") + `,"` + member + `":` + value + `}`)
		}
		for _, member := range []string{"handle", "handleBytes"} {
			check(`{"` + member + `":` + value + `,"type":"Int32","value":1}`)
		}
		check(`{"handle":` + baseHandle + `,"type":` + value + `,"value":1}`)
		check(value)
		for _, member := range []string{`"galaxyId":1`, `"platformId":1`, `"engineId":2`, `"objectId":5`, `"object":"TestChildObject"`, `"primitiveId":2`, `"attributeId":155`, `"propertyId":10`, `"attribute":"TestInt"`} {
			name, _, _ := strings.Cut(member, ":")
			check(strings.Replace(baseWrite, member, name+":"+value, 1))
		}
		for _, member := range []string{"objectSignature", "attributeSignature"} {
			old := map[string]string{"objectSignature": `"object":"TestChildObject"`, "attributeSignature": `"attribute":"TestInt"`}[member]
			check(strings.Replace(baseWrite, old, `"`+member+`":`+value, 1))
		}
		for _, typ := range []string{"Int32", "Int32Array"} {
			check(strings.Replace(typedWrite(typ, valueFor[typ]), `"TestInt"`, `"TestInt","attributeIndex":`+value, 1))
		}
	}
	// Each member left out, and the base request itself.
	for _, member := range []string{`"galaxyId":1,`, `"platformId":1,`, `"engineId":2,`, `"objectId":5,`, `"object":"TestChildObject",`, `"primitiveId":2,`, `"attributeId":155,`, `"propertyId":10,`, `,"attribute":"TestInt"`, `,"type":"Int32"`, `,"value":305419896`, `"handle":` + baseHandle + `,`, ""} {
		require.Contains(t, baseWrite, member)
		check(strings.Replace(baseWrite, member, "", 1))
	}
}

// The same for the body of a handle request.
func TestHandleAgreesWithTheDocument(t *testing.T) {
	schema := schemaOf(t, "/v1/handle")
	d := New(nil, Limits{})
	check := func(in string) {
		t.Helper()
		var h codec.Handle
		err := d.Handle(&h, []byte(in))
		said := schema(in)
		switch {
		case err == nil:
			assert.NoError(t, said, "the document refuses what the decoder takes: %s", in)
		case said == nil:
			assert.Regexp(t, differences, err.Error(), "not on the list of differences: %s", in)
		}
	}
	check(baseHandle)
	for _, value := range []string{"0", "-0", "-1", "-2", "1.0", "256", "32768", "65536", `""`, `"a"`, "null", "[]", "true"} {
		for _, member := range []string{`"galaxyId":1`, `"platformId":1`, `"engineId":2`, `"objectId":5`, `"object":"TestChildObject"`, `"primitiveId":2`, `"attributeId":155`, `"propertyId":10`, `"attribute":"TestInt"`} {
			name, _, _ := strings.Cut(member, ":")
			check(strings.Replace(baseHandle, member, name+":"+value, 1))
		}
		for _, member := range []string{"attributeIndex", "objectSignature", "unknown", "Object"} {
			check(strings.Replace(baseHandle, `"TestInt"`, `"TestInt","`+member+`":`+value, 1))
		}
		check(value)
	}
	check(baseHandle + "x")
	check(strings.Replace(baseHandle, `"object":"TestChildObject",`, "", 1))
}

// valueFor is a good value of each type.
var valueFor = map[string]string{
	"Boolean": "true", "Int32": "1", "Float32": `"NaN"`, "Float64": `"NaN"`, "String": `"a"`, "DateTime": `"2024-01-01T00:00:00Z"`, "ElapsedTime": "1",
	"InternationalizedString": `"a"`, "BooleanArray": "[true]", "Int32Array": "[1]", "Float32Array": `["NaN"]`, "Float64Array": `["NaN",1]`, "StringArray": `["a"]`, "DateTimeArray": "[]",
}

// FuzzDocument holds the document and the decoder against each other on whatever comes.
func FuzzDocument(f *testing.F) {
	for _, c := range goodCases() {
		f.Add([]byte(c.in))
	}
	for _, c := range badCases() {
		if len(c.in) < 2000 {
			f.Add([]byte(c.in))
		}
	}
	schema := schemaOf(f, "/v1/write")
	d := New(nil, Limits{})
	f.Fuzz(func(t *testing.T, src []byte) {
		var it Item
		_, err := d.Item(&it, src, nil)
		said := schema(string(src))
		if err == nil {
			require.NoErrorf(t, said, "the document refuses what the decoder takes: %q", src)
		} else if said == nil {
			require.Regexpf(t, differences, err.Error(), "not on the list of differences: %q", src)
		}
	})
}

// The package documentation and the page for users have the same list.
func TestDifferencesAreWrittenAlike(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../../../docs/json-input.md")
	require.NoError(t, err)
	_, list, found := strings.Cut(string(source), "takes and this package refuses\n")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "# For other requests")
	items := regexp.MustCompile(`(?m)^//   - (.*)$`).FindAllStringSubmatch(list, -1)
	require.Len(t, items, 8)
	for _, item := range items {
		assert.Contains(t, string(page), "\n- "+item[1]+"\n")
	}
}
