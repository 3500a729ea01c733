// Package learn works out a plant's layout from captured write bodies of which it is known what they wrote.
//
// The layout's members fall into groups that do not touch each other: the numbers that stand at a fixed place (command, version,
// kinds, a Boolean's bytes), the array header with its elements, and the tail. Each group has few possibilities: 576 pairs of
// orders for the tail, 144 combinations of widths for the header. So every possibility is tried against every capture, and what is learned is
// exact: a member is settled when all that is left agrees on it, open otherwise, and when nothing is left the captures contradict each other.
package learn

import (
	"bytes"
	"fmt"

	"mxrest/internal/codec"
)

// Capture is one captured body, and what it wrote as far as known. Nil means unknown.
type Capture struct {
	Name  string
	Body  []byte
	Value codec.Value // an array's elements in the form of the default layout

	// Handle are the seven members of the projection in order: object id, object signature, primitive id, attribute id, property id,
	// attribute signature, attribute index.
	Handle      [codec.ProjectionSize / 2]*uint16
	Timestamped *bool
	FileTime    *int64
	ClientToken *uint32
	WriteIndex  *int32
}

// HandleNames are the members of Capture.Handle, as the contract spells them.
var HandleNames = [codec.ProjectionSize / 2]string{
	"objectId", "objectSignature", "primitiveId", "attributeId", "propertyId", "attributeSignature", "attributeIndex",
}

// Result is what captures say about a layout.
type Result struct {
	// Layout makes all captures' bodies, byte for byte; nil when none does. Its members are Learned where the captures settle them, and otherwise those
	// of the layout that Learn was given, Configured where that value had to give way.
	Layout         *codec.Layout
	Learned        []Learned
	Open           []Open
	Contradictions []Contradiction // the smallest first; empty when Layout is there
}

// Learned is a member that the captures settle.
type Learned struct {
	Member   codec.Member
	Captures []int // a smallest set that leaves no other value, by index
}

// Open is a member that they do not.
type Open struct {
	Member     codec.Member
	Candidates []any // what is still possible, where that is little: numbers, hex, or lists of tail members
	Why        string
}

// Contradiction is a smallest set of captures that cannot all be right.
type Contradiction struct {
	Captures []int
	Member   string // of the layout; "" when the body itself is not what was said of it
	Offset   int    // in the body of the first of them
	Reason   string
}

// Learn works out the layout. base is the layout whose values the open members keep. It fails only when there are no captures, or by a fault of its own.
func Learn(base *codec.Layout, captures []Capture) (*Result, error) {
	if len(captures) == 0 {
		return nil, fmt.Errorf("there are no captures to learn from")
	}
	s := &solver{captures: captures, res: &Result{}, chosen: *base}
	for m, standing := range s.chosen.Standing {
		if standing == codec.Learned {
			s.chosen.Standing[m] = codec.Configured // by other captures than these
		}
	}
	s.alone()
	if len(s.res.Contradictions) > 0 {
		return s.res, nil // the groups would only repeat what is wrong with a single capture
	}
	s.fixed()
	s.header()
	s.tail()
	if len(s.res.Contradictions) > 0 {
		s.res.Learned, s.res.Open = nil, nil
		s.sortContradictions()
		return s.res, nil
	}
	l := s.chosen
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("the layout that was learned is not valid: %w", err)
	}
	for i := range captures {
		if err := reproduces(&l, &captures[i]); err != nil {
			return nil, fmt.Errorf("capture %s: %w", captures[i].Name, err)
		}
	}
	s.res.Layout = &l
	return s.res, nil
}

// solver holds the work on one set of captures.
type solver struct {
	captures []Capture
	res      *Result
	chosen   codec.Layout
}

func (s *solver) contradict(captures []int, member string, off int, format string, args ...any) {
	s.res.Contradictions = append(s.res.Contradictions, Contradiction{Captures: captures, Member: member, Offset: off, Reason: fmt.Sprintf(format, args...)})
}

// learned marks a member as settled; its value is in s.chosen already.
func (s *solver) learned(m codec.Member, captures ...int) {
	s.chosen.Standing[m] = codec.Learned
	s.res.Learned = append(s.res.Learned, Learned{m, captures})
}

// open marks a member as not settled; moved when its value had to give way.
func (s *solver) open(m codec.Member, moved bool, candidates []any, why string) {
	if moved {
		s.chosen.Standing[m] = codec.Configured
		why += "; the value of the layout in force does not go with what was learned, so another was chosen"
	}
	s.res.Open = append(s.res.Open, Open{m, candidates, why})
}

// names lists captures for a reason.
func (s *solver) name(i int) string { return s.captures[i].Name }

// reproduces checks that a layout makes a capture's body again, from the value that was stated and what the layout reads of the rest.
func reproduces(l *codec.Layout, c *Capture) error {
	w, err := l.DecodeWrite(c.Body)
	if err != nil {
		return err
	}
	w.Value = c.Value
	if c.Value.Type == codec.BooleanArray {
		w.Value.Elems = nil
		for _, b := range booleans(&c.Value) {
			w.Value.Elems = l.AppendBooleanElem(w.Value.Elems, b)
		}
	}
	again, err := l.AppendCapturedWrite(nil, &w)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, c.Body) {
		return fmt.Errorf("the layout that was learned does not make its body")
	}
	return nil
}

// booleans are the elements of a BooleanArray in the form of the default layout.
func booleans(v *codec.Value) []bool {
	out := make([]bool, v.Count)
	for i := range out {
		out[i] = v.Elems[2*i] != 0
	}
	return out
}
