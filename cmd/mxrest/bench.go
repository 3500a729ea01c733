package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"mxrest/internal/bench"
	"mxrest/internal/server"
)

// benchCmd counts in a process of its own, like GET /bench.
type benchCmd struct {
	JSON bool `help:"Print JSON with ns/op and anchors instead of the table."`
}

// Help is shown below the flags.
func (benchCmd) Help() string {
	return `Allocations and bytes are counted exactly over 10,000 operations a row. Exit code 0: the gate holds. 1: it does not,
and the header says which rows fail.

Examples:
  mxrest bench                                  the table, as GET /bench gives it
  mxrest bench --json | jq '.rows[] | select(.allocsPerOp > 0) | .scenario'`
}

func (c *benchCmd) Run(e *env) error {
	rep, err := bench.Child(e.ctx)
	if err != nil {
		return err
	}
	return c.print(e, rep)
}

func (c *benchCmd) print(e *env, rep *bench.Report) (err error) {
	if c.JSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(rep)
	} else {
		_, err = fmt.Fprint(e.stdout, rep.Markdown())
	}
	if err == nil && !rep.Gate.Holds {
		return errFailed
	}
	return err
}

// measuredServer is what the HTTP rows measure: the server as `mxrest serve` starts it without flags.
func measuredServer() (*http.Server, error) {
	cfg := server.Default()
	cfg.Version = version
	return server.NewHTTP(cfg)
}
