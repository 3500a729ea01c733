package api

import (
	"encoding/json"
	"net/http"
	"sort"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// load parses the document, resolves its references and validates it, its examples included.
func load(t *testing.T) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(YAML())
	require.NoError(t, err)
	require.NoError(t, doc.Validate(loader.Context, openapi3.EnableExamplesValidation()))
	return doc
}

// operations gives each operation with its method and path, in a fixed order.
func operations(doc *openapi3.T) (out []operation) {
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			out = append(out, operation{method, path, op})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
}

type operation struct {
	method, path string
	*openapi3.Operation
}

func (o operation) String() string { return o.method + " " + o.path }

// For 3.1 the validator compiles the schema on every request: 0.94 ms instead of 14 µs.
func TestVersionIs303(t *testing.T) {
	require.Equal(t, "3.0.3", load(t).OpenAPI)
}

func TestJSONIsTheSameDocument(t *testing.T) {
	fromJSON, err := openapi3.NewLoader().LoadFromData(JSON())
	require.NoError(t, err)
	a, err := json.Marshal(load(t))
	require.NoError(t, err)
	b, err := json.Marshal(fromJSON)
	require.NoError(t, err)
	require.JSONEq(t, string(a), string(b))
}

// The contract's operations, written out: a client's method names are these ids.
func TestOperations(t *testing.T) {
	want := map[string]string{
		"POST /v1/write": "encodeWrite", "POST /v1/write/explain": "explainWrite",
		"POST /v1/write/batch": "encodeBatch", "POST /v1/write/batch/results": "encodeBatchResults",
		"POST /v1/handle": "encodeHandle", "POST /v1/handle/explain": "explainHandle",
		"POST /v1/item-control": "encodeItemControl", "POST /v1/item-control/explain": "explainItemControl",
		"POST /v1/decode": "decode", "POST /v1/decode/text": "decodeText",
		"POST /v1/decode/batch": "decodeBatch", "POST /v1/decode/text/batch": "decodeTextBatch",
		"POST /v1/diff": "diff", "POST /v1/replay": "replay", "POST /v1/layout/learn": "learnLayout",
		"GET /v1/layout": "layout", "GET /bench": "bench", "GET /bench.json": "benchJSON",
		"GET /healthz": "health", "GET /readyz": "ready", "GET /version": "version",
		"GET /openapi.yaml": "openapiYAML", "GET /openapi.json": "openapiJSON",
		"GET /metrics": "metrics", "GET /docs": "docs", "GET /": "page",
	}
	got := map[string]string{}
	for _, op := range operations(load(t)) {
		got[op.String()] = op.OperationID
		require.NotEmpty(t, op.Summary, op)
		require.Len(t, op.Tags, 1, op)
	}
	require.Equal(t, want, got)
	ids := map[string]bool{}
	for _, id := range got {
		require.False(t, ids[strings.ToLower(id)], "operationId %s is there twice", id)
		ids[strings.ToLower(id)] = true
	}
}

// With two success types, generated clients ask for one and type it as the other. Batch results are the one exception.
func TestOneSuccessTypeAnOperation(t *testing.T) {
	for _, op := range operations(load(t)) {
		for status, r := range op.Responses.Map() {
			types := len(r.Value.Content)
			switch {
			case op.OperationID == "encodeBatchResults" && status == "200":
				require.Equal(t, 2, types)
			default:
				require.Equal(t, 1, types, "%s %s", op, status)
			}
		}
	}
}

// Where JSON stands beside another type it is listed first, since generators take the first.
func TestJSONIsListedFirst(t *testing.T) {
	for rest := string(YAML()); ; {
		i := strings.Index(rest, "application/x-ndjson:")
		if i < 0 {
			break
		}
		before := rest[:i]
		content := before[strings.LastIndex(before, "content:"):]
		rest = rest[i+1:]
		if strings.Contains(content, "application/json:") {
			continue
		}
		after := rest
		if j := strings.Index(after, "responses:"); j >= 0 {
			after = after[:j]
		}
		if j := strings.Index(after, "'4"); j >= 0 {
			after = after[:j]
		}
		require.NotContains(t, after, "application/json:", "application/json after application/x-ndjson")
	}
}

