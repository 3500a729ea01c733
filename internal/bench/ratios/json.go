package main

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"mxrest/internal/bench"
	"mxrest/internal/bench/plain"
	"mxrest/internal/codec"
)

// The request as a Go programmer would write it down for encoding/json: one struct, with the value of its type. Nothing is checked
// beyond what the packages check, and no signature computed.
type (
	request[T any] struct {
		Handle      handle `json:"handle"`
		Type        string `json:"type"`
		Value       T      `json:"value"`
		Timestamp   string `json:"timestamp"`
		ClientToken uint32 `json:"clientToken"`
		WriteIndex  int32  `json:"writeIndex"`
	}
	handle struct {
		GalaxyID    uint8  `json:"galaxyId"`
		PlatformID  uint16 `json:"platformId"`
		EngineID    uint16 `json:"engineId"`
		ObjectID    uint16 `json:"objectId"`
		Object      string `json:"object"`
		PrimitiveID int16  `json:"primitiveId"`
		AttributeID int16  `json:"attributeId"`
		PropertyID  int16  `json:"propertyId"`
		Attribute   string `json:"attribute"`
		Index       int16  `json:"attributeIndex"`
	}
)

// jsonRows compare reading one write with both packages, type by type.
func jsonRows(t *table) {
	jsonRow[int32](t, codec.Int32, "305419896")
	jsonRow[bool](t, codec.Boolean, "true")
	jsonRow[float32](t, codec.Float32, "233.1")
	jsonRow[float64](t, codec.Float64, "233.1")
	jsonRow[string](t, codec.String, `"Hello"`)
	jsonRow[string](t, codec.String, strconv.Quote(bench.ASCIIText))
	jsonRow[time.Time](t, codec.DateTime, `"2024-01-01T00:00:00Z"`)
	jsonRow[[]int32](t, codec.Int32Array, numbers(100))
}

func numbers(count int) string {
	var b bytes.Buffer
	for i := range count {
		_, _ = fmt.Fprintf(&b, ",%d", i*7919)
	}
	b.Bytes()[0] = '['
	return b.String() + "]"
}

func jsonRow[T any](t *table, kind codec.Type, value string) {
	src := bench.Request(kind, value)
	what := kind.String()
	if n := len(value); n > 60 {
		what += ", " + strconv.Itoa(n) + " bytes of value"
	}
	ours := must(bench.ParseJSON(src))
	t.row("P5", "JSON, "+what+", against encoding/json", ours, standard[T](src), 0.12)
	t.row("P5", "JSON, "+what+", against json/v2", ours, v2[T](src), 0.3)
}

func standard[T any](src string) plain.Loop {
	in := []byte(src)
	return func(n int) {
		for range n {
			var r request[T]
			if err := stdjson.Unmarshal(in, &r); err != nil {
				panic(err)
			}
		}
	}
}

func v2[T any](src string) plain.Loop {
	in := []byte(src)
	return func(n int) {
		for range n {
			var r request[T]
			if err := json.Unmarshal(in, &r); err != nil {
				panic(err)
			}
		}
	}
}
