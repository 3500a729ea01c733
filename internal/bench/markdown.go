package bench

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Markdown is the run as GET /bench and `mxrest bench` show it: a header, the table, and what each row includes.
func (r *Report) Markdown() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# mxrest bench")
	p("")
	p("- Go: %s %s/%s, GOMAXPROCS=1", r.Go, r.OS, r.Arch)
	p("- CPU: %s", r.CPU)
	p("- Build: %s", r.build())
	p("- Date: %s, %d s ago", r.Date.Format(time.RFC3339), r.AgeSeconds)
	p("- Gate: %s (%s)", r.verdict(), r.Gate.Rule)
	for _, f := range r.Gate.Failures {
		p("  - %s", f)
	}
	p("")
	p("| scenario | iters | allocs/op | bytes/op | deallocs/op |")
	p("|---|---:|---:|---:|---:|")
	for _, row := range r.Rows {
		p("| %s | %d | %s | %s | %s |", row.Scenario, row.Iterations, number(row.Allocs), number(row.Bytes), number(row.Deallocs))
	}
	p("")
	p("Each row counts %d operations after %d to warm up. What one operation includes:", r.Iterations, r.Warmup)
	p("")
	for _, row := range r.Rows {
		p("- **%s**: %s.", row.Scenario, row.Includes)
	}
	return b.String()
}

func (r *Report) verdict() string {
	if r.Gate.Holds {
		return "holds"
	}
	return "FAILS"
}

func (r *Report) build() string {
	if r.Revision == "" {
		return r.Version
	}
	return r.Version + ", " + r.Revision
}

// number writes a count per operation with two digits at most: what is less is the runtime's own work, not the operation's. The JSON
// form has all digits.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
