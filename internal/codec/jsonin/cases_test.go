package jsonin

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// The parts of the base request, and of its body: see the wire format's example.
const (
	baseHandle = `{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject","primitiveId":2,"attributeId":155,"propertyId":10,"attribute":"TestInt"}`
	baseWrite  = `{"handle":` + baseHandle + `,"type":"Int32","value":305419896}`

	headHex = "370100050036d702009b000a003eda"
	tailHex = "ffff00000000000000000000000000000000"
)

// typedWrite is a write of a type and a value, as typed; more members may follow the value.
func typedWrite(typ, value string) string {
	return `{"handle":` + baseHandle + `,"type":"` + typ + `","value":` + value + `}`
}

// good is a request with the body it makes.
type good struct{ name, in, body string }

// bad is a request with what the error must say.
type bad struct {
	name, in string
	syntax   bool
	pointer  string
	offset   int      // -1: not looked at
	says     []string // in the reason or the limit
}

// A scalar's body after kind and value.
func scalarBody(kindAndValue string) string { return headHex + "0000" + kindAndValue + tailHex }
func arrayBody(kindAndValue string) string  { return headHex + "ffff" + kindAndValue + tailHex }

func goodCases() []good {
	list := []good{
		{"base", baseWrite, "370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000"},
		{"capitals", strings.ReplaceAll(baseWrite, "TestChildObject", "TESTCHILDOBJECT"), scalarBody("0278563412")},
		{"small", strings.ReplaceAll(baseWrite, "TestInt", "testint"), scalarBody("0278563412")},
		{"signatures", strings.NewReplacer(`"object":"TestChildObject"`, `"objectSignature":55094`, `"attribute":"TestInt"`, `"attributeSignature":55870`).Replace(baseWrite), scalarBody("0278563412")},
		{"no property", strings.ReplaceAll(baseWrite, `"propertyId":10,`, ""), scalarBody("0278563412")},
		{"property 11", strings.ReplaceAll(baseWrite, `"propertyId":10,`, `"propertyId":11,`), "370100050036d702009b000b003eda00000278563412" + tailHex},
		{"handle bytes", `{"handleBytes":"0100010002000500` + `36d702009b000a003eda0000","type":"Int32","value":305419896}`, scalarBody("0278563412")},
		{"handle bytes in capitals", `{"handleBytes":"010001000200050036D702009B000A003EDA0000","type":"Int32","value":305419896}`, scalarBody("0278563412")},
		{"edge ids", `{"handle":{"galaxyId":255,"platformId":65535,"engineId":65535,"objectId":65535,"objectSignature":65535,"primitiveId":-32768,"attributeId":-1,"propertyId":32767,"attributeSignature":0,"attributeIndex":32767},"type":"Boolean","value":true}`,
			"370100ffffffff0080ffffff7f0000ff7f01ff" + tailHex},
		{"element of an array", strings.ReplaceAll(baseWrite, `"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":3`), headHex + "03000278563412" + tailHex},
		{"any order", `{"writeIndex":-2,"value":305419896,"clientToken":16909060,"type":"Int32","handle":{"attribute":"TestInt","object":"TestChildObject","attributeId":155,"propertyId":10,"primitiveId":2,"objectId":5,"engineId":2,"platformId":1,"galaxyId":1}}`,
			headHex + "00000278563412ffff000000000000000004030201feffffff"},
		{"timestamped", `{"handle":` + baseHandle + `,"type":"Int32","value":1,"timestamp":"1970-01-01T00:00:00Z","clientToken":4294967295,"writeIndex":2147483647}`,
			headHex + "000002010000000000" + "00803ed5deb19d01ffffffffffffff7f"},
		{"timestamp 1601", `{"handle":` + baseHandle + `,"type":"Int32","value":1,"timestamp":"1601-01-01T00:00:00Z"}`, headHex + "00000201000000" + "0000" + "0000000000000000" + "0000000000000000"},
		{"spread out", strings.NewReplacer(`{`, " {\r\n\t", `:`, " : ", `,`, " ,\n", `}`, "\n} ").Replace(baseWrite), scalarBody("0278563412")},
		{"escaped names", strings.NewReplacer(`"type"`, `"\u0074ype"`, `"Int32"`, `"Int3\u0032"`, `TestInt`, `Test\u0049nt`, `"galaxyId"`, `"galaxy\u0049d"`).Replace(baseWrite), scalarBody("0278563412")},
		{"minus zero", typedWrite("Int32", "-0"), scalarBody("0200000000")},
		{"DateTime escaped", typedWrite("DateTime", `"1970\u002d01-01T00:00:00Z"`), scalarBody("0600803ed5deb19d01")},
		{"NaN bits 32", `{"handle":` + baseHandle + `,"type":"Float32","value":"NaN","bits":"7fc00001"}`, scalarBody("030100c07f")},
		{"NaN bits 64", `{"handle":` + baseHandle + `,"type":"Float64","bits":"7FF8000000000001","value":"NaN"}`, scalarBody("04010000000000f87f")},
		{"Ünit", strings.ReplaceAll(baseWrite, "TestChildObject", "Ünit_7"), strings.Replace(scalarBody("0278563412"), "36d7", "f988", 1)},
	}
	for _, c := range []struct{ typ, value, kindAndValue string }{
		{"Int32", "2147483647", "02ffffff7f"}, {"Int32", "-2147483648", "0200000080"}, {"Int32", "0", "0200000000"},
		{"ElapsedTime", "1500", "02dc050000"}, {"ElapsedTime", "-1", "02ffffffff"},
		{"Boolean", "true", "01ff"}, {"Boolean", "false", "0100"},
		{"Float32", "0.1", "03cdcccc3d"}, {"Float32", "5", "030000a040"}, {"Float32", "-0.0", "0300000080"}, {"Float32", "-0", "0300000080"},
		{"Float32", "1e-45", "0301000000"}, {"Float32", "1e-46", "0300000000"}, {"Float32", "-1e-46", "0300000080"},
		{"Float32", "1.00000017881393432617187499", "030100803f"}, {"Float32", "3.4028235e38", "03ffff7f7f"}, {"Float32", "-3.4028235E+38", "03ffff7fff"},
		{"Float32", "16777217", "030000804b"}, {"Float32", "0.3", "039a99993e"}, {"Float32", "233.1", "039a196943"}, {"Float32", "1E2", "030000c842"},
		{"Float32", `"NaN"`, "030000c0ff"}, {"Float32", `"Infinity"`, "030000807f"}, {"Float32", `"-Infinity"`, "03000080ff"},
		{"Float64", "0.1", "049a9999999999b93f"}, {"Float64", "-0.0", "040000000000000080"}, {"Float64", "5e-324", "040100000000000000"},
		{"Float64", "1e-400", "040000000000000000"}, {"Float64", "1.7976931348623157e308", "04ffffffffffffef7f"}, {"Float64", "9007199254740993", "040000000000004043"},
		{"Float64", "123456789012345678901234567890", "043e376cff90eef845"}, {"Float64", "1e23", "04f64ae1c7022db544"},
		{"Float64", `"NaN"`, "04000000000000f8ff"}, {"Float64", `"Infinity"`, "04000000000000f07f"}, {"Float64", `"-Infinity"`, "04000000000000f0ff"},
		{"String", `""`, "0506000000020000000000"}, {"String", `"Hello"`, "05100000000c000000480065006c006c006f000000"},
		{"String", `"😀"`, "050a000000060000003dd800de0000"}, {"String", `"\ud83d\ude00"`, "050a000000060000003dd800de0000"},
		{"String", `"a\u0000b"`, "050c000000080000006100000062000000"},
		{"String", `"\"\\\/\b\f\n\r\t"`, "0516000000" + "12000000" + "22005c002f0008000c000a000d0009000000"},
		{"InternationalizedString", `"é"`, "050800000004000000e9000000"},
		{"DateTime", `"1601-01-01T00:00:00Z"`, "060000000000000000"}, {"DateTime", `"1970-01-01T00:00:00Z"`, "0600803ed5deb19d01"},
		{"DateTime", `"2024-01-01T02:00:00+02:00"`, "0600c08976453cda01"}, {"DateTime", `"2024-01-01T00:00:00.1234567Z"`, "0687969c76453cda01"},
		{"DateTime", `"2024-01-01T00:00:00.12345679Z"`, "0687969c76453cda01"}, {"DateTime", `"2300-01-01T00:00:00Z"`, "0600007ec6c1aa0f03"},
	} {
		list = append(list, good{c.typ + " " + c.value, typedWrite(c.typ, c.value), scalarBody(c.kindAndValue)})
	}
	for _, c := range []struct{ typ, value, kindAndValue string }{
		{"BooleanArray", "[true,false]", "41000000000200" + "02000000" + "ffff0000"},
		{"Int32Array", "[1,-1, 3]", "42000000000300" + "04000000" + "01000000ffffffff03000000"},
		{"Int32Array", "[]", "42000000000000" + "04000000"}, {"Int32Array", "[ ]", "42000000000000" + "04000000"},
		{"Float32Array", `[0.1,"NaN"]`, "43000000000200" + "04000000" + "cdcccc3d0000c0ff"},
		{"Float64Array", `["-Infinity",0.1]`, "44000000000200" + "08000000" + "000000000000f0ff9a9999999999b93f"},
		{"StringArray", `["a",""]`, "45000000000200" + "00000000" + "0400000061000000" + "020000000000"},
		{"StringArray", `["\u0061","\n"]`, "45000000000200" + "00000000" + "0400000061000000" + "040000000a000000"},
		{"StringArray", `["é","😀"]`, "45000000000200" + "00000000" + "04000000e9000000" + "060000003dd800de0000"},
		{"DateTimeArray", `["1970-01-01T00:00:00Z"]`, "46000000000100" + "08000000" + "00803ed5deb19d01"},
	} {
		list = append(list, good{c.typ + " " + c.value, typedWrite(c.typ, c.value), arrayBody(c.kindAndValue)},
			good{c.typ + " " + c.value + " with index -1", strings.Replace(typedWrite(c.typ, c.value), `"TestInt"`, `"TestInt","attributeIndex":-1`, 1), arrayBody(c.kindAndValue)})
	}
	return list
}

