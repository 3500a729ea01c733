package cases

import (
	"fmt"
	"strings"
)

func integers() []Case {
	const limit = "-2147483648..2147483647"
	var all []Case
	for _, typ := range []string{"Int32", "ElapsedTime"} {
		all = append(all,
			good(typ+" highest", Write(typ, "2147483647"), Body("02", "ffffff7f")),
			good(typ+" lowest", Write(typ, "-2147483648"), Body("02", "00000080")),
			good(typ+" 0", Write(typ, "0"), Body("02", "00000000")),
			good(typ+" -1", Write(typ, "-1"), Body("02", "ffffffff")),
			good(typ+" -0", Write(typ, "-0"), Body("02", "00000000")),
		)
		for _, v := range []string{"2147483648", "-2147483649", "1.5", "1.0", "1e2", "1E2", `"5"`, "true", "null", "[5]", "{}", "9007199254740993", "99999999999999999999999"} {
			c := refused(typ+" "+v, Write(typ, v), 422, "/value", limit)
			if v[0] >= '1' && v[0] <= '9' || v[0] == '-' {
				c.Reason = v // quoted as it was typed
			}
			all = append(all, c)
		}
		for _, v := range []string{"007", "+1", "1.", ".5", "NaN", "Infinity", "0x10", "1_000", "-", "--1", "1e", "nul"} {
			all = append(all, refused(typ+" "+v, Write(typ, v), 400, "", ""))
		}
	}
	return all
}

func floats() []Case {
	all := []Case{
		good("Float32 0.1", Write("Float32", "0.1"), Body("03", "cdcccc3d")),
		good("Float32 5", Write("Float32", "5"), Body("03", "0000a040")),
		good("Float32 -0.0", Write("Float32", "-0.0"), Body("03", "00000080")),
		good("Float32 -0", Write("Float32", "-0"), Body("03", "00000080")),
		good("Float32 1e-45", Write("Float32", "1e-45"), Body("03", "01000000")),
		good("Float32 1e-60 becomes 0", Write("Float32", "1e-60"), Body("03", "00000000")),
		good("Float32 3.4028235e38", Write("Float32", "3.4028235e38"), Body("03", "ffff7f7f")),
		good("Float32 parsed straight to 32 bits", Write("Float32", "1.00000017881393432617187499"), Body("03", "0100803f")),
		good("Float32 233.1", Write("Float32", "233.1"), Body("03", "9a196943")),
		good("Float32 NaN", Write("Float32", `"NaN"`), Body("03", "0000c0ff")),
		good("Float32 Infinity", Write("Float32", `"Infinity"`), Body("03", "0000807f")),
		good("Float32 -Infinity", Write("Float32", `"-Infinity"`), Body("03", "000080ff")),
		good("Float32 NaN with bits", Write("Float32", `"NaN"`, `"bits":"7fa00001"`), Body("03", "0100a07f")),
		good("Float64 0.1", Write("Float64", "0.1"), Body("04", "9a9999999999b93f")),
		good("Float64 1", Write("Float64", "1"), Body("04", "000000000000f03f")),
		good("Float64 largest", Write("Float64", "1.7976931348623157e308"), Body("04", "ffffffffffffef7f")),
		good("Float64 smallest", Write("Float64", "5e-324"), Body("04", "0100000000000000")),
		good("Float64 -0.0", Write("Float64", "-0.0"), Body("04", "0000000000000080")),
		good("Float64 NaN", Write("Float64", `"NaN"`), Body("04", "000000000000f8ff")),
		good("Float64 Infinity", Write("Float64", `"Infinity"`), Body("04", "000000000000f07f")),
		good("Float64 -Infinity", Write("Float64", `"-Infinity"`), Body("04", "000000000000f0ff")),
		good("Float64 NaN with bits", Write("Float64", `"NaN"`, `"bits":"7ff4000000000002"`), Body("04", "020000000000f47f")),
		refused("Float32 3.4028236e38", Write("Float32", "3.4028236e38"), 422, "/value", "3.4028235e38"),
		refused("Float32 1e39", Write("Float32", "1e39"), 422, "/value", ""),
		refused("Float64 1e309", Write("Float64", "1e309"), 422, "/value", ""),
		refused("Float64 -1e309", Write("Float64", "-1e309"), 422, "/value", ""),
		refused("bits beside a number", Write("Float64", "1", `"bits":"7ff4000000000002"`), 422, "/bits", ""),
		refused("bits that are no NaN", Write("Float32", `"NaN"`, `"bits":"3f800000"`), 422, "/bits", ""),
		refused("bits too short", Write("Float32", `"NaN"`, `"bits":"7fa0"`), 422, "/bits", ""),
	}
	for _, typ := range []string{"Float32", "Float64"} {
		for _, v := range []string{`"nan"`, `"NAN"`, `"inf"`, `"+Infinity"`, `"Infinity "`, `"1"`, `""`, "true", "null", "[1]", "{}"} {
			all = append(all, refused(typ+" "+v, Write(typ, v), 422, "/value", ""))
		}
		for _, v := range []string{"NaN", "Infinity", "-Infinity", "1.", ".5", "01", "+1", "1e+", "0x1p3"} {
			all = append(all, refused(typ+" "+v, Write(typ, v), 400, "", ""))
		}
	}
	for _, typ := range []string{"Int32", "Boolean", "ElapsedTime", "DateTime"} {
		all = append(all, refused(typ+` "NaN"`, Write(typ, `"NaN"`), 422, "/value", ""))
	}
	return all
}

