package bench

import (
	"fmt"
	"math"
	"strings"

	"mxrest/internal/bench/plain"
	"mxrest/internal/codec"
	"mxrest/internal/pool"
)

// handle is the handle of the wire format's example.
var handle = codec.Handle{
	GalaxyID: 1, PlatformID: 1, EngineID: 2, ObjectID: 5, ObjectSignature: 0xd736,
	PrimitiveID: 2, AttributeID: 155, PropertyID: 10, AttributeSignature: 0xda3e,
}

// The texts of more than five characters: 120 ASCII letters, and a text as a European plant may write it.
var (
	ASCIIText = strings.Repeat("Valve 17 is open. No alarm now", 4)
	MixedText = strings.Repeat("Größe 10 µm – Öl 80 °C, Füllstand 😀 ", 4)
)

// elements is the length of the arrays in the rows.
const elements = 100

func scalar(t codec.Type, bits uint64) codec.Write {
	return codec.Write{Handle: handle, Value: codec.Value{Type: t, Bits: bits}}
}

func text(t codec.Type, s string) codec.Write {
	return codec.Write{Handle: handle, Value: codec.Value{Type: t, Text: []byte(s)}}
}

var (
	int32Write = scalar(codec.Int32, 305419896)
	fileTime   = int64(133485408000000000) // 2024-01-01T00:00:00Z
)

// ArrayWrite is a whole array of count elements of a fixed width, and the bytes it is made of.
func ArrayWrite(t codec.Type, count int) (codec.Write, []byte) {
	elems := make([]byte, count*codec.DefaultLayout().ElemWidth(t))
	for i := range elems {
		elems[i] = byte(i * 7)
	}
	if t == codec.BooleanArray {
		clear(elems)
	}
	return wholeArray(t, count, elems), elems
}

func wholeArray(t codec.Type, count int, elems []byte) codec.Write {
	h := handle
	h.AttributeIndex = -1
	return codec.Write{Handle: h, Value: codec.Value{Type: t, Count: count, Elems: elems}}
}

func stringArray(count int) codec.Write {
	var elems []byte
	for i := range count {
		elems, _ = codec.AppendStringElem(elems, fmt.Appendf(nil, "Element %d", i)) // valid UTF-8 does not fail
	}
	return wholeArray(codec.StringArray, count, elems)
}

// The sinks keep what the loops make, so that the compiler keeps the work.
var (
	sink          []byte
	sinkSignature uint16
)

// Encode appends w's body to a slice with room.
func Encode(w codec.Write) func(n int) error {
	dst := make([]byte, 0, codec.SizeWrite(&w))
	return func(n int) (err error) {
		dst, w := dst, w
		for range n {
			if dst, err = codec.AppendWrite(dst[:0], &w); err != nil {
				return err
			}
		}
		sink = dst
		return nil
	}
}

