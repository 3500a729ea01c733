package inspect

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"mxrest/internal/codec"
)

//go:generate go run ./wiredoc ../../docs/wire.md

// WireDoc is docs/wire.md: the bytes explained for a reader, from the same table, the same layout and the same decoder as everything else here.
func WireDoc() []byte {
	d := &doc{layout: codec.DefaultLayout()}
	d.intro()
	d.handle()
	d.signatures()
	d.messages()
	d.values()
	d.status()
	d.layoutMembers()
	return d.b.Bytes()
}

type doc struct {
	b      bytes.Buffer
	layout *codec.Layout
}

func (d *doc) line(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

// table begins a table.
func (d *doc) table(heads ...string) {
	d.line("")
	d.line("| %s |", strings.Join(heads, " | "))
	d.line("|%s", strings.Repeat("---|", len(heads)))
}

func (d *doc) row(cells ...string) { d.line("| %s |", strings.Join(cells, " | ")) }

func (d *doc) intro() {
	d.line("<!-- Written by `make generate` from internal/inspect/table.go and the codec; change those, not this file. -->")
	d.line("# The bytes")
	d.line("")
	d.line("What mxrest encodes and decodes: the message bodies that MXAccess clients of AVEVA System Platform (Wonderware) exchange over NMX.")
	d.line("There is no public specification. What is known comes from the public `mxaccess` project, whose pages state some layouts outright, some")
	d.line("only by their sizes, and some not at all. So every field carries its standing, here as in every answer of the service:")
	d.table("standing", "means")
	d.row("confirmed", "stated by the source, or seen in captured bytes and recomputed")
	d.row("derived", "follows by arithmetic from confirmed facts")
	d.row("assumed", "our own choice where nothing decides; **it may be wrong on a real plant**")
	d.row("configured", "an assumed value that a layout file replaced (`--layout FILE`)")
	d.row("learned", "an assumed value that captured bodies settled (`mxrest learn`, `POST /v1/layout/learn`)")
	d.line("")
	d.line("Integers are little-endian. Offsets and sizes are in bytes. Text is UTF-16LE. A GUID is in .NET's byte order: the first three groups")
	d.line("little-endian, the last eight bytes as written. A FILETIME is an i64 count of 100 ns since 1601-01-01T00:00:00Z.")
	d.line("")
	d.line("Not known, and so not built: the 46-byte transfer envelope, secured writes, metadata queries, reference registration.")
}

// base is the example that the page keeps coming back to: an Int32 write to TestChildObject.TestInt.
var base = codec.Handle{GalaxyID: 1, PlatformID: 1, EngineID: 2, ObjectID: 5, ObjectSignature: 0xd736,
	PrimitiveID: 2, AttributeID: 155, PropertyID: 10, AttributeSignature: 0xda3e}

func (d *doc) handle() {
	d.line("\n## Reference handle, %d bytes", codec.HandleSize)
	d.line("")
	d.line("Which attribute of which object. A message carries its last %d bytes, the **projection**: object id to attribute index.", codec.ProjectionSize)
	d.fields(handleFields, codec.Confirmed)
	d.line("")
	d.line("Example (ids invented), for TestChildObject.TestInt:")
	d.dump(Handle(codec.AppendHandle(nil, &base), Options{Object: "TestChildObject", Attribute: "TestInt"}))
}

func (d *doc) signatures() {
	d.line("\n## Name signature (confirmed)")
	d.line("")
	d.line("CRC-16/ARC (reflected polynomial 0xA001, initial value 0, no final xor) over the UTF-16LE bytes of the lower-cased name. Casing follows .NET's")
	d.line("invariant culture: one code point at a time, never by locale; `İ` (U+0130) stays as it is. Names are not normalised, and an empty one is refused.")
	d.line("A name cannot be worked out from its signature; give the name, and mxrest says whether it matches.")
	d.table("name", "lower-cased", "signature")
	for _, name := range []string{"ScanState", "TestChildObject", "TestInt", "TestMachine_001", "Ünit_7", "İLK", "ΑΣ"} {
		sig, err := codec.Signature([]byte(name))
		if err != nil {
			panic(err) // the list above is wrong
		}
		d.row(name, string(codec.LowerName(nil, []byte(name))), fmt.Sprintf("0x%04x", sig))
	}
}

func (d *doc) messages() {
	d.line("\n## Messages")
	d.line("")
	d.line("A body is named by its first byte and its length, by these rules in this order:")
	d.line("")
	d.line("1. The layout's command (0x%02x), 0x%02x, 0x%02x, 0x%02x, 0x%02x or 0x%02x first: that message, whatever the length. So a write that was cut to one byte is a broken write and no completion code.",
		d.layout.Command, codec.OpAdvise, codec.OpUnadvise, codec.OpSuspend, codec.OpStatus, codec.OpDataUpdate)
	d.line("2. One byte: a completion code. So `00` alone is a completion code and no broken operation status.")
	d.line("3. `00` first: an operation status.")
	d.line("")
	d.line("Anything else is refused, and so are trailing bytes, a wrong version, an unknown kind, and a length or count that the bytes left cannot hold: with the offset, and the fields read so far.")
	d.line("What was decoded encodes to the same bytes again.")
	for i := range messages {
		m := &messages[i]
		d.line("\n### %s", m.title)
		d.line("")
		d.line("In answers: `%s`. %s", m.kind, m.about)
		d.fields(m.fields, 0)
		switch m.kind {
		case codec.MessageWrite:
			d.tail(d.layout.NormalTail)
			d.example(&codec.Write{Handle: base, Value: codec.Value{Type: codec.Int32, Bits: 305419896}, ClientToken: 7, WriteIndex: 1})
		case codec.MessageTimestampedWrite:
			d.tail(d.layout.TimestampedTail)
			d.line("")
			d.line("Where a layout puts the discriminator of the two forms in different places, a tail can fit both. Then it is read as a normal one, whose ten fixed bytes say more.")
		case codec.MessageDataUpdate:
			d.line("\n#### Record")
			d.fields(recordFields, 0)
		}
	}
}

// fields lists fields with their offsets, as far as those are fixed. A standing other than 0 holds for all of them.
func (d *doc) fields(fields []field, standing codec.Standing) {
	d.table("offset", "size", "field", "in answers", "standing", "")
	off, fixed := 0, true
	for i := range fields {
		f := &fields[i]
		size, at := fmt.Sprint(f.size), fmt.Sprint(off)
		if !fixed {
			at = ""
		}
		s := f.standing
		if standing != 0 {
			s = standing
		}
		switch f.group {
		case projection:
			off += codec.ProjectionSize
			size = fmt.Sprint(codec.ProjectionSize)
		case tail:
			size = fmt.Sprint(codec.TailSize)
			s = codec.Assumed
		case single:
			off += f.size
			if f.size == 0 {
				size, fixed = "n", false
			}
		default:
			size, fixed = "n", false
		}
		word := s.String()
		if f.group == value || f.group == records {
			word = "see below"
		}
		d.row(at, size, f.name, "`"+f.path+"`", word, f.about)
	}
}

// tail lists the tail's members in an order.
func (d *doc) tail(order codec.TailOrder) {
	d.line("")
	d.line("The tail, in the default layout's order:")
	d.table("offset in the tail", "size", "member", "in answers", "standing", "")
	off := 0
	for _, m := range order {
		f := &tailFields[m]
		d.row(fmt.Sprint(off), fmt.Sprint(m.Size()), f.name, "`"+f.path+"`", "assumed", f.about)
		off += m.Size()
	}
}

// example shows a write, field by field.
func (d *doc) example(w *codec.Write) {
	body, err := d.layout.EncodeWrite(w)
	if err != nil {
		panic(err) // the example is wrong
	}
	d.line("")
	d.line("Example, %d bytes: `%s`", len(body), hex.EncodeToString(body))
	d.dump(Fields(d.layout, body, Options{Object: "TestChildObject", Attribute: "TestInt"}))
}

// dump shows fields as a block.
func (d *doc) dump(fields []Field) {
	d.line("\n```")
	for _, f := range fields {
		text := fmt.Sprint(f.Value)
		if f.Text != "" {
			text += " (" + f.Text + ")"
		}
		d.line("%4d  %-16s  %-20s %-28s %s", f.Offset, f.Hex, f.Name, text, f.Standing)
	}
	d.line("```")
}

func (d *doc) values() {
	d.line("\n## Values")
	d.line("")
	d.line("That there are these twelve kinds is confirmed; their numbers are assumed. ElapsedTime is written as Int32 and InternationalizedString as String (both confirmed), and neither has an array form (confirmed).")
	d.table("kind", "scalar", "array")
	for k := range codec.KindBooleanArray {
		d.row(k.String(), fmt.Sprintf("0x%02x", d.layout.Kinds[k]), fmt.Sprintf("0x%02x", d.layout.Kinds[k+codec.KindBooleanArray]))
	}
	for k, fields := range valueFields {
		d.line("\n### %s", codec.Kind(k))
		d.valueFields(fields)
		switch codec.Kind(k) {
		case codec.KindBoolean:
			d.line("\nTrue is `%02x`, false `%02x`; any other byte is refused.", d.layout.BooleanTrue, d.layout.BooleanFalse)
		case codec.KindFloat32:
			d.line("\n\"NaN\" is written as .NET writes it, `0000c0ff` (derived). A NaN with other bits keeps them: answers and requests carry them in `bits`.")
		case codec.KindFloat64:
			d.line("\n\"NaN\" is written as .NET writes it, `000000000000f8ff` (derived). A NaN with other bits keeps them: answers and requests carry them in `bits`.")
		case codec.KindString:
			body, err := d.layout.AppendValue(nil, &codec.Value{Type: codec.String, Text: []byte("Hello")})
			if err != nil {
				panic(err) // the example is wrong
			}
			d.line("\n\"Hello\" is `%s`. Text may hold U+0000; what JSON cannot say (a lone surrogate) decodes to its bytes and a reason.", hex.EncodeToString(body))
		}
	}
	d.line("\n### Arrays")
	d.line("")
	d.line("A header of %d bytes in the default layout, then the elements. A handle that names a whole array has attribute index -1.", d.layout.HeaderSize())
	d.valueFields(headerFields)
	for k, fields := range elemFields {
		d.line("\nElements of %s:", codec.Kind(k)+codec.KindBooleanArray)
		d.valueFields(fields)
	}
	d.line("\nTrue is `%x` and false `%04x` in an array of the default layout.", d.layout.BooleanElementTrue, d.layout.BooleanElementFalse)
}

// valueFields lists the parts of a value; sizes that are the layout's are those of the default layout.
func (d *doc) valueFields(fields []field) {
	d.table("size", "part", "standing", "")
	for i := range fields {
		f := &fields[i]
		size := fmt.Sprint(f.size)
		switch {
		case f.form == text:
			size = "n"
		case f.form == boolElem:
			size = fmt.Sprint(d.layout.BooleanElementWidth)
		case f.path == "reserved":
			size = fmt.Sprint(d.layout.ArrayReservedWidth)
		case f.path == "elementWidth":
			size = fmt.Sprint(d.layout.ArrayElementWidthWidth)
		}
		d.row(size, f.name, f.standing.String(), f.about)
	}
}

func (d *doc) status() {
	d.line("\n## Packed status, 4 bytes (confirmed)")
	d.line("")
	d.line("Bit 31: success. Bits 27 to 24: category. Bits 23 to 20: detected by. Bits 15 to 0: detail, an i16. The others are reserved. Numbers without a name are shown as numbers.")
	d.table("number", "category", "detected by", "detail")
	for n := range uint32(9) {
		detectedBy := codec.PackedStatus(n << 20).DetectedByName()
		if n > 5 {
			detectedBy = ""
		}
		d.row(fmt.Sprint(n), codec.PackedStatus(n<<24).CategoryName(), detectedBy, codec.PackedStatus(n).DetailName())
	}
	s := codec.PackedStatus(0x040003eb)
	d.line("\n`eb030004` is %s.", packedText(s))
	d.line("\n## Quality, 2 bytes (confirmed)")
	d.line("")
	d.line("The low byte is OPC DA's `QQSSSSLL`: quality, substatus, limit.")
	d.table("low byte", "reads")
	for _, q := range []codec.Quality{0xc0, 0xd8, 0x40, 0x00, 0xc3} {
		d.row(fmt.Sprintf("0x%02x", uint16(q)), q.String())
	}
}

func (d *doc) layoutMembers() {
	d.line("\n## The layout")
	d.line("")
	d.line("Every assumed number of the write body, and what it is by default. A JSON file replaces any of them (`mxrest serve --layout FILE`); `GET /v1/layout` shows those in force.")
	d.line("A captured body can be used as it is with `POST /v1/replay` or `mxrest replay`, which keep all bytes but the value's.")
	d.table("member", "default", "standing", "")
	for _, m := range d.layout.Members() {
		d.row("`"+m.Name+"`", m.Value, m.Standing.String(), m.About)
	}
}
