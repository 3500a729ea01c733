package learn

import "slices"

// smallest finds a smallest set of the items 0 to n-1 for which holds is true. It must be true for all of them, and stay true when a set grows. Sets of up to
// three items are found for certain while there are not too many of them; a larger one cannot lose an item, but another may be smaller.
func smallest(n int, holds func(set []int) bool) []int {
	const most = 50_000 // sets to try of one size
	tries := 1
	for size := 1; size <= min(3, n); size++ {
		if tries = tries * (n - size + 1) / size; tries > most {
			break
		}
		if set := firstOf(n, size, nil, holds); set != nil {
			return set
		}
	}
	set := make([]int, n)
	for i := range set {
		set[i] = i
	}
	for i := n - 1; i >= 0; i-- {
		if less := slices.Delete(slices.Clone(set), slices.Index(set, i), slices.Index(set, i)+1); holds(less) {
			set = less
		}
	}
	return set
}

// firstOf tries the sets of a size that begin with set.
func firstOf(n, size int, set []int, holds func([]int) bool) []int {
	if len(set) == size {
		if holds(set) {
			return slices.Clone(set)
		}
		return nil
	}
	from := 0
	if len(set) > 0 {
		from = set[len(set)-1] + 1
	}
	for i := from; i < n; i++ {
		if found := firstOf(n, size, append(set, i), holds); found != nil {
			return found
		}
	}
	return nil
}
