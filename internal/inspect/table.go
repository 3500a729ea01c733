package inspect

import "mxrest/internal/codec"

// form says how a field's bytes are read.
type form uint8

const (
	number    form = iota // unsigned, little-endian
	signed                // signed, little-endian
	code                  // unsigned; shown in hex beside the number
	signature             // a name's CRC
	guid
	kindByte // the value kind
	ticks    // FILETIME
	packed   // packed status
	quality
	boolean
	boolElem
	float
	text
	opaque // no number and no text: shown as hex
)

// group stands in a message's list of fields for a run of fields that other messages have too, or that depends on the body.
type group uint8

const (
	single     group = iota
	projection       // the 14 bytes of a handle
	value            // a value, by its kind
	tail             // a write's tail, by the layout's order
	records          // a subscription's records
)

// field describes one field of a message: the one place that Fields, the documentation and the page take it from.
type field struct {
	name, path string
	size       int // in bytes; 0 where the body or the layout says it
	form       form
	group      group
	standing   codec.Standing
	members    []codec.Member // assumed: the layout's members whose standing it has, the weakest of them
	about      string
}

// message describes one message.
type message struct {
	kind   codec.MessageKind
	title  string
	about  string
	fields []field
}

// handleFields is the reference handle; projectionFields is the part of it that messages carry.
var (
	handleFields = append([]field{
		{name: "galaxy id", path: "galaxyId", size: 1, standing: codec.Confirmed},
		{name: "reserved", path: "reserved", size: 1, standing: codec.Confirmed, about: "always 0"},
		{name: "platform id", path: "platformId", size: 2, standing: codec.Confirmed},
		{name: "engine id", path: "engineId", size: 2, standing: codec.Confirmed},
	}, projectionFields...)
	projectionFields = []field{
		{name: "object id", path: "objectId", size: 2, standing: codec.Confirmed},
		{name: "object signature", path: "objectSignature", size: 2, form: signature, standing: codec.Confirmed, about: "CRC-16/ARC of the lower-cased object name in UTF-16LE"},
		{name: "primitive id", path: "primitiveId", size: 2, form: signed, standing: codec.Confirmed},
		{name: "attribute id", path: "attributeId", size: 2, form: signed, standing: codec.Confirmed},
		{name: "property id", path: "propertyId", size: 2, form: signed, standing: codec.Confirmed, about: "10 is the attribute's value"},
		{name: "attribute signature", path: "attributeSignature", size: 2, form: signature, standing: codec.Confirmed, about: "CRC-16/ARC of the lower-cased attribute name in UTF-16LE"},
		{name: "attribute index", path: "attributeIndex", size: 2, form: signed, standing: codec.Confirmed, about: "-1 names a whole array; a scalar has 0 or an element's index"},
	}
)

// kindField is the byte before every value; which layout member it hangs on depends on the kind.
var kindField = field{name: "kind", path: "kind", size: 1, form: kindByte, standing: codec.Assumed, about: "which of the twelve value kinds follows; that there are twelve is confirmed, their numbers are the layout's"}

// writeFields is the write body; its tail's members are in tailFields.
var writeFields = []field{
	{name: "command", path: "command", size: 1, form: code, standing: codec.Assumed, members: []codec.Member{codec.MemberCommand}, about: "its size is confirmed, its value is the layout's"},
	{name: "version", path: "version", size: 2, standing: codec.Assumed, members: []codec.Member{codec.MemberVersion}, about: "its size is derived, its value is the layout's"},
	{name: "handle projection", path: "handle", group: projection, standing: codec.Derived, about: "bytes 6 to 20 of the reference handle; a body does not carry galaxy, platform and engine"},
	kindField,
	{name: "value", path: "value", group: value},
	{name: "tail", path: "tail", group: tail, about: "18 bytes: the size is derived, the members are confirmed, their order is the layout's"},
}

// tailFields are the members of a write's tail, by codec.TailMember. The order in which they stand is the layout's.
var tailFields = [...]field{
	codec.Discriminator: {name: "discriminator", path: "tail.discriminator", form: signed, about: "-1 in a normal write, 0 in a timestamped one; its place is the layout's"},
	codec.FileTimeSlot:  {name: "filetime", path: "tail.filetime", form: ticks, about: "0 in a normal write, the FILETIME in a timestamped one; its place is the layout's"},
	codec.ClientToken:   {name: "client token", path: "tail.clientToken", about: "u32; its place is the layout's"},
	codec.WriteIndex:    {name: "write index", path: "tail.writeIndex", form: signed, about: "i32; its place is the layout's"},
}

