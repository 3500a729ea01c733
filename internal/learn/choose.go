package learn

import (
	"fmt"
	"math"
	"slices"

	"mxrest/internal/codec"
)

// state is one possibility that is left for arrays: a shape, and the numbers seen in it.
type state struct {
	shape
	reading
}

// value gives a member of the header as layout files spell it; nil where the state does not show it.
func (st *state) value(m codec.Member) any {
	switch m {
	case codec.MemberArrayReservedWidth:
		return st.reserved
	case codec.MemberArrayElementWidthWidth:
		return st.width
	case codec.MemberBooleanElementTrue:
		if st.has[elemTrue] {
			return bytesOf(st.is[elemTrue], int(st.element))
		}
	case codec.MemberBooleanElementFalse:
		if st.has[elemFalse] {
			return bytesOf(st.is[elemFalse], int(st.element))
		}
	case codec.MemberStringElementWidth:
		if st.has[stringWidth] {
			return uint32(st.is[stringWidth])
		}
	}
	return nil
}

// headerMembers are the members that arrays can settle, with what a capture has to show for it.
var headerMembers = []struct {
	member codec.Member
	why    string
}{
	{codec.MemberBooleanElementTrue, "no capture writes true inside a BooleanArray"},
	{codec.MemberBooleanElementFalse, "no capture writes false inside a BooleanArray"},
	{codec.MemberArrayReservedWidth, "the captures' arrays fit several widths; one with a count that is not 0 settles it"},
	{codec.MemberArrayElementWidthWidth, "the captures' arrays fit several widths; one with a count that is not 0 settles it"},
	{codec.MemberStringElementWidth, "no capture writes a StringArray"},
}

func states(all []reading) (out []state) {
	for n, r := range all {
		if r.fits {
			out = append(out, state{shapes[n], r})
		}
	}
	return out
}

// settled gives the value that all states agree on; nil when they do not, or one of them does not show it.
func settled(all []state, m codec.Member) any {
	if len(all) == 0 {
		return nil
	}
	v := all[0].value(m)
	for i := range all {
		if all[i].value(m) != v {
			return nil
		}
	}
	return v
}

// chooseHeader takes over what the arrays settle, and picks among what they leave open the values of the layout in force where they go with it.
func (s *solver) chooseHeader(a *arrays, readings []reading) {
	all := states(readings)
	base := s.chosen
	fitness := func(st *state) int {
		n := 0
		for _, same := range []bool{st.reserved == base.ArrayReservedWidth, st.width == base.ArrayElementWidthWidth, st.element == base.BooleanElementWidth} {
			if same {
				n++
			}
		}
		return n
	}
	best := all[0]
	for i := range all {
		if fitness(&all[i]) > fitness(&best) {
			best = all[i]
		}
	}
	l := &s.chosen
	l.ArrayReservedWidth, l.ArrayElementWidthWidth = best.reserved, best.width
	s.chooseElements(&best)
	if best.has[stringWidth] {
		l.StringElementWidth = uint32(best.is[stringWidth])
	} else if l.ArrayElementWidthWidth < 4 && l.StringElementWidth>>(8*l.ArrayElementWidthWidth) != 0 {
		l.StringElementWidth = 0
	}
	moved := map[codec.Member]bool{
		codec.MemberArrayReservedWidth:     l.ArrayReservedWidth != base.ArrayReservedWidth,
		codec.MemberArrayElementWidthWidth: l.ArrayElementWidthWidth != base.ArrayElementWidthWidth,
		codec.MemberStringElementWidth:     l.StringElementWidth != base.StringElementWidth,
		codec.MemberBooleanElementTrue:     l.BooleanElementTrue != base.BooleanElementTrue || l.BooleanElementWidth != base.BooleanElementWidth,
		codec.MemberBooleanElementFalse:    l.BooleanElementFalse != base.BooleanElementFalse || l.BooleanElementWidth != base.BooleanElementWidth,
	}
	for _, h := range headerMembers {
		if settled(all, h.member) != nil {
			set := smallest(len(a.first), func(set []int) bool { return settled(states(a.alive(set)), h.member) != nil })
			captures := make([]int, len(set))
			for i, at := range set {
				captures[i] = a.first[at]
			}
			s.learned(h.member, captures...)
			continue
		}
		why := h.why
		if len(a.first) == 0 {
			why = "no capture writes an array"
		}
		s.open(h.member, moved[h.member], candidates(all, h.member), why)
	}
}

// chooseElements takes over a Boolean element's bytes; what was not seen keeps its value if that has the width and differs, else it becomes all ones or all
// zeros.
func (s *solver) chooseElements(best *state) {
	l := &s.chosen
	if l.BooleanElementWidth != best.element {
		l.BooleanElementWidth = best.element
		l.BooleanElementTrue, l.BooleanElementFalse = math.MaxUint64>>(64-8*best.element), 0
	}
	ones := uint64(math.MaxUint64) >> (64 - 8*best.element)
	if best.has[elemTrue] {
		l.BooleanElementTrue = best.is[elemTrue]
	}
	if best.has[elemFalse] {
		l.BooleanElementFalse = best.is[elemFalse]
	}
	switch {
	case l.BooleanElementTrue != l.BooleanElementFalse:
	case best.has[elemTrue]:
		l.BooleanElementFalse = ones &^ l.BooleanElementTrue
	default:
		l.BooleanElementTrue = ones &^ l.BooleanElementFalse
	}
}

// fewCandidates is how many are still worth listing.
const fewCandidates = 8

// candidates lists the values of a member that are left, where they are few and each state shows one.
func candidates(all []state, m codec.Member) (out []any) {
	for i := range all {
		v := all[i].value(m)
		if v == nil {
			return nil
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
		if len(out) > fewCandidates {
			return nil
		}
	}
	return out
}

// Value is a layout's member as layout files spell it: a number, hex digits, or a list of tail members.
func Value(l *codec.Layout, m codec.Member) any {
	switch m {
	case codec.MemberCommand:
		return l.Command
	case codec.MemberVersion:
		return l.Version
	case codec.MemberBooleanTrue:
		return fmt.Sprintf("%02x", l.BooleanTrue)
	case codec.MemberBooleanFalse:
		return fmt.Sprintf("%02x", l.BooleanFalse)
	case codec.MemberBooleanElementTrue:
		return bytesOf(l.BooleanElementTrue, int(l.BooleanElementWidth))
	case codec.MemberBooleanElementFalse:
		return bytesOf(l.BooleanElementFalse, int(l.BooleanElementWidth))
	case codec.MemberNormalTail:
		return orderNames(l.NormalTail)
	case codec.MemberTimestampedTail:
		return orderNames(l.TimestampedTail)
	case codec.MemberArrayReservedWidth:
		return l.ArrayReservedWidth
	case codec.MemberArrayElementWidthWidth:
		return l.ArrayElementWidthWidth
	case codec.MemberStringElementWidth:
		return l.StringElementWidth
	}
	return l.Kinds[m-codec.MemberKind0]
}