func booleans() []Case {
	all := []Case{
		good("true", Write("Boolean", "true"), Body("01", "ff")),
		good("false", Write("Boolean", "false"), Body("01", "00")),
	}
	for _, v := range []string{"0", "1", `"true"`, "null", "[]", "{}", "-1"} {
		all = append(all, refused("Boolean "+v, Write("Boolean", v), 422, "/value", ""))
	}
	return append(all,
		refused("Boolean True", Write("Boolean", "True"), 400, "", ""),
		refused("Boolean truex", Write("Boolean", "truex"), 400, "", ""))
}

func texts() []Case {
	var all []Case
	for _, typ := range []string{"String", "InternationalizedString"} {
		all = append(all,
			good(typ+" empty", Write(typ, `""`), Body("05", "06000000 02000000 0000")),
			good(typ+" Hello", Write(typ, `"Hello"`), Body("05", "10000000 0c000000 480065006c006c006f000000")),
			good(typ+" emoji raw", Write(typ, `"😀"`), Body("05", "0a000000 06000000 3dd800de0000")),
			good(typ+" emoji escaped", Write(typ, `"\ud83d\ude00"`), Body("05", "0a000000 06000000 3dd800de0000")),
			good(typ+" emoji in capitals", Write(typ, `"\uD83D\uDE00"`), Body("05", "0a000000 06000000 3dd800de0000")),
			good(typ+" U+0000 inside", Write(typ, `"a\u0000b"`), Body("05", "0c000000 08000000 6100000062000000")),
			good(typ+" escapes", Write(typ, `"\"\\\/\b\f\n\r\t\u00e9"`), Body("05", "18000000 14000000 22005c002f0008000c000a000d000900e9000000")),
			good(typ+" U+FFFD sent as such", Write(typ, `"�"`), Body("05", "08000000 04000000 fdff0000")),
			good(typ+" U+10FFFF", Write(typ, `"\udbff\udfff"`), Body("05", "0a000000 06000000 ffdbffdf0000")),
		)
		for _, v := range []string{"5", "true", "null", `["a"]`, "{}"} {
			all = append(all, refused(typ+" "+v, Write(typ, v), 422, "/value", ""))
		}
	}
	at := int64(strings.Index(Write("String", `"ab`), `"ab`))
	for _, c := range []struct {
		name, value string
		offset      int64
	}{
		{"lone high surrogate", `"\ud83d"`, at + 1},
		{"lone low surrogate", `"\ude00"`, at + 1},
		{"two high surrogates", `"\ud83d\ud83d"`, at + 1},
		{"bytes ff fe", "\"a\xff\xfe\"", at + 2},
		{"overlong encoding", "\"\xc0\x80\"", at + 1},
		{"surrogate in UTF-8", "\"\xed\xa0\xbd\"", at + 1},
		{"cut UTF-8", "\"\xf0\x9f\x98\"", at + 1},
		{"raw control character", "\"a\nb\"", at + 2},
		{"unknown escape", `"\x41"`, at + 1},
		{"never ends", `"abc`, 0},
	} {
		x := refused("String "+c.name, Write("String", c.value), 400, "", "")
		x.Offset = c.offset
		all = append(all, x)
	}
	return all
}

