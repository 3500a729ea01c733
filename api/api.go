// Package api is the HTTP contract: the OpenAPI document, written by hand, and the router's glue and models that are
// generated from it. Everything else in the product follows the document, never the other way round.
package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:generate go run ./order openapi.yaml ../build/api/openapi.yaml
//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.yaml ../build/api/openapi.yaml

//go:embed openapi.yaml
var document []byte

// YAML is the document as it was written. The caller must not change it.
func YAML() []byte { return document }

// JSON is the document as JSON, made once. Its members are in alphabetical order, which JSON gives no meaning to.
// The caller must not change it.
var JSON = sync.OnceValue(func() []byte {
	var tree any
	if err := yaml.Unmarshal(document, &tree); err != nil {
		// The document is part of the program and its tests parse it.
		panic(fmt.Sprintf("api: the embedded document is no YAML: %v", err))
	}
	out, err := json.Marshal(tree)
	if err != nil {
		panic(fmt.Sprintf("api: the embedded document has a key that is no string: %v", err))
	}
	return out
})

// The document's extensions.
const (
	// ValidatedByCodec marks operations whose requests our own strict decoder judges, so that the schema validator skips them.
	ValidatedByCodec = "x-mxrest-validated-by"
	// Streamed marks operations that read their body piece by piece, under the batch limit.
	Streamed = "x-mxrest-streamed"
)
