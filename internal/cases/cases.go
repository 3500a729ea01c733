// Package cases is the table of writes with their right answers: the bytes worked out by hand, or the refusal with its status, pointer and
// limit. Tests of every way into the product (HTTP, batch, command line, decoder) run the same table. Only tests import it.
package cases

import "strings"

// Case is one write and what it must come to.
type Case struct {
	Name string
	JSON string // the request body

	Hex string // the message body; "" when the write is refused

	Status  int    // 400 or 422 when it is refused, 200 otherwise
	Pointer string // to the member at fault
	Limit   string // what the error's limit must contain; "" for anything
	Reason  string // what the error's reason must contain; "" for anything
	Offset  int64  // where the syntax breaks, checked when above 0
}

// Handle is the base request's handle.
const Handle = `{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject",` +
	`"primitiveId":2,"attributeId":155,"propertyId":10,"attribute":"TestInt"}`

// HandleHex are the 20 bytes of Handle.
const HandleHex = "010001000200050036d702009b000a003eda0000"

// Base is the base request: an Int32, 305419896.
const Base = `{"handle":` + Handle + `,"type":"Int32","value":305419896}`

// BaseHex is the body of Base, 40 bytes.
const BaseHex = "370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000"

// Write is the base request with another type and value; more are further members, written out.
func Write(typ, value string, more ...string) string {
	s := `{"handle":` + Handle + `,"type":"` + typ + `","value":` + value
	for _, m := range more {
		s += "," + m
	}
	return s + "}"
}

// Body is a normal write's body in the default layout, put together from hex that was worked out by hand: the base request's handle, the
// kind, the value, the tail. The index is 0 for a scalar and -1 for an array.
func Body(kind, value string) string {
	index := "0000"
	if kind[0] == '4' {
		index = "ffff"
	}
	return "370100050036d702009b000a003eda" + index + kind + value + "ffff0000000000000000" + "00000000" + "00000000"
}

func good(name, json, hex string) Case {
	return Case{Name: name, JSON: json, Hex: strings.ReplaceAll(hex, " ", ""), Status: 200}
}

func refused(name, json string, status int, pointer, limit string) Case {
	return Case{Name: name, JSON: json, Status: status, Pointer: pointer, Limit: limit}
}

// All is the whole table.
func All() []Case {
	var all []Case
	for _, part := range [][]Case{base(), handles(), integers(), floats(), booleans(), texts(), arrays(), times(), shapes()} {
		all = append(all, part...)
	}
	return all
}

// base is the base request and the tail's members.
func base() []Case {
	upper := strings.NewReplacer("TestChildObject", "TESTCHILDOBJECT", "TestInt", "testint").Replace(Base)
	return []Case{
		good("base", Base, BaseHex),
		good("names in another case", upper, BaseHex),
		good("members in another order", `{"value":305419896,"type":"Int32","handle":`+Handle+`}`, BaseHex),
		good("white space", " {\n\t\"handle\" : "+Handle+" ,\r\n \"type\":\"Int32\" , \"value\" : 305419896 } \n", BaseHex),
		good("propertyId absent", strings.Replace(Base, `"propertyId":10,`, "", 1), BaseHex),
		good("index given", strings.Replace(Base, `"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":0`, 1), BaseHex),
		good("an element's index", strings.Replace(Base, `"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":3`, 1),
			strings.Replace(BaseHex, "3eda0000", "3eda0300", 1)),
		good("signatures", strings.NewReplacer(`"object":"TestChildObject"`, `"objectSignature":55094`, `"attribute":"TestInt"`, `"attributeSignature":55870`).Replace(Base), BaseHex),
		good("handleBytes", `{"handleBytes":"`+HandleHex+`","type":"Int32","value":305419896}`, BaseHex),
		good("handleBytes in capitals", `{"handleBytes":"`+strings.ToUpper(HandleHex)+`","type":"Int32","value":305419896}`, BaseHex),
		good("token and index", Write("Int32", "305419896", `"clientToken":4294967295`, `"writeIndex":-2`),
			"370100050036d702009b000a003eda0000 02 78563412 ffff 0000000000000000 ffffffff feffffff"),
		good("timestamp", Write("Int32", "305419896", `"timestamp":"2024-01-01T00:00:00Z"`, `"clientToken":1`),
			"370100050036d702009b000a003eda0000 02 78563412 0000 00c08976453cda01 01000000 00000000"),
		refused("token too large", Write("Int32", "1", `"clientToken":4294967296`), 422, "/clientToken", "0..4294967295"),
		refused("token negative", Write("Int32", "1", `"clientToken":-1`), 422, "/clientToken", "0..4294967295"),
		refused("token null", Write("Int32", "1", `"clientToken":null`), 422, "/clientToken", "0..4294967295"),
		refused("index too large", Write("Int32", "1", `"writeIndex":2147483648`), 422, "/writeIndex", "-2147483648..2147483647"),
		refused("index fractional", Write("Int32", "1", `"writeIndex":1.0`), 422, "/writeIndex", "-2147483648..2147483647"),
	}
}

