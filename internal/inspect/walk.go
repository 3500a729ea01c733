package inspect

import (
	"encoding/binary"
	"strconv"

	"mxrest/internal/codec"
)

// maxFields is how many fields a body is split into before the rest of an array or of a subscription's records is shown as one field, so that
// the answer stays within a small multiple of the body.
const maxFields = 4096

// walker emits fields along the table. It reads no further than stop, where decoding failed or the body ends; what lies before has been
// decoded, so lengths and counts there can be trusted.
type walker struct {
	l      *codec.Layout
	body   []byte
	hex    string
	off    int
	stop   int
	ended  bool // a field would reach beyond stop
	quiet  bool // advance without emitting
	o      Options
	fields []Field
}

func newWalker(l *codec.Layout, body []byte, stop int, o Options) *walker {
	return &walker{l: l, body: body, hex: hexOf(body), stop: stop, o: o, fields: make([]Field, 0, 16)}
}

// message walks a whole body.
func (w *walker) message(m *message) {
	for i := range m.fields {
		f := &m.fields[i]
		switch f.group {
		case single:
			if f.form == kindByte {
				w.kind("")
			} else {
				w.leaf(f, f.path, w.standing(f))
			}
		case projection:
			w.projection(f)
		case value:
			w.value(codec.Kind(0), f.path, true)
		case tail:
			w.tail(m.kind == codec.MessageTimestampedWrite)
		case records:
			w.records(m.kind == codec.MessageSubscriptionStatus)
		}
	}
}

// standing is a field's own, or the layout's where it hangs on members of it.
func (w *walker) standing(f *field) codec.Standing {
	if len(f.members) > 0 {
		return weakest(w.l, f.members)
	}
	return f.standing
}

// take moves on by n bytes and gives where they begin; false when they reach beyond stop.
func (w *walker) take(n int) (at int, ok bool) {
	if w.ended || n < 0 || n > w.stop-w.off {
		w.ended = true
		return 0, false
	}
	at = w.off
	w.off += n
	return at, true
}

// emit adds a field of n bytes; show fills in what they say.
func (w *walker) emit(name, path string, n int, s codec.Standing, show func(*Field, []byte)) bool {
	at, ok := w.take(n)
	if !ok || w.quiet {
		return ok
	}
	f := Field{Name: name, Path: path, Offset: at, Length: n, Hex: w.hex[2*at : 2*(at+n)], Standing: s}
	if show != nil {
		show(&f, w.body[at:at+n])
	}
	switch f.Standing {
	case codec.Configured:
		f.How += ", and a layout file gives it"
	case codec.Learned:
		f.How += ", and was learned from captures"
	}
	w.fields = append(w.fields, f)
	return true
}

// leaf emits a field of fixed size.
func (w *walker) leaf(f *field, path string, s codec.Standing) bool {
	return w.emit(f.name, path, f.size, s, func(out *Field, b []byte) {
		out.How = f.about
		w.show(out, f.form, b)
	})
}

// projection emits the 14 bytes of a handle.
func (w *walker) projection(f *field) {
	for i := range projectionFields {
		p := &projectionFields[i]
		w.leaf(p, f.path+"."+p.path, f.standing)
	}
}

// kind emits the kind byte and gives the kind.
func (w *walker) kind(prefix string) (k codec.Kind, ok bool) {
	if w.ended || w.off >= w.stop {
		w.ended = true
		return 0, false
	}
	if k, ok = w.l.KindOf(w.body[w.off]); !ok {
		w.ended = true
		return 0, false
	}
	f := &kindField
	w.leaf(f, prefix+f.path, w.l.Standing[codec.MemberKind0+codec.Member(k)])
	return k, true
}

// value emits a value; in a write its kind is the byte before it.
func (w *walker) value(k codec.Kind, path string, kindBefore bool) {
	if w.ended {
		return
	}
	if kindBefore {
		k, _ = w.l.KindOf(w.body[w.off-1])
	}
	switch {
	case k >= codec.KindBooleanArray:
		w.array(k, path)
	case k == codec.KindString:
		w.text(valueFields[k], path+".")
	default:
		w.scalar(&valueFields[k][0], path)
	}
}

// scalar emits a value or an element of fixed size.
func (w *walker) scalar(f *field, path string) {
	s := f.standing
	size := f.size
	switch f.form {
	case boolean:
		s = w.booleanStanding(codec.MemberBooleanTrue, codec.MemberBooleanFalse, 1, uint64(w.l.BooleanTrue))
	case boolElem:
		size = int(w.l.BooleanElementWidth)
		s = w.booleanStanding(codec.MemberBooleanElementTrue, codec.MemberBooleanElementFalse, size, w.l.BooleanElementTrue)
	}
	w.emit(f.name, path, size, s, func(out *Field, b []byte) {
		out.How = f.about
		w.show(out, f.form, b)
		if path == "value" && w.o.Type == codec.ElapsedTime {
			out.How = "milliseconds (assumed), written as Int32 (confirmed)"
			out.Standing = codec.Assumed
		}
	})
}

// booleanStanding is that of true's bytes or of false's, whichever stands there.
func (w *walker) booleanStanding(yes, no codec.Member, width int, trueBytes uint64) codec.Standing {
	if w.off+width <= w.stop && uintOf(w.body[w.off:w.off+width]) == trueBytes {
		return w.l.Standing[yes]
	}
	return w.l.Standing[no]
}

