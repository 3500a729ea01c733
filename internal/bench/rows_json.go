package bench

import (
	"fmt"
	"strconv"
	"strings"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

// handleJSON is the wire format's example attribute.
const handleJSON = `{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject",` +
	`"primitiveId":2,"attributeId":155,"propertyId":10,"attribute":"TestInt"}`

// Request is the JSON of a write of the wire format's example attribute: type and value as given, members in the documented order.
func Request(t codec.Type, value string) string {
	return `{"handle":` + handleJSON + `,"type":` + strconv.Quote(t.String()) + `,"value":` + value + `}`
}

// RequestOf is the JSON of the i-th write of a batch to many attributes: names, numbers and value differ from one to the next, also in
// length, so that nothing can be guessed from the write before.
func RequestOf(i int) string {
	n := uint32(i) * 2654435761
	return fmt.Sprintf(`{"handle":{"galaxyId":1,"platformId":%d,"engineId":%d,"objectId":%d,"object":"Machine_%d","primitiveId":%d,"attributeId":%d,"propertyId":10,`+
		`"attribute":"TestInt%d"},"type":"Int32","value":%d}`, 1+n>>30, 2+n>>28, n>>(16+n&7), n>>(18+n&3), n>>29, n>>(21+n&3), n>>(20+n&7), i*7919%1000003)
}

// array is count times a value.
func array(count int, value func(i int) string) string {
	list := make([]string, count)
	for i := range list {
		list[i] = value(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// The requests of the JSON and HTTP rows.
var (
	int32JSON = Request(codec.Int32, "305419896")
	asciiJSON = Request(codec.String, strconv.Quote(ASCIIText))
	intsJSON  = Request(codec.Int32Array, array(elements, func(i int) string { return strconv.Itoa(i * 7919) }))
)

// ParseJSON reads a request into a codec.Write.
func ParseJSON(src string) func(n int) error {
	d, in, scratch := jsonin.New(nil, jsonin.Limits{}), []byte(src), make([]byte, 0, 16<<10)
	return func(n int) (err error) {
		var w codec.Write
		for range n {
			if scratch, err = d.Write(&w, in, scratch[:0]); err != nil {
				return err
			}
		}
		return nil
	}
}

// jsonToBody reads a request and appends its body.
func jsonToBody(src string) func(n int) error {
	d, in, scratch, dst := jsonin.New(nil, jsonin.Limits{}), []byte(src), make([]byte, 0, 16<<10), make([]byte, 0, 16<<10)
	return func(n int) (err error) {
		var w codec.Write
		for range n {
			if scratch, err = d.Write(&w, in, scratch[:0]); err != nil {
				return err
			}
			if dst, err = codec.AppendWrite(dst[:0], &w); err != nil {
				return err
			}
		}
		sink = dst
		return nil
	}
}

// jsonRows read requests of every type.
func jsonRows() []Scenario {
	var rows []Scenario
	add := func(name, includes, src string) {
		rows = append(rows, Scenario{Name: "JSON, " + name, Group: InJSON, Includes: includes, Loop: ParseJSON(src)})
	}
	const reads = "a request read and checked, with both signatures"
	add("Boolean", reads, Request(codec.Boolean, "true"))
	add("Int32", reads, int32JSON)
	add("Float32", reads, Request(codec.Float32, "233.1"))
	add("Float64", reads, Request(codec.Float64, "233.1"))
	add("String, 5 characters", reads, Request(codec.String, `"Hello"`))
	add("String, 120 ASCII letters", reads, asciiJSON)
	add("DateTime", reads, Request(codec.DateTime, `"2024-01-01T00:00:00Z"`))
	add("ElapsedTime", reads, Request(codec.ElapsedTime, "1500"))
	add("InternationalizedString, 5 characters", reads, Request(codec.InternationalizedString, `"Größe"`))
	add("Int32, timestamped", reads, strings.TrimSuffix(int32JSON, "}")+`,"timestamp":"2024-01-01T00:00:00Z"}`)
	const makes = reads + "; the elements turned into wire form"
	for _, a := range []struct {
		t     codec.Type
		value func(i int) string
	}{
		{codec.BooleanArray, func(i int) string { return strconv.FormatBool(i%3 == 0) }},
		{codec.Int32Array, func(i int) string { return strconv.Itoa(i * 7919) }},
		{codec.Float32Array, func(i int) string { return fmt.Sprintf("%d.5", i) }},
		{codec.Float64Array, func(i int) string { return fmt.Sprintf("%d.125", i) }},
		{codec.StringArray, func(i int) string { return fmt.Sprintf("%q", fmt.Sprintf("Element %d", i)) }},
		{codec.DateTimeArray, func(int) string { return `"2024-01-01T00:00:00Z"` }},
	} {
		add(fmt.Sprintf("%v, %d elements", a.t, elements), makes, Request(a.t, array(elements, a.value)))
	}
	return append(rows, Scenario{
		Name: "JSON to body, Int32", Group: InJSON, Includes: "a request read and checked, both signatures, and the body appended", Loop: jsonToBody(int32JSON)})
}
