package learn

import (
	"encoding/binary"
	"fmt"
	"strings"

	"mxrest/internal/codec"
)

// orders are the 24 orders of the tail's members.
var orders = func() (all []codec.TailOrder) {
	var place func(o codec.TailOrder, n int, used uint8)
	place = func(o codec.TailOrder, n int, used uint8) {
		if n == len(o) {
			all = append(all, o)
			return
		}
		for m := range codec.TailMember(len(o)) {
			if used&(1<<m) == 0 {
				o[n] = m
				place(o, n+1, used|1<<m)
			}
		}
	}
	place(codec.TailOrder{}, 0, 0)
	return all
}()

// pairs says of each pair of orders, the normal tail's and the timestamped one's, whether it is still possible.
type pairs [24][24]bool

func (p *pairs) and(o *pairs) {
	for n := range p {
		for t := range p[n] {
			p[n][t] = p[n][t] && o[n][t]
		}
	}
}

func (p *pairs) any() bool { return *p != pairs{} }

// normal and timestamped are the orders that are left.
func (p *pairs) normal() (left []int) {
	for n := range p {
		if p[n] != [24]bool{} {
			left = append(left, n)
		}
	}
	return left
}

func (p *pairs) timestamped() (left []int) {
	for t := range p {
		for n := range p {
			if p[n][t] {
				left = append(left, t)
				break
			}
		}
	}
	return left
}

// fitsTail tells which orders a capture's tail can be read in, as a normal one and as a timestamped one.
func fitsTail(c *Capture) (normal, timestamped [24]bool) {
	tail := c.Body[len(c.Body)-codec.TailSize:]
	for i, o := range orders {
		at := o.Offsets()
		discriminator := binary.LittleEndian.Uint16(tail[at[codec.Discriminator]:])
		filetime := binary.LittleEndian.Uint64(tail[at[codec.FileTimeSlot]:])
		token := binary.LittleEndian.Uint32(tail[at[codec.ClientToken]:])
		index := int32(binary.LittleEndian.Uint32(tail[at[codec.WriteIndex]:]))
		if c.ClientToken != nil && *c.ClientToken != token || c.WriteIndex != nil && *c.WriteIndex != index {
			continue
		}
		normal[i] = discriminator == 0xffff && filetime == 0
		timestamped[i] = discriminator == 0 && (c.FileTime == nil || uint64(*c.FileTime) == filetime)
	}
	return normal, timestamped
}

// possible are the pairs that a capture leaves.
func possible(c *Capture) (p pairs) {
	normal, timestamped := fitsTail(c)
	known := c.Timestamped != nil || c.FileTime != nil
	stamped := c.FileTime != nil || c.Timestamped != nil && *c.Timestamped
	for n := range p {
		for t := range p[n] {
			switch {
			case !known:
				p[n][t] = normal[n] || timestamped[t]
			case stamped:
				p[n][t] = timestamped[t]
			default:
				p[n][t] = normal[n]
			}
		}
	}
	return p
}

// tail settles the orders of both forms of the tail.
func (s *solver) tail() {
	var first []int // the first capture that leaves just these pairs
	var sees []pairs
	seen := map[pairs]bool{}
	for i := range s.captures {
		if p := possible(&s.captures[i]); !seen[p] {
			seen[p] = true
			first, sees = append(first, i), append(sees, p)
		}
	}
	alive := func(set []int) *pairs {
		p := everyPair
		for _, i := range set {
			p.and(&sees[i])
		}
		return &p
	}
	captures := func(set []int) []int {
		out := make([]int, len(set))
		for i, at := range set {
			out[i] = first[at]
		}
		return out
	}
	everything := make([]int, len(first))
	for i := range everything {
		everything[i] = i
	}
	all := alive(everything)
	if !all.any() {
		set := smallest(len(first), func(set []int) bool { return !alive(set).any() })
		s.tailContradiction(captures(set))
		return
	}
	base := s.chosen
	s.chooseTail(all)
	for _, form := range []struct {
		member codec.Member
		left   func(*pairs) []int
		moved  bool
		what   string
	}{
		{codec.MemberNormalTail, (*pairs).normal, s.chosen.NormalTail != base.NormalTail, "normal"},
		{codec.MemberTimestampedTail, (*pairs).timestamped, s.chosen.TimestampedTail != base.TimestampedTail, "timestamped"},
	} {
		left := form.left(all)
		if len(left) == 1 {
			set := smallest(len(first), func(set []int) bool { return len(form.left(alive(set))) == 1 })
			s.learned(form.member, captures(set)...)
			continue
		}
		why := fmt.Sprintf("no capture is known to be a %s write", form.what)
		var few []any
		if len(left) < len(orders) {
			why = fmt.Sprintf("%d orders are left; a %s write with a client token and a write index that differ and are not 0 settles it", len(left), form.what)
		}
		if len(left) <= fewCandidates {
			for _, o := range left {
				few = append(few, orderNames(orders[o]))
			}
		}
		s.open(form.member, form.moved, few, why)
	}
}

