package learn

import (
	"bytes"
	"encoding/binary"
	"slices"

	"mxrest/internal/codec"
)

// std is used for what no layout can change: how a number, a time or a text is written.
var std = codec.DefaultLayout()

// alone finds captures that contradict themselves: what was said of them does not stand in the body, whatever the layout.
func (s *solver) alone() {
	for i := range s.captures {
		c := &s.captures[i]
		if len(c.Body) < codec.WriteOverhead {
			s.contradict([]int{i}, "", len(c.Body), "the body has %d bytes; a write has 36 and its value", len(c.Body))
			continue
		}
		switch c.Body[0] {
		case codec.OpAdvise, codec.OpUnadvise, codec.OpSuspend, codec.OpStatus, codec.OpDataUpdate, 0:
			s.contradict([]int{i}, "command", 0, "0x%02x begins another message, or none", c.Body[0])
		}
		for k, want := range c.Handle {
			off := 3 + 2*k
			if got := binary.LittleEndian.Uint16(c.Body[off:]); want != nil && got != *want {
				signed := k == 2 || k == 3 || k == 4 || k == 6
				if signed {
					s.contradict([]int{i}, "", off, "handle.%s is said to be %d, and the body has %d", HandleNames[k], int16(*want), int16(got))
				} else {
					s.contradict([]int{i}, "", off, "handle.%s is said to be %d, and the body has %d", HandleNames[k], *want, got)
				}
			}
		}
		s.value(i)
	}
}

// value checks the values whose form is no part of the layout.
func (s *solver) value(i int) {
	c := &s.captures[i]
	region := c.Body[codec.ValueOffset : len(c.Body)-codec.TailSize]
	t := c.Value.Type
	switch {
	case t.IsArray():
		return // header decides
	case t == codec.Boolean:
		if len(region) != 1 {
			s.contradict([]int{i}, "", codec.ValueOffset, "a Boolean's body has 37 bytes, this one has %d", len(c.Body))
		}
		return
	}
	want, err := std.AppendValue(nil, &c.Value)
	if err != nil || !bytes.Equal(want, region) {
		s.contradict([]int{i}, "", codec.ValueOffset, "the value is not the one stated: %s stands there, %s of that value would be %s", short(region), t, short(want))
	}
}

// sortContradictions puts the smallest set first, and leaves out those that would vanish with a smaller one's captures.
func (s *solver) sortContradictions() {
	all := s.res.Contradictions
	slices.SortStableFunc(all, func(a, b Contradiction) int { return len(a.Captures) - len(b.Captures) })
	kept := all[:0]
	for _, c := range all {
		covered := slices.ContainsFunc(kept, func(k Contradiction) bool {
			return len(k.Captures) < len(c.Captures) && !slices.ContainsFunc(k.Captures, func(i int) bool { return !slices.Contains(c.Captures, i) })
		})
		if !covered {
			kept = append(kept, c)
		}
	}
	s.res.Contradictions = kept
}
