// Command reference writes docs/reference.md from the OpenAPI document: each operation with its types, statuses and an
// example, and each schema with its members, in the document's own order.
package main

import (
	"fmt"
	"os"

	"mxrest/api"
)

//go:generate go run . ../reference.md

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference FILE")
		os.Exit(2)
	}
	page, err := render(api.YAML())
	if err == nil {
		err = os.WriteFile(os.Args[1], page, 0o644) //nolint:gosec // a page of the documentation, for everybody to read
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}