// EncodeNames computes both signatures of names not seen before and appends the body of an Int32.
func EncodeNames(list *plain.Names) func(n int) error {
	dst := make([]byte, 0, 64)
	return func(n int) (err error) {
		dst, w := dst, int32Write
		for i := range n {
			pair := &list[i%len(list)]
			if w.Handle.ObjectSignature, err = codec.Signature(pair[0]); err != nil {
				return err
			}
			if w.Handle.AttributeSignature, err = codec.Signature(pair[1]); err != nil {
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

// Signatures computes both signatures of names not seen before, and nothing else.
func Signatures(list *plain.Names) func(n int) error {
	return func(n int) error {
		var all uint16
		for i := range n {
			pair := &list[i%len(list)]
			object, err := codec.Signature(pair[0])
			if err != nil {
				return err
			}
			attribute, err := codec.Signature(pair[1])
			if err != nil {
				return err
			}
			all ^= object ^ attribute
		}
		sinkSignature = all
		return nil
	}
}

// encodeFresh makes a new slice for every body.
func encodeFresh(w codec.Write) func(n int) error {
	return func(n int) (err error) {
		for range n {
			if sink, err = codec.EncodeWrite(&w); err != nil {
				return err
			}
		}
		sink = nil // so that the last one is freed like the others
		return nil
	}
}

// encodePooled borrows a buffer of the pool for every body.
func encodePooled(w codec.Write) func(n int) error {
	return func(n int) (err error) {
		for range n {
			b := pool.Get()
			if b.Out, err = codec.AppendWrite(b.Out, &w); err != nil {
				return err
			}
			b.Put()
		}
		return nil
	}
}

// encodePut fills a slice of just the size.
func encodePut(w codec.Write) func(n int) error {
	dst := make([]byte, codec.SizeWrite(&w))
	return func(n int) error {
		w := w
		for range n {
			if _, err := codec.PutWrite(dst, &w); err != nil {
				return err
			}
		}
		return nil
	}
}

// handleFromNames computes both signatures and appends the 20 bytes.
func handleFromNames(list *plain.Names) func(n int) error {
	dst := make([]byte, 0, codec.HandleSize)
	return func(n int) (err error) {
		dst, h := dst, handle
		for i := range n {
			pair := &list[i%len(list)]
			if h.ObjectSignature, err = codec.Signature(pair[0]); err != nil {
				return err
			}
			if h.AttributeSignature, err = codec.Signature(pair[1]); err != nil {
				return err
			}
			dst = codec.AppendHandle(dst[:0], &h)
		}
		sink = dst
		return nil
	}
}

func ref(allocs, bytes float64) *Reference { return &Reference{Allocs: allocs, Bytes: bytes} }

// referenceRows are the reference's, in its order.
func referenceRows() []Scenario {
	encode := func(name, includes string, loop func(int) error, r *Reference) Scenario {
		return Scenario{Name: name, Includes: includes, Write: true, Reference: r, Loop: loop}
	}
	const (
		appends = "a body appended to a slice with room; the signatures are known"
		borrows = "a buffer borrowed from the pool, a body appended, the buffer given back"
	)
	fresh := encode("encode Int32, fresh buffer", "a body in a new slice of just its length: one allocation, which the caller keeps", encodeFresh(int32Write), ref(2, 44))
	fresh.Allocs = 1
	return []Scenario{
		encode("encode Int32", appends, Encode(int32Write), ref(2, 44)),
		encode("encode Float32", appends, Encode(scalar(codec.Float32, uint64(math.Float32bits(233.1)))), ref(2, 44)),
		encode("encode Float64", appends, Encode(scalar(codec.Float64, math.Float64bits(233.1))), ref(2, 52)),
		encode("encode Boolean", appends, Encode(scalar(codec.Boolean, 1)), ref(1, 37)),
		encode("encode String, 5 characters", appends+"; UTF-8 turned into UTF-16", Encode(text(codec.String, "Hello")), ref(4, 92)),
		fresh,
		encode("encode Int32, pooled buffer", borrows, encodePooled(int32Write), ref(1, 4)),
		encode("encode Boolean, pooled buffer", borrows, encodePooled(scalar(codec.Boolean, 1)), ref(0, 0)),
		{Name: "handle from names, cold", Includes: "two signatures of names not seen before, and the 20 bytes; there is no cache, so that no name is ever warm", Reference: ref(2, 22), Loop: handleFromNames(plain.MakeNames())},
		{Name: "parse data update, one Int32", Includes: "a 0x33 body checked to its end, and its record read", Reference: ref(1, 72), Loop: decodeSubscription(dataUpdate())},
		{Name: "decode handle", Includes: "20 bytes to ids and signatures", Loop: decodeHandle()},
	}
}

// encodeRows are every other type and form of a write.
func encodeRows() []Scenario {
	var rows []Scenario
	add := func(name, includes string, loop func(int) error) {
		rows = append(rows, Scenario{Name: name, Includes: includes, Write: true, Loop: loop})
	}
	const appends = "a body appended to a slice with room"
	add("encode DateTime", appends, Encode(scalar(codec.DateTime, uint64(fileTime))))
	add("encode ElapsedTime", appends, Encode(scalar(codec.ElapsedTime, 1500)))
	add("encode InternationalizedString, 5 characters", appends, Encode(text(codec.InternationalizedString, "Größe")))
	add("encode String, 120 ASCII letters", appends, Encode(text(codec.String, ASCIIText)))
	add("encode String, mixed text", fmt.Sprintf("%s; %d code points of one to four bytes", appends, len([]rune(MixedText))), Encode(text(codec.String, MixedText)))
	for _, t := range []codec.Type{codec.BooleanArray, codec.Int32Array, codec.Float32Array, codec.Float64Array, codec.DateTimeArray} {
		w, _ := ArrayWrite(t, elements)
		add(fmt.Sprintf("encode %v, %d elements", t, elements), appends+"; the elements are in wire form", Encode(w))
	}
	add(fmt.Sprintf("encode %v, %d elements", codec.StringArray, elements), appends+"; the elements are in wire form", Encode(stringArray(elements)))
	add("make elements, 100 strings", "UTF-8 texts turned into the elements of a StringArray", makeStrings(elements))
	timestamped := int32Write
	timestamped.Timestamped, timestamped.FileTime = true, fileTime
	add("encode Int32, timestamped", appends+", with a FILETIME in its tail", Encode(timestamped))
	add("encode Int32, slice of its size", "a slice of just the size filled", encodePut(int32Write))
	add("encode Int32 from names", "two signatures of names not seen before, and the body", EncodeNames(plain.MakeNames()))
	return rows
}

// makeStrings appends count elements of a StringArray.
func makeStrings(count int) func(n int) error {
	texts := make([][]byte, count)
	for i := range texts {
		texts[i] = fmt.Appendf(nil, "Element %d", i)
	}
	dst := make([]byte, 0, 64*count)
	return func(n int) (err error) {
		dst := dst
		for range n {
			dst = dst[:0]
			for _, s := range texts {
				if dst, err = codec.AppendStringElem(dst, s); err != nil {
					return err
				}
			}
		}
		sink = dst
		return nil
	}
}
