// Package codectest makes random layouts, writes and messages for property tests. Only tests import it.
package codectest

import (
	"math"

	"pgregory.net/rapid"

	"mxrest/internal/codec"
)

// Layout draws any layout that Validate takes.
func Layout() *rapid.Generator[*codec.Layout] {
	return rapid.Custom(func(t *rapid.T) *codec.Layout {
		l := codec.DefaultLayout()
		l.Command = rapid.Uint8().Filter(func(b uint8) bool {
			switch b {
			case 0, codec.OpAdvise, codec.OpUnadvise, codec.OpSuspend, codec.OpStatus, codec.OpDataUpdate:
				return false
			}
			return true
		}).Draw(t, "command")
		l.Version = rapid.Uint16().Draw(t, "version")
		copy(l.Kinds[:], rapid.SliceOfNDistinct(rapid.Uint8(), codec.NumKinds, codec.NumKinds, rapid.ID[uint8]).Draw(t, "kinds"))
		pair := rapid.SliceOfNDistinct(rapid.Uint8(), 2, 2, rapid.ID[uint8]).Draw(t, "boolean")
		l.BooleanTrue, l.BooleanFalse = pair[0], pair[1]
		l.BooleanElementWidth = rapid.SampledFrom([]uint8{1, 2, 4, 8}).Draw(t, "boolean element width")
		limit := uint64(math.MaxUint64) >> (64 - 8*l.BooleanElementWidth)
		elems := rapid.SliceOfNDistinct(rapid.Uint64Range(0, limit), 2, 2, rapid.ID[uint64]).Draw(t, "boolean elements")
		l.BooleanElementTrue, l.BooleanElementFalse = elems[0], elems[1]
		l.NormalTail = tail(t, "normal tail")
		l.TimestampedTail = tail(t, "timestamped tail")
		l.ArrayReservedWidth = rapid.Uint8Range(0, 8).Draw(t, "reserved width")
		l.ArrayElementWidthWidth = rapid.SampledFrom([]uint8{1, 2, 4, 8}).Draw(t, "element width width")
		limit = math.MaxUint32
		if l.ArrayElementWidthWidth < 4 {
			limit = 1<<(8*l.ArrayElementWidthWidth) - 1
		}
		l.StringElementWidth = uint32(rapid.Uint64Range(0, limit).Draw(t, "string element width"))
		if err := l.Validate(); err != nil {
			t.Fatalf("the generator made a layout that is not valid: %v", err)
		}
		return l
	})
}

func tail(t *rapid.T, label string) codec.TailOrder {
	p := rapid.Permutation([]codec.TailMember{codec.Discriminator, codec.FileTimeSlot, codec.ClientToken, codec.WriteIndex}).Draw(t, label)
	return codec.TailOrder(p)
}

// Handle draws a handle as a body carries it (no galaxy, platform and engine) whose index fits the type.
func Handle(t *rapid.T, typ codec.Type) codec.Handle {
	h := codec.Handle{
		ObjectID:           rapid.Uint16().Draw(t, "object id"),
		ObjectSignature:    rapid.Uint16().Draw(t, "object signature"),
		PrimitiveID:        rapid.Int16().Draw(t, "primitive id"),
		AttributeID:        rapid.Int16().Draw(t, "attribute id"),
		PropertyID:         rapid.Int16().Draw(t, "property id"),
		AttributeSignature: rapid.Uint16().Draw(t, "attribute signature"),
		AttributeIndex:     -1,
	}
	if !typ.IsArray() {
		h.AttributeIndex = rapid.Int16Range(0, math.MaxInt16).Draw(t, "attribute index")
	}
	return h
}

// Value draws a value of one of the fourteen types, text as UTF-8 or as UTF-16 with lone surrogates.
func Value(t *rapid.T, l *codec.Layout) codec.Value {
	typ := codec.Type(rapid.IntRange(1, codec.NumTypes).Draw(t, "type"))
	return ValueOf(t, l, typ)
}

// ValueOf draws a value of a type.
func ValueOf(t *rapid.T, l *codec.Layout, typ codec.Type) codec.Value {
	v := codec.Value{Type: typ}
	switch typ {
	case codec.Boolean:
		v.Bits = uint64(rapid.IntRange(0, 1).Draw(t, "boolean"))
	case codec.Int32, codec.Float32, codec.ElapsedTime:
		v.Bits = uint64(rapid.Uint32().Draw(t, "bits"))
	case codec.Float64, codec.DateTime:
		v.Bits = rapid.Uint64().Draw(t, "bits")
	case codec.String, codec.InternationalizedString:
		if v.UTF16 = rapid.Bool().Draw(t, "utf-16"); v.UTF16 {
			for range rapid.IntRange(0, 20).Draw(t, "units") {
				u := rapid.Uint16().Draw(t, "unit")
				v.Text = append(v.Text, byte(u), byte(u>>8))
			}
		} else {
			v.Text = []byte(rapid.String().Draw(t, "text"))
		}
	default:
		v.Count = rapid.IntRange(0, 20).Draw(t, "count")
		v.Elems = []byte{}
		for range v.Count {
			v.Elems = appendElem(t, l, v.Elems, typ)
		}
	}
	return v
}