// valueFields are the parts of a scalar value, by kind; of an array, the header is headerFields and an element elemFields.
var (
	valueFields = [...][]field{
		codec.KindBoolean:  {{name: "value", path: "", size: 1, form: boolean, standing: codec.Assumed, about: "1 byte; its size is derived, its values are the layout's"}},
		codec.KindInt32:    {{name: "value", path: "", size: 4, form: signed, standing: codec.Confirmed, about: "i32. An ElapsedTime is written as Int32 (confirmed), in milliseconds (assumed)"}},
		codec.KindFloat32:  {{name: "value", path: "", size: 4, form: float, standing: codec.Confirmed, about: "IEEE 754"}},
		codec.KindFloat64:  {{name: "value", path: "", size: 8, form: float, standing: codec.Confirmed, about: "IEEE 754"}},
		codec.KindString:   stringFields,
		codec.KindDateTime: {{name: "value", path: "", size: 8, form: ticks, standing: codec.Assumed, about: "FILETIME: 100 ns since 1601-01-01T00:00:00Z, as i64"}},
	}
	stringFields = []field{
		{name: "outer length", path: "outerLength", size: 4, standing: codec.Derived, about: "4 and the byte length"},
		{name: "byte length", path: "byteLength", size: 4, standing: codec.Derived, about: "bytes of text, with the terminator"},
		{name: "text", path: "text", form: text, standing: codec.Derived, about: "UTF-16LE. An InternationalizedString is written as String (confirmed)"},
		{name: "terminator", path: "terminator", size: 2, standing: codec.Derived, about: "U+0000"},
	}
	headerFields = []field{
		{name: "array reserved", path: "reserved", form: number, standing: codec.Assumed, members: []codec.Member{codec.MemberArrayReservedWidth}, about: "always 0; how many there are is the layout's"},
		{name: "element count", path: "count", size: 2, standing: codec.Confirmed, about: "65,535 elements at most"},
		{name: "element width", path: "elementWidth", form: number, standing: codec.Assumed, members: []codec.Member{codec.MemberArrayElementWidthWidth}, about: "bytes of an element, 0 for strings; its place is confirmed, its own width is the layout's"},
	}
	elemFields = [...][]field{
		codec.KindBooleanArray - codec.KindBooleanArray:  {{name: "element", form: boolElem, standing: codec.Assumed, about: "the layout's bytes of true or of false"}},
		codec.KindInt32Array - codec.KindBooleanArray:    {{name: "element", size: 4, form: signed, standing: codec.Assumed, about: "i32"}},
		codec.KindFloat32Array - codec.KindBooleanArray:  {{name: "element", size: 4, form: float, standing: codec.Assumed, about: "IEEE 754"}},
		codec.KindFloat64Array - codec.KindBooleanArray:  {{name: "element", size: 8, form: float, standing: codec.Assumed, about: "IEEE 754"}},
		codec.KindStringArray - codec.KindBooleanArray:   stringElemFields,
		codec.KindDateTimeArray - codec.KindBooleanArray: {{name: "element", size: 8, form: ticks, standing: codec.Assumed, about: "FILETIME: 100 ns since 1601-01-01T00:00:00Z, as i64"}},
	}
	stringElemFields = []field{
		{name: "element byte length", path: "byteLength", size: 4, standing: codec.Assumed, about: "bytes of text, with the terminator"},
		{name: "element text", path: "text", form: text, standing: codec.Assumed, about: "UTF-16LE"},
		{name: "element terminator", path: "terminator", size: 2, standing: codec.Assumed, about: "U+0000"},
	}
)