// text emits the lengths, the text and the terminator of a String, or of an element: fields says which lengths there are.
func (w *walker) text(fields []field, prefix string) {
	n := 0
	for i := range fields {
		f := &fields[i]
		if f.form != text {
			if w.leaf(f, prefix+f.path, f.standing) && f.path == "byteLength" {
				n = int(binary.LittleEndian.Uint32(w.body[w.off-4:])) - 2
			}
			continue
		}
		w.emit(f.name, prefix+f.path, n, f.standing, func(out *Field, b []byte) {
			out.How = f.about
			if w.o.Type == codec.InternationalizedString {
				out.How = "UTF-16LE; an InternationalizedString is written as String (confirmed)"
			}
			w.show(out, text, b)
		})
	}
}

// array emits the header and the elements.
func (w *walker) array(k codec.Kind, path string) {
	if reserved := &headerFields[0]; w.l.ArrayReservedWidth > 0 {
		w.emit(reserved.name, path+"."+reserved.path, int(w.l.ArrayReservedWidth), w.standing(reserved), w.shower(reserved))
	}
	count := 0
	if w.leaf(&headerFields[1], path+"."+headerFields[1].path, headerFields[1].standing) {
		count = int(binary.LittleEndian.Uint16(w.body[w.off-2:]))
	}
	width := headerFields[2]
	if k == codec.KindStringArray {
		width.members = []codec.Member{codec.MemberArrayElementWidthWidth, codec.MemberStringElementWidth}
	}
	w.emit(width.name, path+"."+width.path, int(w.l.ArrayElementWidthWidth), w.standing(&width), w.shower(&width))

	element := elemFields[k-codec.KindBooleanArray]
	one := func(i int) {
		p := path + "." + strconv.Itoa(i)
		if k == codec.KindStringArray {
			w.text(element, p+".")
		} else {
			w.scalar(&element[0], p)
		}
	}
	for i := 0; i < count && !w.ended; i++ {
		if len(w.fields) >= maxFields && i < count-1 {
			s := codec.Assumed
			if k == codec.KindBooleanArray {
				s = weakest(w.l, []codec.Member{codec.MemberBooleanElementTrue, codec.MemberBooleanElementFalse})
			}
			w.rest("elements", path, i, count, s, one)
			return
		}
		one(i)
	}
}

// rest emits the elements or records from i to count-1 as one field.
func (w *walker) rest(what, path string, i, count int, s codec.Standing, one func(int)) {
	start, was := w.off, w.quiet
	w.quiet = true
	for n := i; n < count && !w.ended; n++ {
		one(n)
	}
	if w.quiet = was; w.ended || was {
		return
	}
	n := w.off - start
	w.off = start
	span := strconv.Itoa(i) + "-" + strconv.Itoa(count-1)
	w.emit(what+" "+span, path+"."+span, n, s, func(out *Field, _ []byte) {
		out.Value = strconv.Itoa(count-i) + " more"
		out.How = "shown as one, since the fields before it are many"
	})
}

// shower is leaf's way of showing, for fields whose size is the layout's.
func (w *walker) shower(f *field) func(*Field, []byte) {
	return func(out *Field, b []byte) {
		out.How = f.about
		w.show(out, f.form, b)
	}
}

// tail emits the tail's members in the order of the form that the body has. Where the two forms' orders differ and the body broke off, the form
// is not known; only what both have in common is shown.
func (w *walker) tail(timestamped bool) {
	order, m := w.l.NormalTail, codec.MemberNormalTail
	if timestamped {
		order, m = w.l.TimestampedTail, codec.MemberTimestampedTail
	}
	known := w.stop-w.off >= codec.TailSize
	start := w.off
	for i, member := range order {
		if !known && (member != w.l.TimestampedTail[i] || member != w.l.NormalTail[i]) {
			w.ended = true
		}
		f := &tailFields[member]
		w.emit(f.name, f.path, member.Size(), w.l.Standing[m], func(out *Field, b []byte) {
			out.How = f.about
			w.show(out, f.form, b)
			if member == codec.FileTimeSlot && !timestamped {
				out.Text = ""
			}
			if known && member == codec.Discriminator && w.l.AmbiguousTail(w.body[start:start+codec.TailSize]) {
				out.How += "; in this layout the tail could also be read as a timestamped one"
			}
		})
	}
}

// records emits a subscription's records.
func (w *walker) records(detail bool) {
	if w.ended {
		return
	}
	count := int(int32(binary.LittleEndian.Uint32(w.body[3:])))
	one := func(i int) { w.record("records."+strconv.Itoa(i)+".", detail) }
	for i := 0; i < count && !w.ended; i++ {
		if len(w.fields) >= maxFields && i < count-1 {
			w.rest("records", "records", i, count, codec.Assumed, one)
			return
		}
		one(i)
	}
}

// record emits one record.
func (w *walker) record(prefix string, detail bool) {
	for i := range recordFields {
		f := &recordFields[i]
		switch {
		case i == detailStatusField && !detail:
		case f.form == kindByte:
			k, ok := w.kind(prefix)
			if !ok {
				return
			}
			w.value(k, prefix+"value", false)
			return
		case i == 0 && !detail:
			w.leaf(f, prefix+f.path, codec.Derived)
		default:
			w.leaf(f, prefix+f.path, f.standing)
		}
	}
}
