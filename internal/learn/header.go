package learn

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"mxrest/internal/codec"
)

// shape is one combination of the array header's widths and a Boolean element's.
type shape struct{ reserved, width, element uint8 }

// shapes are all of them: 9 times 4 times 4.
var shapes = func() (all []shape) {
	for r := range uint8(9) {
		for _, w := range []uint8{1, 2, 4, 8} {
			for _, e := range []uint8{1, 2, 4, 8} {
				all = append(all, shape{r, w, e})
			}
		}
	}
	return all
}()

// The three numbers of arrays that are not widths.
const (
	elemTrue = iota
	elemFalse
	stringWidth
	numNumbers
)

// reading is what a body shows when its array is read in one shape: whether it fits, and the numbers that are then seen.
type reading struct {
	fits bool
	has  [numNumbers]bool
	is   [numNumbers]uint64
}

// read reads an array in a shape.
func read(c *Capture, sh shape) (r reading) {
	b := c.Body[codec.ValueOffset : len(c.Body)-codec.TailSize]
	head := int(sh.reserved) + 2 + int(sh.width)
	if len(b) < head {
		return r
	}
	for _, z := range b[:sh.reserved] {
		if z != 0 {
			return r
		}
	}
	if int(binary.LittleEndian.Uint16(b[sh.reserved:])) != c.Value.Count {
		return r
	}
	width, elems := uintOf(b[int(sh.reserved)+2:head]), b[head:]
	switch t := c.Value.Type; t {
	case codec.StringArray:
		if width > 1<<32-1 || string(elems) != string(c.Value.Elems) {
			return r
		}
		r.has[stringWidth], r.is[stringWidth] = true, width
	case codec.BooleanArray:
		e := int(sh.element)
		if width != uint64(e) || len(elems) != e*c.Value.Count {
			return r
		}
		for i, yes := range booleans(&c.Value) {
			n := elemFalse
			if yes {
				n = elemTrue
			}
			v := uintOf(elems[i*e : (i+1)*e])
			if r.has[n] && r.is[n] != v {
				return r
			}
			r.has[n], r.is[n] = true, v
		}
		if r.has[elemTrue] && r.has[elemFalse] && r.is[elemTrue] == r.is[elemFalse] {
			return r
		}
	default:
		if width != uint64(std.ElemWidth(t)) || string(elems) != string(c.Value.Elems) {
			return r
		}
	}
	r.fits = true
	return r
}

// join puts two readings in one shape together.
func (r reading) join(o reading) reading {
	r.fits = r.fits && o.fits
	for n := range numNumbers {
		switch {
		case !o.has[n]:
		case r.has[n] && r.is[n] != o.is[n]:
			r.fits = false
		default:
			r.has[n], r.is[n] = true, o.is[n]
		}
	}
	if r.has[elemTrue] && r.has[elemFalse] && r.is[elemTrue] == r.is[elemFalse] {
		r.fits = false
	}
	return r
}

// arrays are the captures of arrays, those that show the same taken as one.
type arrays struct {
	first []int       // the first capture that shows it
	sees  [][]reading // by shape
}

// alive joins the readings of a set of arrays, by shape.
func (a *arrays) alive(set []int) []reading {
	out := make([]reading, len(shapes))
	for s := range out {
		out[s].fits = true
		for _, i := range set {
			if out[s] = out[s].join(a.sees[i][s]); !out[s].fits {
				break
			}
		}
	}
	return out
}

func anyFits(all []reading) bool {
	for _, r := range all {
		if r.fits {
			return true
		}
	}
	return false
}

// header settles the array header and a Boolean element's bytes.
func (s *solver) header() {
	var a arrays
	same := map[string]bool{}
	for i := range s.captures {
		if c := &s.captures[i]; c.Value.Type.IsArray() {
			sees := make([]reading, len(shapes))
			for n, sh := range shapes {
				sees[n] = read(c, sh)
			}
			if key := fmt.Sprint(sees); !same[key] {
				same[key] = true
				a.first = append(a.first, i)
				a.sees = append(a.sees, sees)
			}
		}
	}
	n := len(a.first)
	everything := make([]int, n)
	for i := range everything {
		everything[i] = i
	}
	all := a.alive(everything)
	if !anyFits(all) {
		set := smallest(n, func(set []int) bool { return !anyFits(a.alive(set)) })
		s.headerContradiction(&a, set)
		return
	}
	s.chooseHeader(&a, all)
}

// headerContradiction words why no header fits a set of arrays.
func (s *solver) headerContradiction(a *arrays, set []int) {
	captures := make([]int, len(set))
	for i, at := range set {
		captures[i] = a.first[at]
	}
	if len(set) == 1 {
		c := &s.captures[captures[0]]
		s.contradict(captures, "arrayHeader", codec.ValueOffset, "no header with 0 to 8 reserved bytes, a count of %d and an element width of 1, 2, 4 or 8 bytes, followed by the elements stated, makes %s",
			c.Value.Count, short(c.Body[codec.ValueOffset:len(c.Body)-codec.TailSize]))
		return
	}
	// A shape that each of them fits alone is left: then it is one of the numbers that they disagree on.
	for sh := range shapes {
		fit := true
		for _, at := range set {
			fit = fit && a.sees[at][sh].fits
		}
		if !fit {
			continue
		}
		for i := range set {
			for j := range i {
				if name, x, y, ok := disagree(a.sees[set[j]][sh], a.sees[set[i]][sh], shapes[sh]); ok {
					s.contradict(captures, name, codec.ValueOffset, "%s is %s in %s and %s in %s", name, x, s.name(captures[j]), y, s.name(captures[i]))
					return
				}
			}
		}
		s.contradict(captures, "booleanElementTrue", codec.ValueOffset, "the same bytes stand for true and for false")
		return
	}
	reason := "no array header fits all of them"
	for i, at := range set {
		reason += fmt.Sprintf("; %s fits %s", s.name(captures[i]), fitting(a.sees[at]))
	}
	s.contradict(captures, "arrayHeader", codec.ValueOffset, "%s", reason)
}

// disagree finds a number that two readings in one shape show differently, as layout files spell it.
func disagree(x, y reading, sh shape) (name, is, other string, ok bool) {
	for n, name := range [numNumbers]string{"booleanElementTrue", "booleanElementFalse", "stringElementWidth"} {
		w := int(sh.element)
		if n == stringWidth {
			w = 4
		}
		if x.has[n] && y.has[n] && x.is[n] != y.is[n] {
			return name, bytesOf(x.is[n], w), bytesOf(y.is[n], w), true
		}
	}
	return "", "", "", false
}

// fitting lists the header widths in which an array can be read.
func fitting(sees []reading) string {
	seen := map[[2]uint8]bool{}
	out := ""
	for n, r := range sees {
		sh := shapes[n]
		if w := [2]uint8{sh.reserved, sh.width}; r.fits && !seen[w] {
			seen[w] = true
			if out != "" {
				out += " or "
			}
			out += fmt.Sprintf("%d reserved bytes with an element width of %d", sh.reserved, sh.width)
		}
	}
	return out
}

func uintOf(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// bytesOf is a number as its bytes in memory order, in hex.
func bytesOf(v uint64, width int) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return hex.EncodeToString(b[:width])
}
