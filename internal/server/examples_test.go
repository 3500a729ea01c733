package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/api"
	"mxrest/internal/handlers"
)

// ownWords are the statuses whose detail does not depend on the request, so that the document's example says it word for word.
var ownWords = map[int]bool{401: true, 404: true, 408: true, 429: true, 500: true, 503: true}

// checkExample holds a problem against the examples that the document gives for its status: one of them is of the same type, with
// the same title.
func (c *contract) checkExample(op *openapi3.Operation, status int, body []byte) {
	c.t.Helper()
	var got handlers.Problem
	require.NoError(c.t, json.Unmarshal(body, &got))
	media := op.Responses.Value(fmt.Sprint(status)).Value.Content.Get("application/problem+json")
	examples := []any{}
	if media.Example != nil {
		examples = append(examples, media.Example)
	}
	for _, e := range media.Examples {
		examples = append(examples, e.Value.Value)
	}
	for _, e := range examples {
		m := e.(map[string]any)
		if m["type"] == got.Type && m["title"] == got.Title && (!ownWords[status] || m["detail"] == got.Detail) {
			return
		}
	}
	assert.Fail(c.t, "no example of the document says this", "%s %d: %s", op.OperationID, status, clipped(string(body)))
}

// TestExamplesAreTrue sends what the document's examples are answers to, and compares the answers with them: all but the request id.
func TestExamplesAreTrue(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	require.NoError(t, err)
	// component gives an example of the document as JSON, or as the text it is.
	component := func(name string) string {
		ref := doc.Components.Examples[name]
		require.NotNil(t, ref, name)
		if text, ok := ref.Value.Value.(string); ok {
			return text
		}
		b, err := json.Marshal(ref.Value.Value)
		require.NoError(t, err)
		return string(b)
	}
	inline := func(response, name string) string {
		media := doc.Components.Responses[response].Value.Content.Get("application/problem+json")
		v := media.Example
		if name != "" {
			v = media.Examples[name].Value.Value
		}
		b, err := json.Marshal(v)
		require.NoError(t, err)
		return string(b)
	}
	const handle = `"handleBytes":"010001000200050036d702009b000a003eda0000"`
	int32of := func(value string) string { return `{` + handle + `,"type":"Int32","value":` + value + `}` }
	const (
		asJSON   = "Content-Type: application/json"
		asLines  = "Content-Type: application/x-ndjson"
		asOctets = "Content-Type: application/octet-stream"
	)
	_, url := start(t, Default())
	for _, x := range []struct {
		name, path, body string
		headers          []string
		status           int
		want             string
	}{
		{"duplicate key", "/v1/write", `{` + handle + `,"type":"Int32","value":1,"value":2}`, []string{asJSON}, 400, component("ProblemDuplicateKey")},
		{"trailing bytes", "/v1/write", int32of("1") + "x", []string{asJSON}, 400, component("ProblemTrailing")},
		{"out of range", "/v1/write", int32of("2147483648"), []string{asJSON}, 422, component("ProblemRange")},
		{"unknown type", "/v1/write", strings.Replace(int32of("1"), "Int32", "int32", 1), []string{asJSON}, 422, component("ProblemType")},
		{"bad item", "/v1/write/batch", `[{"id":"a",` + int32of("1")[1:] + `,{"id":"b",` + int32of("2147483648")[1:] + `,{"id":"c",` +
			int32of("3")[1:] + `]`, []string{asJSON}, 422, component("ProblemBatch")},
		{"bad handle", "/v1/handle", `{"galaxyId":1,"platformId":65536,"engineId":2,"objectId":5,"object":"a","primitiveId":2,` +
			`"attributeId":155,"attribute":"b"}`, []string{asJSON}, 422, component("ProblemHandle")},
		{"406 of write", "/v1/write", int32of("1"), []string{asJSON, "Accept: application/json"}, 406,
			inline("NotAcceptable", "JSON from /v1/write")},
		{"406 of explain", "/v1/write/explain", int32of("1"), []string{asJSON, "Accept: application/octet-stream"}, 406,
			inline("NotAcceptable", "octets from /v1/write/explain")},
		{"415", "/v1/write", int32of("1"), []string{"Content-Type: application/x-www-form-urlencoded"}, 415,
			inline("UnsupportedMediaType", "")},
		{"empty name", "/v1/decode?object=", "x", []string{"Content-Type: application/octet-stream"}, 400, inline("BadQuery", "empty name")},
		{"413", "/v1/write", strings.Repeat(" ", 4<<20+1), []string{asJSON}, 413, inline("TooLarge", "")},

		{"broken body", "/v1/decode/text", `{"hex":"370100"}`, []string{asJSON}, 422, component("ProblemBody")},
		{"broken octets", "/v1/decode", "\x37\x01\x00", []string{asOctets}, 422, component("ProblemOctets")},
		{"two forms", "/v1/decode/text", `{"hex":"370100","base64":"NwEA"}`, []string{asJSON}, 422, component("ProblemTwoForms")},
		{"no body", "/v1/layout/learn", `{"captures":[{"type":"Int32","value":1}]}`, []string{asJSON}, 422, component("ProblemNoBody")},
		{"another value", "/v1/replay", strings.Replace(component("ReplayTwo"), "305419896", "7", 1), []string{asJSON}, 422,
			component("ProblemReplay")},
		{"extra word", "/v1/item-control", `{"operation":"unadvise","itemCorrelationId":"00112233-4455-6677-8899-aabbccddeeff",` +
			handle + `,"extra":1}`, []string{asJSON}, 422, component("ProblemExtra")},

		{"decoded status", "/v1/decode/text", component("TextPasted"), []string{asJSON}, 200, component("DecodedStatus")},
		{"decoded frames", "/v1/decode/batch", "\x05\x00\x00\x00\x00\x00\x50\x80\x00", []string{asOctets}, 200, component("DecodedFrames")},
		{"decoded text", "/v1/decode/text", component("TextHex"), []string{asJSON}, 200, component("DecodedInt32")},
		{"decoded lines", "/v1/decode/text/batch", component("TextLines"), []string{asLines}, 200, component("DecodedLines")},
		{"explained item control", "/v1/item-control/explain", component("Unadvise"), []string{asJSON}, 200,
			component("ExplanationUnadvise")},
		{"compared", "/v1/diff", component("DiffValues"), []string{asJSON}, 200, component("DiffedValues")},
		{"replayed", "/v1/replay", component("ReplayTwo"), []string{asJSON}, 200, component("ReplayedTwo")},
		{"learned", "/v1/layout/learn", component("LearnOne"), []string{asJSON}, 200, component("LearnedOne")},
		{"explained write", "/v1/write/explain", component("WriteInt32"), []string{asJSON}, 200, component("ExplanationInt32")},
		{"explained handle", "/v1/handle/explain", component("HandleNames"), []string{asJSON}, 200, component("ExplanationHandle")},
		{"results", "/v1/write/batch/results", component("BatchGood"), []string{asJSON}, 200, component("ResultsGood")},
		{"results with a failure", "/v1/write/batch/results", `[{"id":"a",` + int32of("1")[1:] + `,{"id":"b","handle":{"galaxyId":1,` +
			`"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject","primitiveId":2,"attributeId":155,"attribute":"TestInt"},` +
			int32of("2")[1:] + `,{"id":"c",` + int32of("3")[1:] + `]`, []string{asJSON}, 207, component("ResultsOneBad")},
		{"result lines", "/v1/write/batch/results", component("BatchLinesOneBad"), []string{asLines, "Accept: application/x-ndjson"}, 200,
			component("ResultLines")},
	} {
		t.Run(x.name, func(t *testing.T) {
			req, err := http.NewRequest("POST", url+x.path, strings.NewReader(x.body))
			require.NoError(t, err)
			for _, h := range x.headers {
				k, v, _ := strings.Cut(h, ": ")
				req.Header.Set(k, v)
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			require.NoError(t, err)
			require.Equal(t, x.status, res.StatusCode, "%s", body)
			if strings.HasSuffix(x.want, "\n") {
				require.Equal(t, x.want, string(body))
				return
			}
			require.JSONEq(t, withoutInstance(t, x.want), withoutInstance(t, string(body)))
		})
	}
}

// TestLayoutExampleIsTrue compares the layout in force without a file with the document's example.
func TestLayoutExampleIsTrue(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	require.NoError(t, err)
	want, err := json.Marshal(doc.Components.Examples["LayoutDefault"].Value.Value)
	require.NoError(t, err)
	_, url := start(t, Default())
	_, got := call(t, "GET", url+"/v1/layout", "")
	require.JSONEq(t, string(want), got)
}

func withoutInstance(t *testing.T, text string) string {
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &m), text)
	delete(m, "instance")
	b, err := json.Marshal(m)
	require.NoError(t, err)
	return string(b)
}
