package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/inspect"
)

// dump writes a body as an annotated hex dump: a line a field, in colours by standing where they are wanted.
type dump struct {
	w      *bufio.Writer
	colour bool
}

// useColour decides over colours: as the flag says, and by itself on a terminal that did not ask for none.
func useColour(flag string, w io.Writer) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	_, none := os.LookupEnv("NO_COLOR")
	return !none && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// The colours, as terminals know them.
const (
	plain   = "\x1b[0m"
	dim     = "\x1b[2m"
	bold    = "\x1b[1m"
	red     = "\x1b[31m"
	green   = "\x1b[32m"
	yellow  = "\x1b[33m"
	magenta = "\x1b[35m"
	cyan    = "\x1b[36m"
)

// colourOf is how a standing looks: what may be wrong on a real plant stands out.
func colourOf(s codec.Standing) string {
	switch s {
	case codec.Confirmed:
		return green
	case codec.Derived:
		return cyan
	case codec.Assumed:
		return yellow
	}
	return magenta
}

func (d *dump) paint(colour, text string) string {
	if !d.colour {
		return text
	}
	return colour + text + plain
}

// perLine is how many bytes stand in a line; a longer field goes on in the next.
const perLine = 12

// fields writes the fields of a body.
func (d *dump) fields(fields []inspect.Field) {
	for i := range fields {
		f := &fields[i]
		rows := hexRows(f.Hex)
		d.row(f.Offset, rows[0], colourOf(f.Standing), f.Name, shown(f), f.Standing.String())
		for n, row := range rows[1:] {
			d.row(f.Offset+(n+1)*perLine, row, colourOf(f.Standing), "", "", "")
		}
	}
}

func (d *dump) row(off int, hex, colour, name, value, standing string) {
	line := fmt.Sprintf("%s  %s  %-22s %-36s %s", d.paint(dim, fmt.Sprintf("%6d", off)), d.paint(colour, fmt.Sprintf("%-*s", 3*perLine-1, hex)), name, value, d.paint(colour, standing))
	fmt.Fprintln(d.w, strings.TrimRight(line, " "))
}

// hexRows splits hex digits into lines of spaced bytes; at least one line.
func hexRows(hex string) []string {
	var rows []string
	for len(hex) > 0 {
		n := min(2*perLine, len(hex))
		var b strings.Builder
		for i := 0; i < n; i += 2 {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(hex[i : i+2])
		}
		rows = append(rows, b.String())
		hex = hex[n:]
	}
	if rows == nil {
		return []string{""}
	}
	return rows
}

// mostText is how many characters of a text a dump shows.
const mostText = 60

// shown is a field's value for a person. Text is quoted, so that nothing in it moves the cursor.
func shown(f *inspect.Field) string {
	var v string
	switch x := f.Value.(type) {
	case string:
		if v = x; strings.HasSuffix(f.Path, "text") {
			if r := []rune(x); len(r) > mostText {
				v = strconv.Quote(string(r[:mostText])) + "…"
			} else {
				v = strconv.Quote(x)
			}
		}
	default:
		v = fmt.Sprint(x)
	}
	if f.Bits != "" {
		v += " bits " + f.Bits
	}
	if f.Text != "" {
		v += " (" + f.Text + ")"
	}
	return v
}

// rest writes the bytes that were not read.
func (d *dump) rest(body []byte, from int) {
	for off := from; off < len(body); off += perLine {
		row := body[off:min(off+perLine, len(body))]
		d.row(off, hexRows(fmt.Sprintf("%x", row))[0], red, "", "", "not read")
	}
}

// form says how the bytes were given.
func formText(f capture.Form) string {
	text := string(f.Name)
	if !f.Certain {
		others := make([]string, len(f.Others))
		for i, o := range f.Others {
			others[i] = string(o)
		}
		text += ", a guess: it could be " + strings.Join(others, " or ") + " too"
	}
	if f.Note != "" {
		text += " (" + f.Note + ")"
	}
	return text
}

// flush writes what is left in w. What fails then is the command's error, unless it has one already.
func flush(w *bufio.Writer, err *error) {
	if failed := w.Flush(); failed != nil && (*err == nil || errors.Is(*err, errFailed)) {
		*err = failed
	}
}

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
