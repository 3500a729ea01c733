package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/inspect"
	"mxrest/internal/paste"
)

// diffCmd compares two bodies field by field.
type diffCmd struct {
	Left  string `arg:"" help:"One body, as for decode; - is stdin."`
	Right string `arg:"" help:"The other."`
	Form  string `enum:"auto,octets,hex,base64,text" default:"auto" help:"How both are given: ${enum}."`
	All   bool   `help:"Show the fields that are the same, too."`
	JSON  bool   `name:"json" help:"Print the answer of POST /v1/diff as JSON."`
	Color string `enum:"auto,always,never" default:"auto" help:"Colours: ${enum}."`
	layoutFlag
}

// Help is shown below the flags.
func (diffCmd) Help() string {
	return `Fields are the same when their bytes are, whatever their offsets; so a longer text does not make the tail differ.

Exit code 0: the bodies are the same. 1: they differ, or one does not decode. 2: wrong arguments.

Examples:
  mxrest diff before.bin after.bin
  mxrest diff --all --color never captured.txt encoded.bin
  mxrest encode write.json | mxrest diff captured.bin -`
}

// diffView is the answer of POST /v1/diff.
type diffView struct {
	Same        bool                 `json:"same"`
	Differences int                  `json:"differences"`
	Left        diffSide             `json:"left"`
	Right       diffSide             `json:"right"`
	Fields      []inspect.Difference `json:"fields"`
}

type diffSide struct {
	Message string       `json:"message"`
	Length  int          `json:"length"`
	Form    capture.Form `json:"form"`
}

func (c *diffCmd) Run(e *env) (err error) {
	layout, err := c.load()
	if err != nil {
		return err
	}
	if c.Left == "-" && c.Right == "-" {
		return usageError{errors.New("only one of the two bodies can come from stdin")}
	}
	var (
		bodies [2]paste.Result
		sides  [2]diffSide
		fields [2][]inspect.Field
	)
	for i, file := range []string{c.Left, c.Right} {
		r, name, err := readBody(e, file, c.Form)
		if err != nil {
			return err
		}
		noteForm(e, name, r)
		rep := inspect.Body(layout, r.Bytes, inspect.Options{})
		if rep.Err != nil {
			return notDecoded(layout, name, r.Bytes, rep.Err)
		}
		bodies[i], fields[i] = r, rep.Fields
		sides[i] = diffSide{Message: rep.Kind.String(), Length: len(r.Bytes), Form: capture.FormOf(r)}
	}
	view := diffView{Same: bytes.Equal(bodies[0].Bytes, bodies[1].Bytes), Left: sides[0], Right: sides[1]}
	view.Fields, view.Differences = inspect.Diff(fields[0], fields[1])

	out := bufio.NewWriter(e.stdout)
	defer flush(out, &err)
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		err = enc.Encode(view)
	} else {
		c.print(out, useColour(c.Color, e.stdout), &view)
	}
	if err == nil && !view.Same {
		return errFailed
	}
	return err
}

// notDecoded words why a body that a subcommand needs whole does not decode.
func notDecoded(l *codec.Layout, name string, body []byte, err error) error {
	field, reason, _, off := inspect.Reason(l, body, err)
	if field != "" {
		field += " "
	}
	return fmt.Errorf("%s: %sat offset %d: %s", name, field, off, reason)
}

// print shows the differences as diff does: what only the left body has after -, what only the right one has after +.
func (c *diffCmd) print(w io.Writer, colour bool, v *diffView) {
	d := dump{colour: colour}
	side := func(mark, col string, f *inspect.Field) {
		fmt.Fprintln(w, d.paint(col, fmt.Sprintf("%s %6d  %-22s %-24s %s", mark, f.Offset, f.Name, short(f.Hex, 24), shown(f))))
	}
	for _, f := range v.Fields {
		switch f.State {
		case inspect.Same:
			if c.All {
				side(" ", dim, f.Left)
			}
		default:
			if f.Left != nil {
				side("-", red, f.Left)
			}
			if f.Right != nil {
				side("+", green, f.Right)
			}
		}
	}
	if v.Same {
		fmt.Fprintln(w, "the same")
		return
	}
	if v.Differences == 1 {
		fmt.Fprintln(w, "1 field differs")
		return
	}
	fmt.Fprintf(w, "%d fields differ\n", v.Differences)
}

// short cuts a text to a width.
func short(s string, most int) string {
	if len(s) > most {
		return s[:most-1] + "…"
	}
	return s
}
