package codec

// Type is what a client says it writes: one of eight scalars and six arrays.
type Type uint8

// The types, scalars first. ElapsedTime travels as an Int32 and InternationalizedString as a String (both confirmed);
// neither has an array form (confirmed).
const (
	Boolean Type = iota + 1
	Int32
	Float32
	Float64
	String
	DateTime
	ElapsedTime
	InternationalizedString
	BooleanArray
	Int32Array
	Float32Array
	Float64Array
	StringArray
	DateTimeArray
)

// NumTypes is how many types there are; they run from 1 to NumTypes.
const NumTypes = int(DateTimeArray)

var typeNames = [NumTypes + 1]string{
	"", "Boolean", "Int32", "Float32", "Float64", "String", "DateTime", "ElapsedTime", "InternationalizedString",
	"BooleanArray", "Int32Array", "Float32Array", "Float64Array", "StringArray", "DateTimeArray",
}

// String is the type's name as the HTTP contract spells it, "" for a value that is no type.
func (t Type) String() string {
	if int(t) >= len(typeNames) {
		return ""
	}
	return typeNames[t]
}

// TypeNames lists the names of all types in the order of the constants. The caller must not change it.
func TypeNames() []string { return typeNames[1:] }

// ParseType finds a type by its exact name.
func ParseType(name []byte) (Type, bool) {
	switch string(name) {
	case "Boolean":
		return Boolean, true
	case "Int32":
		return Int32, true
	case "Float32":
		return Float32, true
	case "Float64":
		return Float64, true
	case "String":
		return String, true
	case "DateTime":
		return DateTime, true
	case "ElapsedTime":
		return ElapsedTime, true
	case "InternationalizedString":
		return InternationalizedString, true
	case "BooleanArray":
		return BooleanArray, true
	case "Int32Array":
		return Int32Array, true
	case "Float32Array":
		return Float32Array, true
	case "Float64Array":
		return Float64Array, true
	case "StringArray":
		return StringArray, true
	case "DateTimeArray":
		return DateTimeArray, true
	}
	return 0, false
}

// Valid tells whether t is one of the constants.
func (t Type) Valid() bool { return t >= Boolean && t <= DateTimeArray }

// IsArray tells whether t is an array type.
func (t Type) IsArray() bool { return t >= BooleanArray && t <= DateTimeArray }

// Elem is the scalar type of an array's elements, and t itself for a scalar.
func (t Type) Elem() Type {
	if t.IsArray() {
		return t - BooleanArray + Boolean
	}
	return t
}

// Kind is what tells value forms apart on the wire. That there are these twelve is confirmed; the number that stands for
// each is assumed and lives in the Layout.
type Kind uint8

// The kinds: six scalars, then their arrays in the same order.
const (
	KindBoolean Kind = iota
	KindInt32
	KindFloat32
	KindFloat64
	KindString
	KindDateTime
	KindBooleanArray
	KindInt32Array
	KindFloat32Array
	KindFloat64Array
	KindStringArray
	KindDateTimeArray
	NumKinds = iota
)

// Kind is the wire kind that t travels as; t must be one of the constants.
func (t Type) Kind() Kind { return kindOf[t&15] }

var kindOf = [16]Kind{
	Boolean: KindBoolean, Int32: KindInt32, Float32: KindFloat32, Float64: KindFloat64, String: KindString, DateTime: KindDateTime,
	ElapsedTime: KindInt32, InternationalizedString: KindString,
	BooleanArray: KindBooleanArray, Int32Array: KindInt32Array, Float32Array: KindFloat32Array, Float64Array: KindFloat64Array,
	StringArray: KindStringArray, DateTimeArray: KindDateTimeArray,
}

// fixedWidth is the length in bytes of a scalar that always has the same, 0 for all other types.
var fixedWidth = [16]uint8{Boolean: 1, Int32: 4, Float32: 4, Float64: 8, DateTime: 8, ElapsedTime: 4}

// Type is the type a decoded kind is shown as: a body does not tell an ElapsedTime from an Int32.
func (k Kind) Type() Type {
	if k >= KindBooleanArray {
		return Type(k-KindBooleanArray) + BooleanArray
	}
	return Type(k) + Boolean
}

// String is the kind's name, the same as that of its Type.
func (k Kind) String() string { return k.Type().String() }

// Standing says how well a fact about the bytes is known.
type Standing uint8

// The standings, as the wire format defines them; Configured and Learned mark a Layout member that a file replaced.
const (
	Confirmed  Standing = iota + 1 // stated by the source, or seen in captured bytes and recomputed
	Derived                        // follows by arithmetic from confirmed facts
	Assumed                        // our own choice where nothing decides; may be wrong on a real plant
	Configured                     // given by a layout file
	Learned                        // settled by captures that `mxrest learn` was given
)

var standingNames = [...]string{"", "confirmed", "derived", "assumed", "configured", "learned"}

// String is the word that documents, answers and the page show.
func (s Standing) String() string {
	if int(s) >= len(standingNames) {
		return ""
	}
	return standingNames[s]
}

// MarshalText gives the word to JSON.
func (s Standing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
