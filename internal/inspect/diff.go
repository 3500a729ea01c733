package inspect

// Difference is one field of two bodies: in both, or in one of them.
type Difference struct {
	Path  string `json:"path"`
	Name  string `json:"name"`
	State string `json:"state"` // same, differs, leftOnly or rightOnly
	Left  *Field `json:"left,omitempty"`
	Right *Field `json:"right,omitempty"`
}

// The states of a Difference.
const (
	Same      = "same"
	Differs   = "differs"
	LeftOnly  = "leftOnly"
	RightOnly = "rightOnly"
)

// Diff compares two bodies field by field: those with one path are one field, whatever their offsets. They come in the order of the left body, those of the
// right body alone before the field that they stand before there. differences counts all that are not the same.
func Diff(left, right []Field) (all []Difference, differences int) {
	at := make(map[string]int, len(right))
	for i := range right {
		at[right[i].Path] = i
	}
	inLeft := make(map[string]bool, len(left))
	for i := range left {
		inLeft[left[i].Path] = true
	}
	next := 0 // of the right fields, the first that was not passed yet
	pass := func(to int) {
		for ; next < to; next++ {
			if r := &right[next]; !inLeft[r.Path] {
				all = append(all, Difference{r.Path, r.Name, RightOnly, nil, r})
				differences++
			}
		}
	}
	for i := range left {
		l := &left[i]
		k, both := at[l.Path]
		if !both {
			all = append(all, Difference{l.Path, l.Name, LeftOnly, l, nil})
			differences++
			continue
		}
		pass(k)
		state := Same
		if l.Hex != right[k].Hex {
			state = Differs
			differences++
		}
		all = append(all, Difference{l.Path, l.Name, state, l, &right[k]})
	}
	pass(len(right))
	return all, differences
}
