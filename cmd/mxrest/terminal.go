package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal tells whether what is written to w is shown to a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