// recordFields is one record of a subscription message; a data update's has no detail status.
var recordFields = []field{
	{name: "status", path: "status", size: 4, form: packed, standing: codec.Confirmed, about: "packed status; that a data update's record begins with it is derived from a captured body's length"},
	{name: "detail status", path: "detailStatus", size: 4, form: packed, standing: codec.Confirmed, about: "packed status; subscription status only"},
	{name: "quality", path: "quality", size: 2, form: quality, standing: codec.Confirmed, about: "low byte QQSSSSLL as in OPC DA"},
	{name: "filetime", path: "filetime", size: 8, form: ticks, standing: codec.Confirmed, about: "100 ns since 1601-01-01T00:00:00Z"},
	kindField,
	{name: "value", path: "value", group: value},
}

const detailStatusField = 1 // its place in recordFields

func opcode(about string) field {
	return field{name: "opcode", path: "opcode", size: 1, form: code, standing: codec.Confirmed, about: about}
}

// The fields that several messages begin or end with.
var (
	versionField = field{name: "version", path: "version", size: 2, standing: codec.Confirmed, about: "always 1"}
	itemIDField  = field{name: "item correlation id", path: "itemCorrelationId", size: 16, form: guid, standing: codec.Confirmed, about: "GUID in .NET's byte order"}
	opIDField    = field{name: "operation id", path: "operationId", size: 16, form: guid, standing: codec.Confirmed, about: "GUID in .NET's byte order"}
	countField   = field{name: "record count", path: "recordCount", size: 4, form: signed, standing: codec.Confirmed, about: "at least 1"}
	handleField  = field{name: "handle projection", path: "handle", group: projection, standing: codec.Confirmed, about: "bytes 6 to 20 of the reference handle"}
	tailField    = field{name: "tail", path: "tail", size: 4, standing: codec.Confirmed, about: "3 in the captured bodies"}
)

// messages describes every message, in the order of the documentation.
var messages = []message{
	{codec.MessageWrite, "Normal write", "One tag write: which attribute, what value.", writeFields},
	{codec.MessageTimestampedWrite, "Timestamped write", "The same with an explicit time in the tail. That a FILETIME sits in the tail is confirmed, its place is assumed.", writeFields},
	{codec.MessageAdvise, "Advise-supervisory", "39 bytes.", []field{
		opcode("0x1f"), versionField, itemIDField,
		{name: "extra", path: "extra", size: 2, standing: codec.Confirmed, about: "0 unless given"}, handleField, tailField,
	}},
	{codec.MessageUnadvise, "Unadvise", "37 bytes.", []field{opcode("0x21"), versionField, itemIDField, handleField, tailField}},
	{codec.MessageSubscriptionStatus, "Subscription status", "Records with a detail status.", []field{
		opcode("0x32"), versionField, countField, opIDField, itemIDField, {name: "records", path: "records", group: records},
	}},
	{codec.MessageDataUpdate, "Data update", "Records without a detail status.", []field{
		opcode("0x33"), versionField, countField, opIDField, {name: "records", path: "records", group: records},
	}},
	{codec.MessageOperationStatus, "Operation status", "Five bytes. Write complete is status word 0x8050 with completion 0: `00 00 50 80 00`.", []field{
		{name: "reserved", path: "reserved", size: 2, standing: codec.Confirmed, about: "always 0"},
		{name: "status word", path: "statusWord", size: 2, form: code, standing: codec.Confirmed, about: "0x8050 with completion 0 is write complete; no other has a proven meaning"},
		{name: "completion", path: "completion", size: 1, form: code, standing: codec.Confirmed},
	}},
	{codec.MessageCompletion, "Completion code", "One byte that begins no other message. 00, 41 and ef were seen; none has a proven meaning, so it is never shown as a success.", []field{
		{name: "completion", path: "completion", size: 1, form: code, standing: codec.Confirmed, about: "no proven meaning"},
	}},
	{codec.MessageSuspend, "Suspend", "As one captured body of 41 bytes shows it. Decoded only.", []field{
		opcode("0x2d"), versionField, itemIDField,
		{name: "unknown", path: "unknown", size: 10, form: opaque, standing: codec.Confirmed, about: "ten bytes as captured; their meaning is not known"},
		projectionFields[3], projectionFields[4], projectionFields[5], projectionFields[6], tailField,
	}},
}

// tableOf finds a message's description.
func tableOf(kind codec.MessageKind) *message {
	for i := range messages {
		if messages[i].kind == kind {
			return &messages[i]
		}
	}
	return nil
}
