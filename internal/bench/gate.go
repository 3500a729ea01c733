package bench

import "fmt"

// Limits of the gate.
const (
	referenceLimit = 5   // the reference's own gate: a write row that reaches it fails
	moreAllocs     = 4   // POST /v1/write may allocate so many more objects than a bare handler
	moreBytes      = 512 // and so many more bytes
)

// Gate is what a run is judged by.
type Gate struct {
	Holds    bool     `json:"holds"`
	Rule     string   `json:"rule"`
	Failures []string `json:"failures"`
}

const rule = "codec and JSON rows allocate nothing (into a fresh buffer: once); a write row at 5 allocations or more fails by the reference's gate too; " +
	"POST /v1/write allocates at most 4 objects and 512 bytes more than a bare handler"

// judge holds the rows of a run against their scenarios. The two lists run in parallel.
func judge(list []Scenario, rows []Row) Gate {
	g := Gate{Rule: rule, Failures: []string{}}
	fail := func(format string, args ...any) { g.Failures = append(g.Failures, fmt.Sprintf(format, args...)) }
	var bare *Row
	for i, s := range list {
		r := &rows[i]
		switch {
		case s.Write && r.Allocs >= referenceLimit:
			fail("%s: %.4f allocs/op, the reference allows less than %d", s.Name, r.Allocs, referenceLimit)
		case s.Allocs != Ungated && r.Allocs > s.Allocs:
			fail("%s: %.4f allocs/op, %g allowed", s.Name, r.Allocs, s.Allocs)
		}
		switch s.Name {
		case rowBare:
			bare = r
		case rowWrite:
			if bare == nil {
				break
			}
			if more := r.Allocs - bare.Allocs; more > moreAllocs+noise {
				fail("%s: %.4f allocs/op more than a bare handler, %d allowed", s.Name, more, moreAllocs)
			}
			if more := r.Bytes - bare.Bytes; more > moreBytes {
				fail("%s: %.1f bytes/op more than a bare handler, %d allowed", s.Name, more, moreBytes)
			}
		}
	}
	g.Holds = len(g.Failures) == 0
	return g
}

// noise is how far two counts of the same whole requests may lie apart: the poller and the timers under them allocate now and then.
const noise = 0.01
