package main

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"mxrest/internal/bench"
	"mxrest/internal/bench/plain"
	"mxrest/internal/codec"
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
	t.row("P5", "JSON, "+what+", against encoding/json", func() (ours, other plain.Loop) {
		return must(bench.ParseJSON(src)), plain.JSON[T](src)
	}, 0.12)
	t.row("P5", "JSON, "+what+", against json/v2", func() (ours, other plain.Loop) {
		return must(bench.ParseJSON(src)), plain.JSONv2[T](src)
	}, 0.3)
}
