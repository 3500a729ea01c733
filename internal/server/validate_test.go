package server

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// TestFindings holds what the schema validator finds against our words: pointer, reason and limit, and nothing of the schema.
func TestFindings(t *testing.T) {
	_, url := start(t, Default())
	const id = `"itemCorrelationId":"00112233-4455-6677-8899-aabbccddeeff"`
	advise := func(more string) string { return `{"operation":"advise",` + id + more + `}` }
	for _, c := range []struct {
		path, body     string
		status         int
		pointer        string
		reason, limit  string
		others, absent string
	}{
		{"/v1/item-control", `{}`, 422, "/operation", "operation is missing", "advise, unadvise", "/itemCorrelationId", ""},
		{"/v1/item-control", advise(`,"Handle":{}`), 400, "/Handle", `unknown member "Handle": names are case-sensitive, write "handle"`, "handle", "", ""},
		{"/v1/item-control", advise(`,"x/y~":1,"tail":-1`), 400, "/x~1y~0", `unknown member "x/y~"`, "tail", "", "/tail"},
		{"/v1/item-control", advise(`,"tail":4294967296`), 422, "/tail", "4294967296 is out of range", "0..4294967295", "", ""},
		{"/v1/item-control", advise(`,"tail":1.5`), 422, "/tail", "1.5", "integer 0..4294967295", "", ""},
		{"/v1/item-control", advise(`,"tail":9007199254740993`), 422, "/tail", "9007199254740993", "0..4294967295", "", ""},
		{"/v1/item-control", advise(`,"extra":null`), 422, "/extra", "null", "integer 0..65535", "", ""},
		{"/v1/item-control", advise(`,"handleBytes":"zz"`), 422, "/handleBytes", `"zz"`, "40 hex digits", "", ""},
		{"/v1/item-control", strings.Replace(advise(""), "advise", "Advise", 1), 422, "/operation", `"Advise"`, "advise, unadvise", "", ""},
		{"/v1/item-control", advise(`,"handle":` + strings.Replace(cases.Handle, `"galaxyId":1`, `"galaxyId":256`, 1)), 422, "/handle/galaxyId", "256", "0..255", "", ""},
		{"/v1/item-control", `null`, 400, "", "not an object", "object", "", ""},
		{"/v1/item-control", `[]`, 400, "", "not an object", "object", "", ""},
		{"/v1/item-control", ``, 400, "", "empty", "", "", ""},
		{"/v1/item-control", advise(","), 400, "", "", "", "", ""},
		{"/v1/item-control", advise(`,"tail":1,"tail":2`), 400, "/tail", "twice", "", "", ""},
	} {
		res, body := call(t, "POST", url+c.path, c.body, jsonType)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", c.body, body)
		p := problem(t, res, body)
		require.Equal(t, c.pointer, p.Errors[0].Pointer, body)
		require.Contains(t, p.Errors[0].Reason, c.reason)
		require.Contains(t, p.Errors[0].Limit, c.limit)
		if c.others != "" {
			require.Contains(t, body, `"pointer":"`+c.others+`"`)
		}
		if c.absent != "" {
			require.NotContains(t, body, `"pointer":"`+c.absent+`"`, "what decides the status stands alone")
		}
	}
}

// TestFindingsAreBounded: neither the number of findings nor what they quote grows with what was sent.
func TestFindingsAreBounded(t *testing.T) {
	_, url := start(t, Default())
	var b strings.Builder
	b.WriteString(`{"operation":"` + strings.Repeat("x", 100_000) + `"`)
	for i := range 60_000 {
		b.WriteString(`,"k` + strconv.Itoa(i) + `":1`)
	}
	b.WriteString("}")
	res, body := call(t, "POST", url+"/v1/item-control", b.String(), jsonType)
	require.Equal(t, 400, res.StatusCode)
	require.Len(t, problem(t, res, body).Errors, 100)
	require.Less(t, len(body), 100_000)
	res, body = call(t, "POST", url+"/v1/item-control", `{"operation":"`+strings.Repeat("é", 100_000)+`"}`, jsonType)
	require.Equal(t, 422, res.StatusCode)
	require.Less(t, len(body), 2000)
}

// With full validation the decoder stays the authority: what it refuses has the status and the words that it has without.
func TestFullValidationKeepsTheDecodersWords(t *testing.T) {
	full := Default()
	full.ValidateFull = true
	_, plain := start(t, Default())
	_, url := start(t, full)
	const handle = `{"handleBytes":"010001000200050036d702009b000a003eda0000",`
	for _, path := range []string{"/v1/write", "/v1/write/explain"} {
		for _, body := range []string{
			handle + `"type":"Float32","value":3.4028236e38}`, handle + `"type":"Float64","value":1e309}`, handle + `"type":"Float32Array","value":[1,1e39]}`,
			`{"zzz":1}`, handle + `"type":"Int32","value":2147483648}`, handle + `"type":"int32","value":1}`, `{}`, `[]`, handle + `"type":"Int32","value":1,"value":2}`,
		} {
			want, wantBody := call(t, "POST", plain+path, body, jsonType)
			got, gotBody := call(t, "POST", url+path, body, jsonType)
			require.Equal(t, want.StatusCode, got.StatusCode, body)
			require.JSONEq(t, withoutInstance(t, wantBody), withoutInstance(t, gotBody), body)
		}
		res, body := call(t, "POST", url+path, cases.Base, jsonType)
		require.Equal(t, 200, res.StatusCode, body)
	}
}
