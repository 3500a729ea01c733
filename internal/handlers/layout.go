package handlers

import (
	"encoding/hex"
	"net/http"
	"strings"

	"mxrest/api"
	"mxrest/internal/codec"
)

// Layout answers with every member of the layout in force, its standing, and the whole as a layout file.
func (a *API) Layout(w http.ResponseWriter, r *http.Request) {
	respondJSON(w, r, layoutView(a.layout, a.layoutFromFile))
}

func layoutView(l *codec.Layout, fromFile bool) api.LayoutView {
	view := api.LayoutView{Source: api.Default, File: layoutFile(l)}
	if fromFile {
		view.Source = api.File
	}
	for i, m := range l.Members() {
		about := m.About
		view.Members = append(view.Members, api.LayoutMember{Name: m.Name, Value: memberValue(l, codec.Member(i), m.Value),
			Standing: api.Standing(m.Standing.String()), Note: &about})
	}
	return view
}

// memberValue gives a member's value as layout files spell it: a number, hex digits, or a list.
func memberValue(l *codec.Layout, m codec.Member, text string) any {
	switch m {
	case codec.MemberCommand:
		return l.Command
	case codec.MemberVersion:
		return l.Version
	case codec.MemberArrayReservedWidth:
		return l.ArrayReservedWidth
	case codec.MemberArrayElementWidthWidth:
		return l.ArrayElementWidthWidth
	case codec.MemberStringElementWidth:
		return l.StringElementWidth
	case codec.MemberNormalTail, codec.MemberTimestampedTail:
		return strings.Split(text, ", ")
	}
	if k := m - codec.MemberKind0; m >= codec.MemberKind0 && k < codec.NumKinds {
		return l.Kinds[k]
	}
	return text
}

// layoutFile is the whole layout as a layout file, every member written out.
func layoutFile(l *codec.Layout) api.LayoutFile {
	text := func(v uint64, width uint8) *string {
		b := make([]byte, width)
		for i := range b {
			b[i] = byte(v >> (8 * i))
		}
		s := hex.EncodeToString(b)
		return &s
	}
	kind := func(k codec.Kind) *int32 { return number[int32](l.Kinds[k]) }
	order := func(o codec.TailOrder) *[]api.TailMember {
		out := make([]api.TailMember, len(o))
		for i, m := range o {
			out[i] = api.TailMember(m.String())
		}
		return &out
	}
	return api.LayoutFile{
		Command: number[int32](l.Command),
		Version: number[int32](l.Version),
		Kinds: &api.LayoutKinds{
			Boolean: kind(codec.KindBoolean), Int32: kind(codec.KindInt32), Float32: kind(codec.KindFloat32),
			Float64: kind(codec.KindFloat64), String: kind(codec.KindString), DateTime: kind(codec.KindDateTime),
			BooleanArray: kind(codec.KindBooleanArray), Int32Array: kind(codec.KindInt32Array), Float32Array: kind(codec.KindFloat32Array),
			Float64Array: kind(codec.KindFloat64Array), StringArray: kind(codec.KindStringArray), DateTimeArray: kind(codec.KindDateTimeArray),
		},
		BooleanTrue:         text(uint64(l.BooleanTrue), 1),
		BooleanFalse:        text(uint64(l.BooleanFalse), 1),
		BooleanElementTrue:  text(l.BooleanElementTrue, l.BooleanElementWidth),
		BooleanElementFalse: text(l.BooleanElementFalse, l.BooleanElementWidth),
		NormalTail:          order(l.NormalTail),
		TimestampedTail:     order(l.TimestampedTail),
		ArrayHeader: &api.LayoutArrayHeader{
			ReservedWidth: number[int32](l.ArrayReservedWidth), ElementWidthWidth: number[int32](l.ArrayElementWidthWidth)},
		StringElementWidth: number[int64](l.StringElementWidth),
	}
}

// number is a pointer to v as another type, for the optional members of generated models.
func number[T, F ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](v F) *T {
	t := T(v)
	return &t
}
