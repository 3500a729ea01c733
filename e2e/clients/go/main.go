// Command mxrest-e2e does with the client that oapi-codegen generated what every client of this folder does, and prints
// what it got in the form that run.py compares.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"mxrest-e2e/mxrest"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func p[T any](v T) *T { return &v }

func main() {
	ctx := context.Background()
	c, err := mxrest.NewClientWithResponses(os.Args[1], mxrest.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+os.Getenv("MXREST_KEY"))
			return nil
		}))
	check(err)

	handle := &mxrest.Handle{GalaxyId: 1, PlatformId: 1, EngineId: 2, ObjectId: 5, Object: p("TestChildObject"),
		PrimitiveId: 2, AttributeId: 155, PropertyId: p[int32](10), Attribute: p("TestInt")}
	at := time.Date(2024, 1, 1, 0, 0, 0, 123_000_000, time.UTC)

	type named struct {
		name string
		fill func(*mxrest.Write) error
	}
	for _, n := range []named{
		{"Boolean", func(w *mxrest.Write) error {
			return w.FromBooleanWrite(mxrest.BooleanWrite{Handle: handle, Value: true})
		}},
		{"Int32", func(w *mxrest.Write) error {
			return w.FromInt32Write(mxrest.Int32Write{Handle: handle, Value: -5})
		}},
		{"Float32", func(w *mxrest.Write) error {
			f := mxrest.Float32Write{Handle: handle}
			check(f.Value.FromFloat32Number(0.1))
			return w.FromFloat32Write(f)
		}},
		{"Float64", func(w *mxrest.Write) error {
			f := mxrest.Float64Write{Handle: handle}
			check(f.Value.FromFloat64Number(0.1))
			return w.FromFloat64Write(f)
		}},
		{"Float64.NaN", func(w *mxrest.Write) error {
			f := mxrest.Float64Write{Handle: handle}
			check(f.Value.FromNonFinite(mxrest.NotANumber))
			return w.FromFloat64Write(f)
		}},
		{"String", func(w *mxrest.Write) error {
			return w.FromStringWrite(mxrest.StringWrite{Handle: handle, Value: "Grüße 😀"})
		}},
		{"DateTime", func(w *mxrest.Write) error {
			return w.FromDateTimeWrite(mxrest.DateTimeWrite{Handle: handle, Value: at})
		}},
		{"ElapsedTime", func(w *mxrest.Write) error {
			return w.FromElapsedTimeWrite(mxrest.ElapsedTimeWrite{Handle: handle, Value: 1500})
		}},
		{"InternationalizedString", func(w *mxrest.Write) error {
			return w.FromInternationalizedStringWrite(mxrest.InternationalizedStringWrite{Handle: handle, Value: "Hallo"})
		}},
		{"BooleanArray", func(w *mxrest.Write) error {
			return w.FromBooleanArrayWrite(mxrest.BooleanArrayWrite{Handle: handle, Value: []bool{true, false}})
		}},
		{"Int32Array", func(w *mxrest.Write) error {
			return w.FromInt32ArrayWrite(mxrest.Int32ArrayWrite{Handle: handle, Value: []int32{1, -2, 3}})
		}},
		{"Float32Array", func(w *mxrest.Write) error {
			f := mxrest.Float32ArrayWrite{Handle: handle, Value: make([]mxrest.Float32ArrayWrite_Value_Item, 2)}
			check(f.Value[0].FromFloat32Number(1.5))
			check(f.Value[1].FromNonFinite(mxrest.NotANumber))
			return w.FromFloat32ArrayWrite(f)
		}},
		{"Float64Array", func(w *mxrest.Write) error {
			f := mxrest.Float64ArrayWrite{Handle: handle, Value: make([]mxrest.Float64ArrayWrite_Value_Item, 2)}
			check(f.Value[0].FromFloat64Number(0.1))
			check(f.Value[1].FromNonFinite(mxrest.NegativeInfinity))
			return w.FromFloat64ArrayWrite(f)
		}},
		{"StringArray", func(w *mxrest.Write) error {
			return w.FromStringArrayWrite(mxrest.StringArrayWrite{Handle: handle, Value: []string{"one", "", "drei"}})
		}},
		{"DateTimeArray", func(w *mxrest.Write) error {
			return w.FromDateTimeArrayWrite(mxrest.DateTimeArrayWrite{Handle: handle, Value: []time.Time{
				time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)}})
		}},
		{"timestamped", func(w *mxrest.Write) error {
			return w.FromInt32Write(mxrest.Int32Write{Handle: handle, Value: 7, Timestamp: &at,
				ClientToken: p[int64](4294967295), WriteIndex: p[int32](-1)})
		}},
	} {
		var w mxrest.Write
		check(n.fill(&w))
		r, err := c.EncodeWriteWithResponse(ctx, w)
		check(err)
		fmt.Println("write."+n.name, hex.EncodeToString(r.Body))
	}

	item := func(id string, v int32, both bool) (w mxrest.Write) {
		i := mxrest.Int32Write{Id: &id, HandleBytes: p("010001000200050036d702009b000a003eda0000"), Value: v}
		if both {
			i.Handle = handle
		}
		check(w.FromInt32Write(i))
		return w
	}
	batch, err := c.EncodeBatchWithResponse(ctx, mxrest.WriteList{item("a", 1, false), item("b", 2, false), item("c", 3, false)})
	check(err)
	fmt.Println("batch", hex.EncodeToString(batch.Body))

	results, err := c.EncodeBatchResultsWithResponse(ctx, mxrest.WriteList{item("a", 1, false), item("b", 2, true), item("c", 3, false)})
	check(err)
	rs := results.JSON207
	fmt.Println("results", results.StatusCode(), rs.Count, rs.Succeeded, rs.Failed,
		*rs.Results[0].Base64, rs.Results[1].Status, (*rs.Results[1].Errors)[0].Pointer, *rs.Results[1].Id, *rs.Results[2].Base64)

	var one mxrest.Write
	check(one.FromInt32Write(mxrest.Int32Write{Handle: handle, Value: 305419896}))
	explained, err := c.ExplainWriteWithResponse(ctx, one)
	check(err)
	e := explained.JSON200
	fmt.Println("explain", e.Message, e.Length, e.Hex, e.Signatures.Object.Hex, len(e.Fields), e.Fields[0].Standing)

	decoded, err := c.DecodeTextWithResponse(ctx, mxrest.TextInput{Hex: &e.Hex, Attribute: p("TestInt")})
	check(err)
	d := decoded.JSON200
	back, err := d.Write.AsInt32Write()
	check(err)
	fmt.Println("decode", d.Message, d.Exact, back.Value, d.Names.Attribute.Matches)

	raw, err := hex.DecodeString(e.Hex)
	check(err)
	octets, err := c.DecodeWithBodyWithResponse(ctx, &mxrest.DecodeParams{}, "application/octet-stream", bytes.NewReader(raw))
	check(err)
	fmt.Println("decode.octets", octets.JSON200.Message, octets.JSON200.Exact)

	var bare mxrest.Write
	check(bare.FromInt32Write(mxrest.Int32Write{Value: 1}))
	failed, err := c.EncodeWriteWithResponse(ctx, bare)
	check(err)
	pr := failed.ApplicationproblemJSON422
	fmt.Println("error", failed.StatusCode(), pr.Status, strings.TrimPrefix(pr.Type, "urn:mxrest:problem:"), (*pr.Errors)[0].Pointer)
}
