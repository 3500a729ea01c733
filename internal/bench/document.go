package bench

import (
	"fmt"
	"strings"
)

// Exact is the part of docs/bench.md that does not depend on the machine: what the reference publishes beside what this run counted, and
// every row that the gate covers. A test holds the file against it.
func (r *Report) Exact() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("## Beside the reference")
	p("")
	p("The public Rust codec's bench publishes these rows, counted the same way. Its deallocations equal its allocations.")
	p("")
	p("| scenario | reference, allocs/op | bytes/op | mxrest, allocs/op | bytes/op |")
	p("|---|---:|---:|---:|---:|")
	for _, row := range r.Rows {
		if ref := row.Reference; ref != nil {
			p("| %s | %g | %g | %s | %s |", row.Scenario, ref.Allocs, ref.Bytes, number(row.Allocs), number(row.Bytes))
		}
	}
	p("")
	p("The reference's handle from names costs 2 allocations and 22 bytes for a name it meets first and nothing after that, from a cache;")
	p("here no name is ever cached. Into a fresh buffer one allocation is left, the body itself; 48 bytes is Go's size class for its 40.")
	p("")
	p("## Every row that the gate covers")
	p("")
	p("| scenario | allocs/op | bytes/op | deallocs/op | what one operation includes |")
	p("|---|---:|---:|---:|---|")
	for _, row := range r.Rows {
		if row.Gated && row.Scenario != rowWrite {
			p("| %s | %s | %s | %s | %s |", row.Scenario, number(row.Allocs), number(row.Bytes), number(row.Deallocs), row.Includes)
		}
	}
	return b.String()
}

// Measured is the part of docs/bench.md that a machine has a say in: the HTTP rows, whose counts follow net/http's.
func (r *Report) Measured() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("| scenario | allocs/op | bytes/op | what one operation includes |")
	p("|---|---:|---:|---|")
	for _, row := range r.Rows {
		if !row.Gated || row.Scenario == rowWrite {
			p("| %s | %s | %s | %s |", row.Scenario, number(row.Allocs), number(row.Bytes), row.Includes)
		}
	}
	return b.String()
}
