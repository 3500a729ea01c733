// Command benchdoc writes docs/bench.md, as `make bench-doc` does: figures counted now, and the tables of ratios that it is given.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	"mxrest/internal/bench"
	"mxrest/internal/server"
)

const head = `# What encoding costs

Written by ` + "`make bench-doc`" + `; do not edit. A test holds the tables of counts against the code, so that they cannot drift; the ratios say on
which machine and day they were measured.

Counted are 10,000 operations after 1,000 to warm up, at GOMAXPROCS 1, with the collector off in between: every object and byte that the
process allocates, and every object that is freed afterwards. ` + "`mxrest bench`" + ` and ` + "`GET /bench`" + ` count the same rows in a process of their own and
say whether the gate holds: no codec or JSON row may allocate, and a write row that reached 5 allocations would fail by the reference's
gate too.

The last two tables are ratios. Those of ` + "`make bench-http`" + ` on CPU and rates (P7, P9, P11) want a machine that does nothing else; they stand here
when the last run had one.

`

func main() {
	bench.ChildMain("dev", func() (*http.Server, error) { return server.NewHTTP(server.Default()) })
	ratios := flag.String("ratios", "", "file with the table of `make bench`")
	load := flag.String("http", "", "file with the table of `make bench-http`")
	out := flag.String("o", "docs/bench.md", "file to write")
	flag.Parse()
	if err := write(*out, *ratios, *load); err != nil {
		fmt.Fprintln(os.Stderr, "benchdoc:", err)
		os.Exit(1)
	}
}

func write(out, ratios, load string) error {
	rep, err := bench.Child(context.Background())
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteString(rep.Exact())
	fmt.Fprintf(&b, "\n## Measured on %s, %s, %s/%s, %s\n", rep.Date.Format("2006-01-02"), rep.Go, rep.OS, rep.Arch, rep.CPU)
	b.WriteString("\nWhole requests, and the handlers without them. Most of what they allocate is net/http's, so the counts change with Go.\n\n")
	b.WriteString(rep.Measured())
	if err := section(&b, "`make bench`: ratios within one run, each against a plain counterpart", ratios); err != nil {
		return err
	}
	if err := section(&b, "`make bench-http`: the server in a process of its own", load); err != nil {
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// section adds the table of a file.
func section(b *strings.Builder, title, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n### %s\n\n", title)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "|") {
			b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
		}
	}
	return nil
}
