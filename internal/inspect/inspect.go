// Package inspect shows a message body field by field, for people: what the explain and decode operations, the command line and
// the page print. It is never on the serving path of a write.
//
// One table (table.go) describes the fields of every message. Fields walks a body along it; docs/wire.md is generated from it.
package inspect

import (
	"bytes"
	"encoding/hex"
	"errors"

	"mxrest/internal/codec"
)

// Field is one field of a body. The fields of a body tile it: each begins where the one before ends.
type Field struct {
	Name   string `json:"name"`   // in the words of the wire format
	Path   string `json:"path"`   // place in the message, parts separated by dots: handle.objectId, value.3, records.0.quality
	Offset int    `json:"offset"` // bytes from the start of the body
	Length int    `json:"length"` // in bytes; 0 for the text of an empty string
	Hex    string `json:"hex"`    // the bytes, in memory order
	// Value is what the bytes say: a bool, a number, or a string (text, a GUID, hex, NaN and the infinities, every number of 64 bits).
	Value any `json:"value"`
	// Bits are a NaN's bits, most significant first, where they are not those that "NaN" is written as.
	Bits string `json:"bits,omitempty"`
	// Text is the value in words, where it has some: a time, the name of a kind.
	Text     string         `json:"text,omitempty"`
	Standing codec.Standing `json:"standing"`
	// How says how the value was worked out, or what is known of the field.
	How string `json:"how,omitempty"`
}

// Options are what the caller knows of a body beyond its bytes.
type Options struct {
	Object, Attribute string     // names to hold against the signatures; "" for none
	Type              codec.Type // what was written, where the bytes do not tell: ElapsedTime, InternationalizedString
}

// Report is a body, inspected.
type Report struct {
	Kind    codec.MessageKind // 0 when the body is no known message
	Message codec.Message     // aliases the body; whole only when Err is nil
	Fields  []Field
	// Err is nil, or the *codec.Error that says where and why reading stopped; Fields then are those before it.
	Err error
	// Exact tells whether encoding Message gives the body again. It always does; a test that it does is cheap.
	Exact bool
}

// Body inspects a body of any message. It never fails: what is wrong stands in Err.
func Body(l *codec.Layout, body []byte, o Options) *Report {
	rep := &Report{}
	rep.Err = l.Decode(&rep.Message, body)
	rep.Kind = rep.Message.Kind
	stop := len(body)
	if rep.Err != nil {
		stop = 0
		var e *codec.Error
		if errors.As(rep.Err, &e) && e.Offset > 0 {
			stop = e.Offset
		}
	} else if again, err := l.AppendMessage(make([]byte, 0, len(body)), &rep.Message); err == nil {
		rep.Exact = bytes.Equal(again, body)
	}
	if t := tableOf(rep.Kind); t != nil {
		w := newWalker(l, body, stop, o)
		w.message(t)
		rep.Fields = w.fields
	}
	return rep
}

// Fields inspects a write body that was just encoded, or any other that is known to be good.
func Fields(l *codec.Layout, body []byte, o Options) []Field { return Body(l, body, o).Fields }

// Handle inspects the 20 bytes of a reference handle.
func Handle(b []byte, o Options) []Field {
	w := newWalker(codec.DefaultLayout(), b, len(b), o)
	for i := range handleFields {
		w.leaf(&handleFields[i], handleFields[i].path, codec.Confirmed)
	}
	return w.fields
}

// Summary counts the bytes of each standing.
type Summary struct {
	Assumed bool  `json:"assumed"` // whether any byte is assumed
	Bytes   Bytes `json:"bytes"`
}

// Bytes is how many bytes there are of each standing.
type Bytes struct {
	Confirmed  int `json:"confirmed"`
	Derived    int `json:"derived"`
	Assumed    int `json:"assumed"`
	Configured int `json:"configured"`
	Learned    int `json:"learned"`
}

// Summarize counts the bytes of each standing.
func Summarize(fields []Field) (s Summary) {
	for i := range fields {
		n := fields[i].Length
		switch fields[i].Standing {
		case codec.Confirmed:
			s.Bytes.Confirmed += n
		case codec.Derived:
			s.Bytes.Derived += n
		case codec.Assumed:
			s.Bytes.Assumed += n
		case codec.Configured:
			s.Bytes.Configured += n
		case codec.Learned:
			s.Bytes.Learned += n
		}
	}
	s.Assumed = s.Bytes.Assumed > 0
	return s
}

// weakest is the standing of a field that hangs on several members: assumed before configured before learned.
func weakest(l *codec.Layout, members []codec.Member) codec.Standing {
	s := codec.Learned
	for _, m := range members {
		s = min(s, l.Standing[m])
	}
	return s
}

// hexOf is the body's hex, made once: every field's Hex is a part of it.
func hexOf(body []byte) string { return hex.EncodeToString(body) }
