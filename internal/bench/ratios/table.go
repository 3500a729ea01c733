package main

import (
	"fmt"

	"mxrest/internal/bench/plain"
)

// table prints rows as they come and counts those beyond their reach.
type table struct {
	again  int
	slack  float64 // a row fails beyond slack times its reach
	beyond int     // rows beyond their reach
	failed int     // rows beyond slack times their reach
}

func (t *table) head() {
	t.print("", "what", "ratio", "reach", "ours, ns", "other, ns", "A/A")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|")
}

func (t *table) print(cells ...any) {
	fmt.Printf("| %-2s | %-72s | %6s | %7s | %8s | %9s | %4s |\n", cells...)
}

// row compares two loops. A ratio beyond its reach is measured again: noise only ever makes one of the two slower.
func (t *table) row(id, what string, ours, other plain.Loop, reach float64) {
	c := compare(ours, other)
	for range t.again {
		if c.ratio <= reach {
			break
		}
		if next := compare(ours, other); next.ratio < c.ratio {
			c = next
		}
	}
	mark := ""
	if c.ratio > reach {
		mark = " !"
		t.beyond++
		if c.ratio > reach*t.slack {
			t.failed++
		}
	}
	t.print(id, what, fmt.Sprintf("%.2f%s", c.ratio, mark), fmt.Sprintf("<= %.2f", reach), fmt.Sprintf("%.1f", c.ns), fmt.Sprintf("%.1f", c.than), fmt.Sprintf("%.2f", c.aa))
}
