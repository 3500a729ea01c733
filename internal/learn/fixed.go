package learn

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"mxrest/internal/codec"
)

// sight is what a capture shows of a number that stands at a fixed place.
type sight struct {
	value   uint64
	capture int
}

// fixed settles command, version, kinds and a Boolean's bytes: the first capture that shows one settles it, any other must show the same.
func (s *solver) fixed() {
	seen := map[codec.Member]sight{}
	bad := map[codec.Member]bool{}
	look := func(i int, m codec.Member, value uint64, off, width int) {
		first, ok := seen[m]
		switch {
		case !ok:
			seen[m] = sight{value, i}
		case first.value != value && !bad[m]:
			bad[m] = true
			s.contradict([]int{first.capture, i}, memberName(m), off, "%s is 0x%0*x in %s and 0x%0*x in %s", memberName(m),
				2*width, first.value, s.name(first.capture), 2*width, value, s.name(i))
		}
	}
	for i := range s.captures {
		c := &s.captures[i]
		look(i, codec.MemberCommand, uint64(c.Body[0]), 0, 1)
		look(i, codec.MemberVersion, uint64(binary.LittleEndian.Uint16(c.Body[1:])), 1, 2)
		look(i, codec.MemberKind0+codec.Member(c.Value.Type.Kind()), uint64(c.Body[codec.ValueOffset-1]), codec.ValueOffset-1, 1)
		if c.Value.Type == codec.Boolean {
			m := codec.MemberBooleanFalse
			if c.Value.Bits != 0 {
				m = codec.MemberBooleanTrue
			}
			look(i, m, uint64(c.Body[codec.ValueOffset]), codec.ValueOffset, 1)
		}
	}
	s.distinct(seen)

	s.chosen.Command = uint8(seen[codec.MemberCommand].value)
	s.learned(codec.MemberCommand, seen[codec.MemberCommand].capture)
	s.chosen.Version = uint16(seen[codec.MemberVersion].value)
	s.learned(codec.MemberVersion, seen[codec.MemberVersion].capture)
	s.kinds(seen)
	s.boolean(seen)
}

// distinct refuses two kinds with one number, and a true that looks like false.
func (s *solver) distinct(seen map[codec.Member]sight) {
	for a := range codec.Kind(codec.NumKinds) {
		for b := range a {
			x, ok1 := seen[codec.MemberKind0+codec.Member(b)]
			y, ok2 := seen[codec.MemberKind0+codec.Member(a)]
			if ok1 && ok2 && x.value == y.value {
				s.contradict([]int{x.capture, y.capture}, memberName(codec.MemberKind0+codec.Member(a)), codec.ValueOffset-1,
					"0x%02x stands for %s in %s and for %s in %s", x.value, b, s.name(x.capture), a, s.name(y.capture))
			}
		}
	}
	x, ok1 := seen[codec.MemberBooleanTrue]
	y, ok2 := seen[codec.MemberBooleanFalse]
	if ok1 && ok2 && x.value == y.value {
		s.contradict([]int{x.capture, y.capture}, memberName(codec.MemberBooleanFalse), codec.ValueOffset, "true in %s and false in %s are both 0x%02x", s.name(x.capture), s.name(y.capture), x.value)
	}
}

// kinds takes over the numbers that were seen. An open kind whose number is now another's gets a free one: two kinds cannot share it.
func (s *solver) kinds(seen map[codec.Member]sight) {
	taken := map[uint8]bool{}
	for k := range codec.Kind(codec.NumKinds) {
		if x, ok := seen[codec.MemberKind0+codec.Member(k)]; ok {
			s.chosen.Kinds[k] = uint8(x.value)
			taken[uint8(x.value)] = true
		}
	}
	for k := range codec.Kind(codec.NumKinds) {
		m := codec.MemberKind0 + codec.Member(k)
		if x, ok := seen[m]; ok {
			s.learned(m, x.capture)
			continue
		}
		moved := taken[s.chosen.Kinds[k]]
		for n := 1; taken[s.chosen.Kinds[k]]; n++ {
			s.chosen.Kinds[k] = uint8(n)
		}
		taken[s.chosen.Kinds[k]] = true
		s.open(m, moved, nil, fmt.Sprintf("no capture writes %s", k))
	}
}

// boolean takes over a scalar Boolean's bytes.
func (s *solver) boolean(seen map[codec.Member]sight) {
	yes, ok1 := seen[codec.MemberBooleanTrue]
	no, ok2 := seen[codec.MemberBooleanFalse]
	if ok1 {
		s.chosen.BooleanTrue = uint8(yes.value)
		s.learned(codec.MemberBooleanTrue, yes.capture)
	}
	if ok2 {
		s.chosen.BooleanFalse = uint8(no.value)
		s.learned(codec.MemberBooleanFalse, no.capture)
	}
	clash := s.chosen.BooleanTrue == s.chosen.BooleanFalse
	if !ok1 {
		if clash {
			s.chosen.BooleanTrue = ^s.chosen.BooleanFalse
		}
		s.open(codec.MemberBooleanTrue, clash, nil, "no capture writes the Boolean true")
	}
	if !ok2 {
		if clash && ok1 {
			s.chosen.BooleanFalse = ^s.chosen.BooleanTrue
		}
		s.open(codec.MemberBooleanFalse, clash && ok1, nil, "no capture writes the Boolean false")
	}
}

// memberNames are the members' names as layout files spell them.
var memberNames = func() (names [codec.NumMembers]string) {
	for i, m := range codec.DefaultLayout().Members() {
		names[i] = m.Name
	}
	return names
}()

func memberName(m codec.Member) string { return memberNames[m] }

// MemberName is a member's name as layout files spell it.
func MemberName(m codec.Member) string { return memberName(m) }

// short is the beginning of some bytes in hex.
func short(b []byte) string {
	if len(b) == 0 {
		return "nothing"
	}
	if len(b) > 24 {
		return hex.EncodeToString(b[:24]) + "…"
	}
	return hex.EncodeToString(b)
}