var everyPair = func() (p pairs) {
	for n := range p {
		for t := range p[n] {
			p[n][t] = true
		}
	}
	return p
}()

// chooseTail picks a pair that is left. Captures of which it is not known whether they are timestamped are read as normal where they can be: ten fixed bytes
// in their places are less of an accident than two. Beyond that the orders of the layout in force are kept, the normal one first.
func (s *solver) chooseTail(all *pairs) {
	base := s.chosen
	best := -1
	var asNormal [24]int // how many of those captures read as normal in an order
	for i := range s.captures {
		if c := &s.captures[i]; c.Timestamped == nil && c.FileTime == nil {
			normal, _ := fitsTail(c)
			for n, fits := range normal {
				if fits {
					asNormal[n]++
				}
			}
		}
	}
	for n := range all {
		for t := range all[n] {
			if !all[n][t] {
				continue
			}
			fitness := 4 * asNormal[n]
			if orders[n] == base.NormalTail {
				fitness += 2
			}
			if orders[t] == base.TimestampedTail {
				fitness++
			}
			if fitness > best {
				best = fitness
				s.chosen.NormalTail, s.chosen.TimestampedTail = orders[n], orders[t]
			}
		}
	}
}

// tailContradiction words why no pair of orders fits captures.
func (s *solver) tailContradiction(captures []int) {
	c := &s.captures[captures[0]]
	off := len(c.Body) - codec.TailSize
	if len(captures) == 1 {
		s.contradict(captures, "", off, "in no order of its members is %s the tail of such a write", short(c.Body[off:]))
		return
	}
	reason := "no order of the tail's members fits all of them"
	for _, i := range captures {
		normal, timestamped := fitsTail(&s.captures[i])
		reason += "; " + s.name(i) + " fits " + describe(&s.captures[i], normal, timestamped)
	}
	s.contradict(captures, s.tailMember(captures), off, "%s", reason)
}

// tailMember names the member that captures disagree on, "" where it could be either.
func (s *solver) tailMember(captures []int) string {
	forms := map[bool]bool{}
	for _, i := range captures {
		c := &s.captures[i]
		if c.Timestamped == nil && c.FileTime == nil {
			return ""
		}
		forms[c.FileTime != nil || *c.Timestamped] = true
	}
	switch {
	case len(forms) > 1:
		return ""
	case forms[true]:
		return memberName(codec.MemberTimestampedTail)
	}
	return memberName(codec.MemberNormalTail)
}

// describe lists the orders that a capture fits.
func describe(c *Capture, normal, timestamped [24]bool) string {
	var out []string
	stamped := c.FileTime != nil || c.Timestamped != nil && *c.Timestamped
	for i, o := range orders {
		known := c.Timestamped != nil || c.FileTime != nil
		if normal[i] && (!known || !stamped) || timestamped[i] && (!known || stamped) {
			out = append(out, strings.Join(orderNames(o), ", "))
		}
	}
	if len(out) > 3 {
		return fmt.Sprintf("%d orders", len(out))
	}
	return strings.Join(out, " or ")
}

func orderNames(o codec.TailOrder) []string {
	out := make([]string, len(o))
	for i, m := range o {
		out[i] = m.String()
	}
	return out
}
