package jsonin

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"mxrest/internal/codec"
)

// BenchmarkBatch compares a batch of 10,000 (P9 of the performance goals, without HTTP): ours with the bodies encoded, against
// reading all of it and encoding/json into structs without encoding, and against reading it for nothing.
func BenchmarkBatch(b *testing.B) {
	const n = 10_000
	for _, form := range []struct {
		name string
		form Form
	}{{"lines", Lines}, {"list", List}} {
		input := manyAttributes(n, form.form)
		report := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/write") }
		b.Run(form.name+"/jsonin", func(b *testing.B) {
			d := New(nil, Limits{})
			window, scratch, body := make([]byte, 0, 64<<10), []byte(nil), []byte(nil)
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				batch := d.Batch(bytes.NewReader(input), form.form, window, scratch)
				for {
					e, err := batch.Next()
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil || e.Err != nil {
						b.Fatal(err, e.Err)
					}
					if body, err = codec.AppendWrite(body[:0], &e.Write); err != nil {
						b.Fatal(err)
					}
				}
				window, scratch = batch.Buffers()
			}
			report(b)
		})
		b.Run(form.name+"/encodingjson", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				all, err := io.ReadAll(bytes.NewReader(input))
				if err != nil {
					b.Fatal(err)
				}
				if form.form == List {
					var list []structWrite[int32]
					if err := stdjson.Unmarshal(all, &list); err != nil {
						b.Fatal(err)
					}
					continue
				}
				for _, line := range bytes.Split(bytes.TrimSuffix(all, []byte("\n")), []byte("\n")) {
					var w structWrite[int32]
					if err := stdjson.Unmarshal(line, &w); err != nil {
						b.Fatal(err)
					}
				}
			}
			report(b)
		})
		b.Run(form.name+"/discard", func(b *testing.B) {
			for b.Loop() {
				if _, err := io.Copy(io.Discard, struct{ io.Reader }{bytes.NewReader(input)}); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
	}
}

// Arrays and text, of which a request may be almost all.
func BenchmarkWriteLarge(b *testing.B) {
	ints, floats, text := []byte(`[1`), []byte(`[0.5`), []byte(`"`)
	for i := range 1000 {
		ints = append(append(ints, ','), stdNumber(i*7919)...)
		floats = append(append(floats, ','), stdNumber(float64(i)*1.37)...)
		text = append(text, "The quick brown fox. "...)
	}
	for _, c := range []struct{ name, doc string }{
		{"Int32Array", typedWrite("Int32Array", string(ints)+"]")},
		{"Float64Array", typedWrite("Float64Array", string(floats)+"]")},
		{"Float32Array", typedWrite("Float32Array", string(floats)+"]")},
		{"String", typedWrite("String", string(text)+`"`)},
	} {
		src := []byte(c.doc)
		b.Run(c.name+"/jsonin", func(b *testing.B) {
			d := New(nil, Limits{})
			var w codec.Write
			var err error
			scratch := make([]byte, 0, 64<<10)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if scratch, err = d.Write(&w, src, scratch[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/encodingjson", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := unmarshalAs(c.name, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func stdNumber(v any) []byte {
	out, err := stdjson.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

func unmarshalAs(typ string, src []byte) error {
	switch typ {
	case "Int32Array":
		var w structWrite[[]int32]
		return stdjson.Unmarshal(src, &w)
	case "Float64Array":
		var w structWrite[[]float64]
		return stdjson.Unmarshal(src, &w)
	case "Float32Array":
		var w structWrite[[]float32]
		return stdjson.Unmarshal(src, &w)
	}
	var w structWrite[string]
	return stdjson.Unmarshal(src, &w)
}

// manyAttributes is a batch whose writes differ in names, numbers and value, also in length, so that nothing can be guessed from the one before.
func manyAttributes(n int, form Form) []byte {
	var items [][]byte
	for i := range uint32(n) {
		h := i * 2654435761
		items = append(items, fmt.Appendf(nil, `{"handle":{"galaxyId":1,"platformId":%d,"engineId":%d,"objectId":%d,"object":"Machine_%d","primitiveId":%d,"attributeId":%d,`+
			`"propertyId":10,"attribute":"TestInt%d"},"type":"Int32","value":%d}`, 1+h>>30, 2+h>>28, h>>(16+h&7), h>>(18+h&3), h>>29, h>>(21+h&3), h>>(20+h&7), i*7919%1000003))
	}
	if form == Lines {
		return append(bytes.Join(items, []byte("\n")), '\n')
	}
	return slices.Concat([]byte("["), bytes.Join(items, []byte(",\n")), []byte("]\n"))
}