func arrays() []Case {
	header := func(count, width string) string { return "00000000" + count + width }
	all := []Case{
		good("BooleanArray", Write("BooleanArray", "[true,false]"), Body("41", header("0200", "02000000")+"ffff0000")),
		good("Int32Array", Write("Int32Array", "[1,-2]"), Body("42", header("0200", "04000000")+"01000000feffffff")),
		good("Float32Array", Write("Float32Array", `[0.1,"NaN"]`), Body("43", header("0200", "04000000")+"cdcccc3d0000c0ff")),
		good("Float64Array", Write("Float64Array", `[0.1,"-Infinity"]`), Body("44", header("0200", "08000000")+"9a9999999999b93f000000000000f0ff")),
		good("StringArray", Write("StringArray", `["a","",  "😀"]`), Body("45", header("0300", "00000000")+"04000000 61000000 02000000 0000 06000000 3dd800de0000")),
		good("DateTimeArray", Write("DateTimeArray", `["1601-01-01T00:00:00Z","1970-01-01T00:00:00Z"]`),
			Body("46", header("0200", "08000000")+"000000000000000000803ed5deb19d01")),
		good("Float32Array with bits", Write("Float32Array", `["NaN",1]`, `"bits":[{"index":0,"bits":"7fa00001"}]`),
			Body("43", header("0200", "04000000")+"0100a07f0000803f")),
		good("Float64Array with bits", Write("Float64Array", `[1,"NaN"]`, `"bits":[{"index":1,"bits":"FFF8000000000001"}]`),
			Body("44", header("0200", "08000000")+"000000000000f03f010000000000f8ff")),
		refused("bits of an element beyond", Write("Float32Array", `["NaN"]`, `"bits":[{"index":1,"bits":"7fa00001"}]`), 422, "/bits/0/index", "0..0"),
		refused("bits of an element that is a number", Write("Float32Array", `[1]`, `"bits":[{"index":0,"bits":"7fa00001"}]`), 422, "/bits/0/index", ""),
		refused("bits of infinity in an array", Write("Float32Array", `["NaN"]`, `"bits":[{"index":0,"bits":"7f800000"}]`), 422, "/bits/0/bits", ""),
		refused("null inside", Write("Int32Array", "[1,null,3]"), 422, "/value/1", ""),
		refused("text inside", Write("Int32Array", `[1,"2"]`), 422, "/value/1", ""),
		refused("too large inside", Write("Int32Array", "[0,0,2147483648]"), 422, "/value/2", "-2147483648..2147483647"),
		refused("array inside", Write("Int32Array", "[[1]]"), 422, "/value/0", ""),
		refused("number among text", Write("StringArray", `["a",1]`), 422, "/value/1", ""),
		refused("number among booleans", Write("BooleanArray", "[true,1]"), 422, "/value/1", ""),
		refused("bad time inside", Write("DateTimeArray", `["2023-02-29T00:00:00Z"]`), 422, "/value/0", ""),
		refused("too large a float inside", Write("Float32Array", "[1,1e39]"), 422, "/value/1", ""),
		refused("trailing comma", Write("Int32Array", "[1,]"), 400, "", ""),
		refused("no comma", Write("Int32Array", "[1 2]"), 400, "", ""),
		refused("scalar for an array", Write("Int32Array", "1"), 422, "/value", ""),
		refused("null for an array", Write("StringArray", "null"), 422, "/value", ""),
		refused("array for a scalar", Write("Int32", "[1]"), 422, "/value", ""),
		refused("ElapsedTime has no array form", Write("ElapsedTimeArray", "[1]"), 422, "/type", "Int32Array"),
		refused("InternationalizedString has no array form", Write("InternationalizedStringArray", "[]"), 422, "/type", "StringArray"),
	}
	for kind, typ := range map[string]string{"41": "BooleanArray", "42": "Int32Array", "43": "Float32Array", "44": "Float64Array", "45": "StringArray", "46": "DateTimeArray"} {
		width := map[string]string{"41": "02000000", "42": "04000000", "43": "04000000", "44": "08000000", "45": "00000000", "46": "08000000"}[kind]
		all = append(all, good(typ+" empty", Write(typ, "[]"), Body(kind, header("0000", width))),
			good(typ+" empty with space", Write(typ, "[ ]"), Body(kind, header("0000", width))))
	}
	full := strings.Repeat("7,", 65534) + "7"
	return append(all,
		good("65,535 elements", Write("Int32Array", "["+full+"]"), Body("42", header("ffff", "04000000")+strings.Repeat("07000000", 65535))),
		refused("65,536 elements", Write("Int32Array", "["+full+",7]"), 422, "/value", "65535"),
		refused("65,536 booleans", Write("BooleanArray", "["+strings.Repeat("true,", 65535)+"true]"), 422, "/value", "65535"),
		refused("65,536 texts", Write("StringArray", `[`+strings.Repeat(`"",`, 65535)+`""]`), 422, "/value", "65535"))
}

// moments are times with their FILETIME bytes.
var moments = []struct{ time, hex string }{
	{"1601-01-01T00:00:00Z", "0000000000000000"},
	{"1970-01-01T00:00:00Z", "00803ed5deb19d01"},
	{"2024-01-01T02:00:00+02:00", "00c08976453cda01"},
	{"2023-12-31T18:30:00-05:30", "00c08976453cda01"},
	{"2024-01-01T00:00:00.1234567Z", "87969c76453cda01"},
	{"2024-01-01T00:00:00.12345678999Z", "87969c76453cda01"}, // cut, not rounded
	{"2300-01-01T00:00:00Z", "00007ec6c1aa0f03"},
}

