// Command wiredoc writes docs/wire.md from the tables that the product inspects bodies with.
package main

import (
	"fmt"
	"os"

	"mxrest/internal/inspect"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wiredoc FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], inspect.WireDoc(), 0o644); err != nil { // #nosec G306 -- a document that everybody may read
		fmt.Fprintln(os.Stderr, "wiredoc:", err)
		os.Exit(1)
	}
}