func badCases() []bad {
	with := func(part, other string) string {
		if !strings.Contains(baseWrite, part) {
			panic(part)
		}
		return strings.Replace(baseWrite, part, other, 1)
	}
	list := []bad{
		// handle
		{"platform too large", with(`"platformId":1`, `"platformId":65536`), false, "/handle/platformId", 37, []string{"65536", "0..65535"}},
		{"galaxy too large", with(`"galaxyId":1`, `"galaxyId":256`), false, "/handle/galaxyId", -1, []string{"256", "0..255"}},
		{"attribute too large", with(`"attributeId":155`, `"attributeId":32768`), false, "/handle/attributeId", -1, []string{"32768", "-32768..32767"}},
		{"primitive too small", with(`"primitiveId":2`, `"primitiveId":-32769`), false, "/handle/primitiveId", -1, []string{"-32769", "-32768..32767"}},
		{"property too large", with(`"propertyId":10`, `"propertyId":32768`), false, "/handle/propertyId", -1, []string{"32768", "-32768..32767"}},
		{"platform negative", with(`"platformId":1`, `"platformId":-1`), false, "/handle/platformId", -1, []string{"-1", "0..65535"}},
		{"engine a string", with(`"engineId":2`, `"engineId":"2"`), false, "/handle/engineId", -1, []string{`"2"`, "not an integer", "0..65535"}},
		{"object id a fraction", with(`"objectId":5`, `"objectId":5.0`), false, "/handle/objectId", -1, []string{"5.0", "0..65535"}},
		{"object id null", with(`"objectId":5`, `"objectId":null`), false, "/handle/objectId", -1, []string{"null"}},
		{"object id huge", with(`"objectId":5`, `"objectId":99999999999999999999`), false, "/handle/objectId", -1, []string{"99999999999999999999"}},
		{"object id absent", with(`"objectId":5,`, ``), false, "/handle/objectId", 10, []string{"missing", "0..65535"}},
		{"object empty", with(`"TestChildObject"`, `""`), false, "/handle/object", -1, []string{"empty"}},
		{"attribute empty", with(`"TestInt"`, `""`), false, "/handle/attribute", -1, []string{"empty"}},
		{"object a number", with(`"TestChildObject"`, `5`), false, "/handle/object", -1, []string{"5 is not a string|a string"}},
		{"no object", with(`"object":"TestChildObject",`, ``), false, "/handle/object", -1, []string{"missing", "objectSignature"}},
		{"no attribute", with(`,"attribute":"TestInt"`, ``), false, "/handle/attribute", -1, []string{"missing", "attributeSignature"}},
		{"both object", with(`"object":`, `"objectSignature":1,"object":`), false, "/handle/objectSignature", -1, []string{"both"}},
		{"both attribute", with(`"attribute":`, `"attributeSignature":1,"attribute":`), false, "/handle/attributeSignature", -1, []string{"both"}},
		{"signature too large", with(`"object":"TestChildObject"`, `"objectSignature":65536`), false, "/handle/objectSignature", -1, []string{"65536", "0..65535"}},
		{"scalar with -1", with(`"TestInt"`, `"TestInt","attributeIndex":-1`), false, "/handle/attributeIndex", -1, []string{"-1", "0..32767"}},
		{"index too large", with(`"TestInt"`, `"TestInt","attributeIndex":32768`), false, "/handle/attributeIndex", -1, []string{"32768"}},
		{"array with 0", `{"handle":` + strings.Replace(baseHandle, `"TestInt"`, `"TestInt","attributeIndex":0`, 1) + `,"type":"Int32Array","value":[]}`, false, "/handle/attributeIndex", -1, []string{"0 does not fit", "-1"}},
		{"array with -2", `{"handle":` + strings.Replace(baseHandle, `"TestInt"`, `"TestInt","attributeIndex":-2`, 1) + `,"type":"Int32Array","value":[]}`, false, "/handle/attributeIndex", -1, []string{"-2", "-1"}},
		{"handle and bytes", with(`"type"`, `"handleBytes":"010001000200050036d702009b000a003eda0000","type"`), false, "/handleBytes", -1, []string{"both"}},
		{"neither handle nor bytes", `{"type":"Int32","value":1}`, false, "/handle", 0, []string{"missing", "handleBytes"}},
		{"bytes too short", `{"handleBytes":"010001000200050036d702009b000a003eda00","type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"38", "40 hex digits"}},
		{"bytes too long", `{"handleBytes":"010001000200050036d702009b000a003eda000000","type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"42", "40 hex digits"}},
		{"bytes no hex", `{"handleBytes":"010001000200050036d702009b000a003eda000g","type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"hex digit"}},
		{"bytes reserved", `{"handleBytes":"010101000200050036d702009b000a003eda0000","type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"reserved"}},
		{"bytes index", `{"handleBytes":"010001000200050036d702009b000a003edaffff","type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"-1", "0..32767"}},
		{"bytes index array", `{"handleBytes":"010001000200050036d702009b000a003eda0000","type":"Int32Array","value":[1]}`, false, "/handleBytes", -1, []string{"-1"}},
		{"bytes a number", `{"handleBytes":1,"type":"Int32","value":1}`, false, "/handleBytes", -1, []string{"40 hex digits"}},
		{"handle null", `{"handle":null,"type":"Int32","value":1}`, false, "/handle", -1, []string{"null is not an object"}},
		{"handle an array", `{"handle":[],"type":"Int32","value":1}`, false, "/handle", -1, []string{"an array is not an object"}},

		// shape
		{"trailing x", baseWrite + "x", true, "", len(baseWrite), []string{"follows"}},
		{"two values", baseWrite + " {}", true, "", len(baseWrite) + 1, []string{"follows"}},
		{"value twice", with(`"value"`, `"value":1,"value"`), true, "/value", -1, []string{`"value"`, "twice"}},
		{"galaxy twice", with(`"galaxyId":1`, `"galaxyId":1,"galaxyId":1`), true, "/handle/galaxyId", -1, []string{`"galaxyId"`, "twice"}},
		{"escaped twice", with(`"value"`, `"v\u0061lue":1,"value"`), true, "/value", -1, []string{"twice"}},
		{"other case", with(`"value"`, `"Value"`), true, "/Value", -1, []string{`"Value"`, `"value"`, "case"}},
		{"unknown", with(`"value"`, `"timestmp":"2024-01-01T00:00:00Z","value"`), true, "/timestmp", -1, []string{`"timestmp"`, "timestamp"}},
		{"unknown in handle", with(`"galaxyId"`, `"galaxy":1,"galaxyId"`), true, "/handle/galaxy", -1, []string{`"galaxy"`, "galaxyId"}},
		{"unknown beside a bad value", with(`"value":305419896`, `"value":null,"x/~y":1`), true, "/x~1~0y", -1, []string{"x/~y"}},
		{"unknown in handle beside bad type", `{"handle":{"x":1},"type":1}`, true, "/handle/x", -1, []string{"x"}},
		{"id outside a batch", with(`"value"`, `"id":"a","value"`), true, "/id", -1, []string{`"id"`}},
		{"empty", "", true, "", 0, []string{"empty"}},
		{"only space", " \n", true, "", 2, []string{"empty"}},
		{"null", "null", true, "", 0, []string{"null", "object"}},
		{"array", "[" + baseWrite + "]", true, "", 0, []string{"an array", "object"}},
		{"number", "5", true, "", 0, []string{"a number", "object"}},
		{"deep", strings.Repeat("[", 20000), true, "", MaxDepth, []string{"64"}},
		{"deep objects", strings.Repeat(`{"handle":`, 20000), true, "", -1, []string{"64"}},
		{"deep in a string is not deep", with(`"TestInt"`, `"`+strings.Repeat("[", 100)+`","attribute":1`), true, "/handle/attribute", -1, []string{"twice"}},
		{"cut", baseWrite[:len(baseWrite)-1], true, "", len(baseWrite) - 1, []string{"ends before"}},
		{"cut in a string", `{"handle`, true, "", 8, []string{"ends before"}},
		{"byte order mark", "\xef\xbb\xbf" + baseWrite, true, "", 0, []string{"byte order mark"}},
		{"comma", with(`305419896}`, `305419896,}`), true, "", -1, []string{"unexpected"}},
		{"no quotes", `{handle:1}`, true, "", 1, []string{"handle"}},
		{"single quotes", `{'handle':1}`, true, "", 1, []string{"double quotes"}},
		{"comment", "// x\n" + baseWrite, true, "", 0, []string{"unexpected"}},
		{"type in another case", with(`"Int32"`, `"int32"`), false, "/type", -1, []string{`"int32"`, `"Int32"`, "BooleanArray"}},
		{"type unknown", with(`"Int32"`, `"Int64"`), false, "/type", -1, []string{`"Int64"`, "Boolean, Int32, Float32, Float64, String, DateTime, ElapsedTime, InternationalizedString, BooleanArray, Int32Array, Float32Array, Float64Array, StringArray, DateTimeArray"}},
		{"type absent", with(`"type":"Int32",`, ``), false, "/type", -1, []string{"missing", "Boolean", "DateTimeArray"}},
		{"type null", with(`"Int32"`, `null`), false, "/type", -1, []string{"null", "Boolean"}},
		{"type a number", with(`"Int32"`, `2`), false, "/type", -1, []string{"2 is not", "Boolean"}},
		{"value absent", `{"handle":` + baseHandle + `,"type":"Int32"}`, false, "/value", -1, []string{"missing", "-2147483648..2147483647"}},

		// members of the tail
		{"token too large", with(`305419896`, `1,"clientToken":4294967296`), false, "/clientToken", -1, []string{"4294967296", "0..4294967295"}},
		{"token negative", with(`305419896`, `1,"clientToken":-1`), false, "/clientToken", -1, []string{"-1", "0..4294967295"}},
		{"token null", with(`305419896`, `1,"clientToken":null`), false, "/clientToken", -1, []string{"null"}},
		{"index too large", with(`305419896`, `1,"writeIndex":2147483648`), false, "/writeIndex", -1, []string{"2147483648", "-2147483648..2147483647"}},
		{"index a fraction", with(`305419896`, `1,"writeIndex":1e0`), false, "/writeIndex", -1, []string{"1e0", "-2147483648..2147483647"}},
		{"timestamp null", with(`305419896`, `1,"timestamp":null`), false, "/timestamp", -1, []string{"null", "RFC 3339"}},
		{"timestamp too early", with(`305419896`, `1,"timestamp":"1600-12-31T23:59:59Z"`), false, "/timestamp", -1, []string{"1600-12-31T23:59:59Z", "1601-01-01T00:00:00Z.."}},

		// bits
		{"bits beside a number", `{"handle":` + baseHandle + `,"type":"Float32","value":1,"bits":"7fc00001"}`, false, "/bits", -1, []string{"NaN"}},
		{"bits beside infinity", `{"handle":` + baseHandle + `,"type":"Float32","value":"Infinity","bits":"7fc00001"}`, false, "/bits", -1, []string{"NaN"}},
		{"bits of no NaN", `{"handle":` + baseHandle + `,"type":"Float32","value":"NaN","bits":"7f800000"}`, false, "/bits", -1, []string{"7f800000", "NaN"}},
		{"bits too many", `{"handle":` + baseHandle + `,"type":"Float32","value":"NaN","bits":"7ff8000000000001"}`, false, "/bits", -1, []string{"8 hex digits"}},
		{"bits no hex", `{"handle":` + baseHandle + `,"type":"Float64","value":"NaN","bits":"+ff8000000000001"}`, false, "/bits", -1, []string{"16 hex digits"}},
		{"bits for an Int32", `{"handle":` + baseHandle + `,"type":"Int32","value":1,"bits":"7fc00001"}`, false, "/bits", -1, []string{"Float32"}},
	}
	// Values of the wrong form, by type.
	const i32 = "-2147483648..2147483647"
	for _, c := range []struct{ typ, value, limit string }{
		{"Int32", "2147483648", i32}, {"Int32", "-2147483649", i32}, {"Int32", "1.5", i32}, {"Int32", "1.0", i32}, {"Int32", "1e2", i32},
		{"Int32", `"5"`, i32}, {"Int32", "true", i32}, {"Int32", "null", i32}, {"Int32", "[5]", i32}, {"Int32", "{}", i32},
		{"Int32", "9007199254740993", i32}, {"Int32", "9223372036854775808", i32}, {"Int32", "18446744073709551617", i32}, {"Int32", "-0.0", i32}, {"Int32", `"NaN"`, i32},
		{"ElapsedTime", "2147483648", i32}, {"ElapsedTime", "1.5", i32}, {"ElapsedTime", `"PT1S"`, i32},
		{"Boolean", "1", "true, false"}, {"Boolean", `"true"`, "true, false"}, {"Boolean", "null", "true, false"}, {"Boolean", "[]", "true, false"},
		{"Float32", "3.4028236e38", "3.4028235e38"}, {"Float32", "-3.4028236e38", "3.4028235e38"}, {"Float32", "1e39", "3.4028235e38"}, {"Float32", "1e999999999", "3.4028235e38"},
		{"Float32", "true", "NaN"}, {"Float32", "null", "NaN"}, {"Float32", `"nan"`, "NaN"}, {"Float32", `"1.5"`, "NaN"}, {"Float32", `"+Infinity"`, "Infinity"},
		{"Float32", `"inf"`, "Infinity"}, {"Float32", "[1]", "NaN"}, {"Float32", `""`, "NaN"},
		{"Float64", "1e309", "1.7976931348623157e308"}, {"Float64", "-1e309", "1.7976931348623157e308"}, {"Float64", `"Inf"`, "Infinity"}, {"Float64", "false", "NaN"},
		{"String", "5", "a string"}, {"String", "null", "a string"}, {"String", "[]", "a string"}, {"String", `["a"]`, "a string"}, {"InternationalizedString", "true", "a string"},
		{"DateTime", "0", "1601-01-01T00:00:00Z.."}, {"DateTime", "null", "1601-01-01T00:00:00Z.."}, {"DateTime", `""`, "1601"}, {"DateTime", `"1600-12-31T23:59:59.999999999Z"`, "1601"},
		{"DateTime", `"2024-01-01T00:00:60Z"`, "RFC 3339"}, {"DateTime", `"2024-01-01T00:00:00"`, "RFC 3339"}, {"DateTime", `"2024-01-01T00:00:00+24:00"`, "RFC 3339"},
		{"DateTime", `"2023-02-29T00:00:00Z"`, "RFC 3339"}, {"DateTime", `"2024-01-01"`, "RFC 3339"},
		{"Int32Array", "5", "array"}, {"Int32Array", "null", "array"}, {"Int32Array", "{}", "array"}, {"Int32Array", `"[1]"`, "array"}, {"BooleanArray", "true", "array of Boolean"},
	} {
		says := []string{c.limit}
		if c.value[0] != '[' && c.value[0] != '{' {
			says = append(says, c.value)
		}
		list = append(list, bad{c.typ + " " + c.value, typedWrite(c.typ, c.value), false, "/value", strings.Index(typedWrite(c.typ, c.value), `"value":`) + 8, says})
	}
	for _, c := range []struct {
		typ, value, pointer string
		says                []string
	}{
		{"Int32Array", "[1,null,3]", "/value/1", []string{"null", i32}},
		{"Int32Array", `[1,"2"]`, "/value/1", []string{`"2"`, i32}},
		{"Int32Array", `[1,2,3.0]`, "/value/2", []string{`3.0`, i32}},
		{"Int32Array", `[[1]]`, "/value/0", []string{"an array", i32}},
		{"Int32Array", `[2147483648]`, "/value/0", []string{"2147483648", i32}},
		{"BooleanArray", `[true,0]`, "/value/1", []string{"0", "true, false"}},
		{"Float32Array", `[1,1e39]`, "/value/1", []string{"1e39"}},
		{"Float64Array", `[1,{}]`, "/value/1", []string{"an object"}},
		{"StringArray", `["a",1]`, "/value/1", []string{"1 is not a string|a string of 0..16777216 bytes"}},
		{"StringArray", `["a",null]`, "/value/1", []string{"null"}},
		{"DateTimeArray", `["1970-01-01T00:00:00Z","1600-01-01T00:00:00Z"]`, "/value/1", []string{"1600-01-01T00:00:00Z", "1601"}},
		{"Int32Array", "[" + strings.Repeat("7,", 65535) + "7]", "/value", []string{"65535"}},
		{"StringArray", "[" + strings.Repeat(`"",`, 65535) + `""]`, "/value", []string{"65535"}},
	} {
		name := c.typ + " " + c.value
		list = append(list, bad{name[:min(len(name), 60)], typedWrite(c.typ, c.value), false, c.pointer, -1, c.says})
	}
	// What is no JSON, in the place of the value.
	for _, c := range []struct {
		typ, value string
		at         int
		says       string
	}{
		{"Int32", "007", 1, "leading zeros"}, {"Int32", "-01", 2, "leading zeros"}, {"Int32", "+1", 0, "begin with +"}, {"Int32", "1.", 2, "digit"},
		{"Float64", ".5", 0, "decimal point"}, {"Float64", "1e", 2, "digit"}, {"Float64", "1e+", 3, "digit"}, {"Int32", "-", 1, "digit"},
		{"Float64", "NaN", 0, `the string "NaN"`}, {"Float64", "Infinity", 0, `the string "Infinity"`}, {"Float64", "-Infinity", 1, "Infinity"},
		{"Int32", "0x10", 1, "x"}, {"Int32", "1_000", 1, "_"}, {"Boolean", "True", 0, "True"}, {"Boolean", "tru", 3, "}"}, {"Int32", "undefined", 0, "undefined"},
		{"Int32", "", 0, "}"}, {"String", `"a` + "\n" + `b"`, 2, "0x0a"}, {"String", `"a` + "\x00" + `b"`, 2, "0x00"}, {"String", `"a\x41"`, 2, "escape"}, {"String", `"\u12g4"`, 1, "escape"},
		{"String", `"\ud83d"`, 1, `\ud83d`}, {"String", `"\ud83dx"`, 1, `\ud83d`}, {"String", `"\ud83d\u0041"`, 1, `\ud83d`}, {"String", `"\ude00"`, 1, `\ude00`}, {"String", `"\ud83d\ud83d"`, 1, `\ud83d`},
		{"String", `"ab` + "\xff\xfe" + `"`, 3, "0xff"}, {"String", `"` + "\xc3" + `"`, 1, "0xc3"}, {"String", `"` + "\xed\xa0\xbd" + `"`, 1, "0xed"}, {"String", `"` + "\xc0\x80" + `"`, 1, "0xc0"},
		// What follows text that is not UTF-8 must not be read in its place.
		{"String", `"` + "\xee" + `"""`, 1, "0xee"}, {"StringArray", `["` + "\xee" + `"""]`, 2, "0xee"}, {"InternationalizedString", `"` + "\xee" + `""b"`, 1, "0xee"},
		{"StringArray", `["a","` + "\xff" + `"]`, 6, "0xff"}, {"Int32Array", `[1,]`, 3, "]"}, {"Int32Array", `[1 2]`, 3, "2"}, {"Int32Array", `[1,2`, 4, "}"},
	} {
		in := typedWrite(c.typ, c.value)
		list = append(list, bad{fmt.Sprintf("%s %q", c.typ, c.value), in, true, "?", strings.Index(in, `"value":`) + 8 + c.at, []string{c.says}})
	}
	in := strings.Replace(baseWrite, "TestInt", "Test\xffInt", 1)
	list = append(list, bad{"invalid UTF-8 in a name", in, true, "?", strings.IndexByte(in, 0xff), []string{"UTF-8", "0xff"}})
	in = strings.Replace(baseWrite, `"type"`, "\"ty\xffpe\"", 1)
	list = append(list, bad{"invalid UTF-8 in a member's name", in, true, "?", strings.IndexByte(in, 0xff), []string{"UTF-8", "0xff"}})
	return list
}

func TestWrite(t *testing.T) {
	d := New(nil, Limits{})
	for _, c := range goodCases() {
		t.Run(c.name, func(t *testing.T) {
			var w codec.Write
			_, err := d.Write(&w, []byte(c.in), nil)
			require.NoError(t, err)
			body, err := codec.AppendWrite(nil, &w)
			require.NoError(t, err)
			assert.Equal(t, c.body, hex.EncodeToString(body))
		})
	}
}

// The error names the member and the limit it broke, and never a thing of Go's.
func TestWriteRefuses(t *testing.T) {
	d := New(nil, Limits{})
	for _, c := range badCases() {
		t.Run(c.name, func(t *testing.T) {
			var w codec.Write
			_, err := d.Write(&w, []byte(c.in), nil)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.syntax, e.Syntax, e)
			if c.pointer != "?" {
				assert.Equal(t, c.pointer, e.Pointer, e)
			}
			if c.offset >= 0 {
				assert.EqualValues(t, c.offset, e.Offset, e)
			}
			for _, s := range c.says {
				assert.Contains(t, e.Reason+"|"+e.Limit, s)
			}
			for _, s := range []string{"json", "int32 ", "strconv", "struct", "%!", "codec", "^["} {
				assert.NotContains(t, e.Error(), s)
			}
			assert.Less(t, len(e.Error()), 600)
		})
	}
}