// notTimes are refused wherever a time stands.
var notTimes = []string{
	`"1600-12-31T23:59:59Z"`, `"1600-12-31T23:59:59.999999999Z"`, `"1601-01-01T00:59:00+01:00"`, `"2024-01-01T00:00:60Z"`, `"2024-01-01T00:00:00"`,
	`"2024-01-01T00:00:00+24:00"`, `"2024-01-01T00:00:00+0200"`, `"2023-02-29T00:00:00Z"`, `"2024-13-01T00:00:00Z"`, `"2024-00-01T00:00:00Z"`,
	`"2024-01-32T00:00:00Z"`, `"2024-01-01T24:00:00Z"`, `"2024-01-01"`, `"2024-01-01 00:00:00Z"`, `"2024-01-01T00:00Z"`, `"2024-01-01T00:00:00.Z"`,
	`"24-01-01T00:00:00Z"`, `"now"`, `""`, "1704067200", "0", "null", "true", "[]",
}

func times() []Case {
	var all []Case
	for _, m := range moments {
		all = append(all,
			good("DateTime "+m.time, Write("DateTime", `"`+m.time+`"`), Body("06", m.hex)),
			good("timestamp "+m.time, Write("Boolean", "true", `"timestamp":"`+m.time+`"`),
				"370100050036d702009b000a003eda0000 01 ff 0000"+m.hex+"00000000 00000000"))
	}
	for _, v := range notTimes {
		all = append(all,
			refused("DateTime "+v, Write("DateTime", v), 422, "/value", ""),
			refused("timestamp "+v, Write("Boolean", "true", `"timestamp":`+v), 422, "/timestamp", ""))
	}
	return all
}

func shapes() []Case {
	named := func(c Case, word string) Case { c.Reason = word; return c }
	all := []Case{
		named(refused("value twice", Write("Int32", "1", `"value":2`), 400, "/value", ""), "value"),
		named(refused("value twice, the same", Write("Int32", "1", `"value":1`), 400, "/value", ""), "value"),
		named(refused("value twice, once escaped", Write("Int32", "1", `"v\u0061lue":2`), 400, "/value", ""), "value"),
		named(refused("Value beside value", Write("Int32", "1", `"Value":1`), 400, "/Value", ""), "Value"),
		named(refused("misspelt timestamp", Write("Int32", "1", `"timestmap":"2024-01-01T00:00:00Z"`), 400, "/timestmap", ""), "timestmap"),
		named(refused("unknown in the handle", strings.Replace(Base, `"galaxyId"`, `"galaxy":1,"galaxyId"`, 1), 400, "/handle/galaxy", ""), "galaxy"),
		named(refused("twice in the handle", strings.Replace(Base, `"galaxyId"`, `"galaxyId":1,"galaxyId"`, 1), 400, "/handle/galaxyId", ""), "galaxyId"),
		refused("text after the value", Base+"x", 400, "", ""),
		refused("a second value", Base+Base, 400, "", ""),
		refused("a second value on its own line", Base+"\n{}", 400, "", ""),
		refused("empty", "", 400, "", ""),
		refused("white space only", " \n", 400, "", ""),
		refused("null", "null", 400, "", ""),
		refused("a number", "5", 400, "", ""),
		refused("an array", "["+Base+"]", 400, "", ""),
		refused("deep", strings.Repeat("[", 20000), 400, "", ""),
		refused("deep objects", strings.Repeat(`{"a":`, 20000), 400, "", ""),
		refused("a byte order mark", "\xef\xbb\xbf"+Base, 400, "", ""),
		refused("single quotes", strings.ReplaceAll(Base, `"`, "'"), 400, "", ""),
		refused("a comment", "// hello\n"+Base, 400, "", ""),
		refused("cut short", Base[:len(Base)-1], 400, "", ""),
		refused("trailing comma", Base[:len(Base)-1]+",}", 400, "", ""),
		refused("type in lower case", Write("int32", "1"), 422, "/type", "Int32"),
		refused("type absent", `{"handle":`+Handle+`,"value":1}`, 422, "/type", "DateTimeArray"),
		refused("type null", `{"handle":`+Handle+`,"type":null,"value":1}`, 422, "/type", "DateTimeArray"),
		refused("type a number", `{"handle":`+Handle+`,"type":2,"value":1}`, 422, "/type", "Int32"),
		refused("value absent", `{"handle":`+Handle+`,"type":"Int32"}`, 422, "/value", ""),
	}
	for i, key := range []string{"HANDLE", "Type", "clienttoken", "write_index", "", "\\u0000", "value "} {
		all = append(all, Case{Name: fmt.Sprint("unknown key ", i), JSON: Write("Int32", "1", `"`+key+`":1`), Status: 400})
	}
	return all
}