func appendElem(t *rapid.T, l *codec.Layout, dst []byte, typ codec.Type) []byte {
	switch typ {
	case codec.BooleanArray:
		return l.AppendBooleanElem(dst, rapid.Bool().Draw(t, "element"))
	case codec.Int32Array, codec.Float32Array:
		return codec.AppendFloat32Elem(dst, rapid.Uint32().Draw(t, "element"))
	case codec.StringArray:
		dst, err := codec.AppendStringElem(dst, []byte(rapid.String().Draw(t, "element")))
		if err != nil {
			t.Fatalf("an element that rapid drew was refused: %v", err)
		}
		return dst
	}
	return codec.AppendFloat64Elem(dst, rapid.Uint64().Draw(t, "element"))
}

// Write draws a write.
func Write(t *rapid.T, l *codec.Layout) codec.Write {
	return WriteOf(t, l, Value(t, l))
}

// WriteOf draws a write of a value.
func WriteOf(t *rapid.T, _ *codec.Layout, v codec.Value) codec.Write {
	w := codec.Write{
		Handle:      Handle(t, v.Type),
		Value:       v,
		Timestamped: rapid.Bool().Draw(t, "timestamped"),
		ClientToken: rapid.Uint32().Draw(t, "client token"),
		WriteIndex:  rapid.Int32().Draw(t, "write index"),
	}
	if w.Timestamped {
		w.FileTime = rapid.Int64().Draw(t, "filetime")
	}
	return w
}

// Message draws the body of any message.
func Message(t *rapid.T, l *codec.Layout) []byte {
	guid := func(label string) (g codec.GUID) {
		copy(g[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, label))
		return g
	}
	var body []byte
	var err error
	switch kind := codec.MessageKind(rapid.IntRange(1, codec.NumMessages).Draw(t, "message")); kind {
	case codec.MessageWrite, codec.MessageTimestampedWrite:
		w := Write(t, l)
		w.Handle.AttributeIndex = rapid.Int16().Draw(t, "any index")
		body, err = l.AppendCapturedWrite(nil, &w)
	case codec.MessageAdvise, codec.MessageUnadvise:
		c := codec.ItemControl{Opcode: codec.OpUnadvise, ItemID: guid("item id"), Handle: Handle(t, codec.Int32), Tail: rapid.Uint32().Draw(t, "tail")}
		if kind == codec.MessageAdvise {
			c.Opcode, c.Extra = codec.OpAdvise, rapid.Uint16().Draw(t, "extra")
		}
		body, err = codec.AppendItemControl(nil, &c)
	case codec.MessageSubscriptionStatus, codec.MessageDataUpdate:
		opcode, item := uint8(codec.OpDataUpdate), codec.GUID{}
		if kind == codec.MessageSubscriptionStatus {
			opcode, item = codec.OpStatus, guid("item id")
		}
		var s codec.Subscription
		if s, err = l.NewSubscription(opcode, guid("operation id"), item, Records(t, l)); err == nil {
			body, err = l.AppendSubscription(nil, &s)
		}
	case codec.MessageOperationStatus:
		body = codec.AppendOperationStatus(nil, &codec.OperationStatus{Word: rapid.Uint16().Draw(t, "word"), Completion: rapid.Uint8().Draw(t, "completion")})
	case codec.MessageCompletion:
		body = []byte{rapid.SampledFrom([]byte{0x00, 0x41, 0xef}).Draw(t, "completion")}
		if body[0] == l.Command {
			body[0] = 0
		}
	case codec.MessageSuspend:
		s := codec.Suspend{ItemID: guid("item id"), AttributeID: rapid.Int16().Draw(t, "attribute id"), AttributeSignature: rapid.Uint16().Draw(t, "signature"), Tail: rapid.Uint32().Draw(t, "tail")}
		copy(s.Unknown[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "unknown"))
		body = codec.AppendSuspend(nil, &s)
	}
	if err != nil {
		t.Fatalf("a body that rapid drew was refused: %v", err)
	}
	return body
}

// Records draws one to four records of a subscription message.
func Records(t *rapid.T, l *codec.Layout) []codec.Record {
	all := make([]codec.Record, rapid.IntRange(1, 4).Draw(t, "records"))
	for i := range all {
		all[i] = codec.Record{
			Status:   codec.PackedStatus(rapid.Uint32().Draw(t, "status")),
			Detail:   codec.PackedStatus(rapid.Uint32().Draw(t, "detail status")),
			Quality:  codec.Quality(rapid.Uint16().Draw(t, "quality")),
			FileTime: rapid.Int64().Draw(t, "filetime"),
			Value:    Value(t, l),
		}
	}
	return all
}