// Every error is the one problem, with an example that says the status it stands under.
func TestErrorsAreProblemsWithExamples(t *testing.T) {
	for _, op := range operations(load(t)) {
		statuses := map[string]bool{}
		for status, r := range op.Responses.Map() {
			statuses[status] = true
			if status < "400" {
				continue
			}
			media := r.Value.Content.Get("application/problem+json")
			require.NotNil(t, media, "%s %s", op, status)
			require.Equal(t, "#/components/schemas/Problem", media.Schema.Ref, "%s %s", op, status)
			examples := []any{}
			if media.Example != nil {
				examples = append(examples, media.Example)
			}
			for _, e := range media.Examples {
				examples = append(examples, e.Value.Value)
			}
			require.NotEmpty(t, examples, "%s %s has no example", op, status)
			for _, e := range examples {
				m, ok := e.(map[string]any)
				require.True(t, ok, "%s %s", op, status)
				b, err := json.Marshal(m["status"])
				require.NoError(t, err)
				require.Equal(t, status, string(b), "%s %s", op, status)
			}
		}
		require.True(t, statuses["406"] && statuses["500"], "%s", op)
		if op.method == http.MethodPost {
			for _, s := range []string{"400", "401", "413", "415", "422", "429", "503"} {
				if s == "422" && (op.OperationID == "encodeBatchResults" || op.OperationID == "decodeTextBatch") {
					continue // what does not fit has its own result there
				}
				require.True(t, statuses[s], "%s lacks %s", op, s)
			}
			require.NotEmpty(t, op.RequestBody.Value.Content, op)
		}
		for status, name := range map[string]string{"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"} {
			if r := op.Responses.Value(status); r != nil {
				require.Contains(t, r.Value.Headers, name, "%s %s", op, status)
			}
		}
	}
}

// With a default the validator rewrites the body, and duplicate keys and trailing bytes vanish before we see them.
func TestNoDefaults(t *testing.T) {
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			_, isDefault := v["default"]
			require.False(t, isDefault, "%s has a default", path)
			for k, e := range v {
				if k != "example" && k != "examples" {
					walk(path+"/"+k, e)
				}
			}
		case []any:
			for _, e := range v {
				walk(path, e)
			}
		}
	}
	var tree any
	require.NoError(t, json.Unmarshal(JSON(), &tree))
	walk("", tree)
}

// Names that some generator reserves or that hide a type of its language.
func TestNamesToAvoid(t *testing.T) {
	doc := load(t)
	for _, name := range []string{"Field", "Error", "File", "Object", "Response", "Request", "Model"} {
		require.NotContains(t, doc.Components.Schemas, name)
	}
	require.Contains(t, doc.Components.Schemas, "BodyField")
}

// An optional query parameter costs three allocations, and the validator's security step reads the whole body.
func TestHotOperationsAreBare(t *testing.T) {
	doc := load(t)
	require.Empty(t, doc.Security)
	for _, op := range operations(doc) {
		require.Nil(t, op.Security, op)
		if op.OperationID != "decode" {
			require.Empty(t, op.Parameters, op)
		}
	}
}

// Operations that must be fast, or whose body is no JSON document, are judged by our own decoders alone; the schema validator
// stands in front of the others.
func TestWhoValidates(t *testing.T) {
	codec := map[string]bool{
		"encodeWrite": true, "explainWrite": true, "encodeBatch": true, "encodeBatchResults": true, "encodeHandle": true,
		"explainHandle": true, "decode": true, "decodeBatch": true, "decodeTextBatch": true,
	}
	streamed := map[string]bool{"encodeBatch": true, "encodeBatchResults": true, "decodeBatch": true, "decodeTextBatch": true}
	for _, op := range operations(load(t)) {
		require.Equal(t, codec[op.OperationID], op.Extensions[ValidatedByCodec] == "codec", op)
		require.Equal(t, streamed[op.OperationID], op.Extensions[Streamed] == true, op)
	}
}

// The fourteen types: flat, closed, one name each, and mapped.
func TestWriteSchemas(t *testing.T) {
	doc := load(t)
	write := doc.Components.Schemas["Write"].Value
	names := doc.Components.Schemas["WriteType"].Value.Enum
	require.Len(t, names, 14)
	require.Len(t, write.OneOf, 14)
	require.Equal(t, "type", write.Discriminator.PropertyName)
	require.Len(t, write.Discriminator.Mapping, 14)
	for i, n := range names {
		name := n.(string)
		ref := "#/components/schemas/" + name + "Write"
		require.Equal(t, ref, write.OneOf[i].Ref)
		require.Equal(t, ref, write.Discriminator.Mapping[name].Ref)
		s := write.OneOf[i].Value
		require.Empty(t, s.AllOf)
		require.Equal(t, []any{n}, s.Properties["type"].Value.Enum)
		require.Equal(t, []string{"type", "value"}, s.Required)
	}
}

// Every object that a request may hold forbids members it does not know.
func TestRequestSchemasAreClosed(t *testing.T) {
	seen := map[*openapi3.Schema]bool{}
	var walk func(at string, ref *openapi3.SchemaRef)
	walk = func(at string, ref *openapi3.SchemaRef) {
		if ref == nil || seen[ref.Value] {
			return
		}
		s := ref.Value
		seen[s] = true
		if s.Type.Is("object") {
			has := s.AdditionalProperties.Has
			require.True(t, has != nil && !*has, "%s (%s) takes unknown members", at, ref.Ref)
		}
		for k, p := range s.Properties {
			walk(at+"/"+k, p)
		}
		walk(at, s.Items)
		for _, o := range s.OneOf {
			walk(at, o)
		}
	}
	for _, op := range operations(load(t)) {
		if op.RequestBody == nil {
			continue
		}
		for _, m := range op.RequestBody.Value.Content {
			walk(op.String(), m.Schema)
		}
	}
	require.Greater(t, len(seen), 40)
}