// handles are the bounds and alternatives of the handle.
func handles() []Case {
	with := func(old, with string) string { return strings.Replace(Base, old, with, 1) }
	var all []Case
	for _, f := range []struct {
		name, now string
		lo, hi    string
		below     string
		above     string
		offset    int // of the field in the body, -1 when it is not in it
		loHex     string
		hiHex     string
	}{
		{"galaxyId", "1", "0", "255", "-1", "256", -1, "", ""},
		{"platformId", "1", "0", "65535", "-1", "65536", -1, "", ""},
		{"engineId", "2", "0", "65535", "-1", "65536", -1, "", ""},
		{"objectId", "5", "0", "65535", "-1", "65536", 3, "0000", "ffff"},
		{"primitiveId", "2", "-32768", "32767", "-32769", "32768", 7, "0080", "ff7f"},
		{"attributeId", "155", "-32768", "32767", "-32769", "32768", 9, "0080", "ff7f"},
		{"propertyId", "10", "-32768", "32767", "-32769", "32768", 11, "0080", "ff7f"},
	} {
		member := func(v string) string { return with(`"`+f.name+`":`+f.now, `"`+f.name+`":`+v) }
		body := func(hex string) string {
			if f.offset < 0 {
				return BaseHex
			}
			return BaseHex[:2*f.offset] + hex + BaseHex[2*f.offset+4:]
		}
		limit := f.lo + ".." + f.hi
		all = append(all,
			good(f.name+" lowest", member(f.lo), body(f.loHex)),
			good(f.name+" highest", member(f.hi), body(f.hiHex)),
			refused(f.name+" too low", member(f.below), 422, "/handle/"+f.name, limit),
			refused(f.name+" too high", member(f.above), 422, "/handle/"+f.name, limit),
			refused(f.name+" as text", member(`"2"`), 422, "/handle/"+f.name, limit),
			refused(f.name+" null", member("null"), 422, "/handle/"+f.name, limit),
			refused(f.name+" fractional", member("1.5"), 422, "/handle/"+f.name, limit),
			refused(f.name+" huge", member("99999999999999999999"), 422, "/handle/"+f.name, limit),
		)
		if f.name != "propertyId" {
			all = append(all, refused(f.name+" absent", with(`"`+f.name+`":`+f.now+",", ""), 422, "/handle/"+f.name, ""))
		}
	}
	array := func(index string) string {
		return `{"handle":` + strings.Replace(Handle, `"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":`+index, 1) + `,"type":"Int32Array","value":[1]}`
	}
	return append(all,
		good("attributeId -1", with(`"attributeId":155`, `"attributeId":-1`), strings.Replace(BaseHex, "9b00", "ffff", 1)),
		refused("object empty", with(`"object":"TestChildObject"`, `"object":""`), 422, "/handle/object", ""),
		refused("object absent", with(`"object":"TestChildObject",`, ""), 422, "/handle/object", ""),
		refused("object null", with(`"object":"TestChildObject"`, `"object":null`), 422, "/handle/object", ""),
		refused("object and its signature", with(`"object":"TestChildObject"`, `"object":"TestChildObject","objectSignature":55094`), 422, "/handle/objectSignature", "object"),
		refused("attribute empty", with(`"attribute":"TestInt"`, `"attribute":""`), 422, "/handle/attribute", ""),
		refused("attribute absent", with(`,"attribute":"TestInt"`, ""), 422, "/handle/attribute", ""),
		refused("attribute and its signature", with(`"attribute":"TestInt"`, `"attribute":"TestInt","attributeSignature":1`), 422, "/handle/attributeSignature", "attribute"),
		refused("signature too large", with(`"object":"TestChildObject"`, `"objectSignature":65536`), 422, "/handle/objectSignature", "0..65535"),
		refused("scalar with index -1", with(`"attribute":"TestInt"`, `"attribute":"TestInt","attributeIndex":-1`), 422, "/handle/attributeIndex", ""),
		refused("array with index 0", array("0"), 422, "/handle/attributeIndex", "-1"),
		good("array with index -1", array("-1"), Body("42", "00000000 0100 04000000 01000000")),
		refused("handle and handleBytes", with(`"type"`, `"handleBytes":"`+HandleHex+`","type"`), 422, "/handleBytes", "handle"),
		refused("neither", `{"type":"Int32","value":1}`, 422, "/handle", "handleBytes"),
		refused("handle null", `{"handle":null,"type":"Int32","value":1}`, 422, "/handle", ""),
		refused("handle an array", `{"handle":[],"type":"Int32","value":1}`, 422, "/handle", ""),
		refused("handleBytes too short", `{"handleBytes":"`+HandleHex[2:]+`","type":"Int32","value":1}`, 422, "/handleBytes", "40 hex digits"),
		refused("handleBytes not hex", `{"handleBytes":"zz`+HandleHex[2:]+`","type":"Int32","value":1}`, 422, "/handleBytes", "40 hex digits"),
		refused("handleBytes reserved byte", `{"handleBytes":"0101`+HandleHex[4:]+`","type":"Int32","value":1}`, 422, "/handleBytes", ""),
		refused("handleBytes of a scalar for an array", `{"handleBytes":"`+HandleHex+`","type":"Int32Array","value":[]}`, 422, "/handleBytes", "-1"),
	)
}
