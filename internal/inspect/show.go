package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"mxrest/internal/codec"
)

// show reads a field's bytes in its form.
func (w *walker) show(f *Field, form form, b []byte) {
	switch form {
	case number:
		f.Value = unsigned(b)
	case signed:
		f.Value = signedOf(b)
	case code:
		f.Value = unsigned(b)
		f.Text = fmt.Sprintf("0x%0*x", 2*len(b), uintOf(b))
	case signature:
		w.showSignature(f, binary.LittleEndian.Uint16(b))
	case guid:
		f.Value = codec.GUID(b).String()
	case kindByte:
		f.Value = int64(b[0])
		if k, ok := w.l.KindOf(b[0]); ok {
			f.Text = k.String()
			if t := w.o.Type; t.Valid() && t.Kind() == k && t != k.Type() {
				f.Text = k.String() + ", for " + t.String()
			}
		}
	case ticks:
		showTicks(f, int64(binary.LittleEndian.Uint64(b)))
	case packed:
		s := codec.PackedStatus(binary.LittleEndian.Uint32(b))
		f.Value = int64(s)
		f.Text = packedText(s)
	case quality:
		q := codec.Quality(binary.LittleEndian.Uint16(b))
		f.Value, f.Text = int64(q), q.String()
	case boolean:
		f.Value = b[0] == w.l.BooleanTrue
	case boolElem:
		f.Value = uintOf(b) == w.l.BooleanElementTrue
	case float:
		showFloat(f, b)
	case text:
		s, ok := codec.AppendUTF8(nil, b)
		f.Value = string(s)
		if !ok {
			f.How += "; a lone surrogate stands here, shown as U+FFFD"
		}
	case opaque:
		f.Value = hex.EncodeToString(b)
	}
	if f.Name == "status word" || f.Name == "completion" {
		showStatus(f, w.body)
	}
}

// showSignature says what is known of the name behind a signature: it cannot be worked out, only checked.
func (w *walker) showSignature(f *Field, have uint16) {
	f.Value = int64(have)
	f.Text = fmt.Sprintf("0x%04x", have)
	name := w.o.Object
	if f.Name == "attribute signature" {
		name = w.o.Attribute
	}
	if name == "" {
		f.How += "; the name cannot be worked out from it"
		return
	}
	want, err := codec.Signature([]byte(name))
	switch {
	case err != nil:
		f.How += "; the name given is not valid text"
	case want == have:
		f.How = fmt.Sprintf("CRC-16/ARC of %s in UTF-16LE", codec.LowerName(nil, []byte(name)))
	default:
		f.How = fmt.Sprintf("not the name given: CRC-16/ARC of %s in UTF-16LE is 0x%04x", codec.LowerName(nil, []byte(name)), want)
	}
}

// showTicks gives a FILETIME as its count, which has 64 bits and so is a string, and as a time.
func showTicks(f *Field, n int64) {
	f.Value = strconv.FormatInt(n, 10)
	if t, ok := codec.AppendFileTime(nil, n); ok {
		f.Text = string(t)
	} else {
		f.Text = "outside the years 1601 to 9999"
	}
}

// showFloat gives the shortest number that reads back as the same bits; what JSON cannot say comes as a string.
func showFloat(f *Field, b []byte) {
	if len(b) == 4 {
		bits := binary.LittleEndian.Uint32(b)
		v := math.Float32frombits(bits)
		if f.Value = v; bits == 1<<31 {
			f.Value = minusZero{}
		} else if !finite(float64(v)) {
			f.Value = nonFinite(float64(v))
		}
		if v != v && bits != codec.NaN32 {
			f.Bits = fmt.Sprintf("%08x", bits)
		}
		return
	}
	bits := binary.LittleEndian.Uint64(b)
	v := math.Float64frombits(bits)
	if f.Value = v; bits == 1<<63 {
		f.Value = minusZero{}
	} else if !finite(v) {
		f.Value = nonFinite(v)
	}
	if v != v && bits != codec.NaN64 {
		f.Bits = fmt.Sprintf("%016x", bits)
	}
}

// minusZero is the negative zero of a float. Clients that tell integers from floats by the point would read JSON's -0 as the integer 0
// and lose the sign.
type minusZero struct{}

func (minusZero) String() string               { return "-0.0" }
func (minusZero) MarshalJSON() ([]byte, error) { return []byte("-0.0"), nil }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// nonFinite spells NaN and the infinities as the HTTP contract does.
func nonFinite(v float64) string {
	switch {
	case v > 0:
		return "Infinity"
	case v < 0:
		return "-Infinity"
	}
	return "NaN"
}

// packedText is a packed status in words.
func packedText(s codec.PackedStatus) string {
	ok := "not ok"
	if s.OK() {
		ok = "ok"
	}
	t := fmt.Sprintf("%s, %s, detected by %s, detail %s", ok, s.CategoryName(), s.DetectedByName(), s.DetailName())
	if r := s.Reserved(); r != 0 {
		t += fmt.Sprintf(", reserved bits 0x%08x", r)
	}
	return t
}

// showStatus says what an operation status or a completion code means, which is known for one body only.
func showStatus(f *Field, body []byte) {
	if s, err := codec.DecodeOperationStatus(body); err == nil {
		if s.Complete() {
			f.How = "write complete"
			return
		}
	}
	f.How = "no proven meaning; not a success"
}

// unsigned gives up to 4 bytes as a number, more as a string of decimal digits.
func unsigned(b []byte) any {
	v := uintOf(b)
	if len(b) > 4 {
		return strconv.FormatUint(v, 10)
	}
	return int64(v)
}

func signedOf(b []byte) any {
	shift := 64 - 8*len(b)
	v := int64(uintOf(b)<<shift) >> shift
	if len(b) > 4 {
		return strconv.FormatInt(v, 10)
	}
	return v
}

// uintOf reads up to 8 bytes, little-endian.
func uintOf(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}
