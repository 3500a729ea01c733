package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mxrest/internal/capture"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/learn"
)

// learnCmd works out a layout from captured bodies.
type learnCmd struct {
	Dir    string `arg:"" help:"A folder of captures: FILE.json, with the body in it or beside it."`
	Output string `short:"o" placeholder:"FILE" help:"Write the layout file to FILE instead of stdout."`
	JSON   bool   `name:"json" help:"Print the answer of POST /v1/layout/learn as JSON instead of the layout file."`
	layoutFlag
}

// Help is shown below the flags.
func (learnCmd) Help() string {
	return `Each capture is a file NAME.json that says what a captured write body wrote. Only type and value must be there; what is left out is unknown:
  {
    "hex": "3701…",                  the body; or "base64", or "text" in any form that decode takes; or none of
                                     them, and the body stands beside it in NAME.bin, NAME.hex or NAME.txt
    "type": "Int32",                 Boolean, Int32, Float32, Float64, String, DateTime, … as for encode
    "value": 305419896,              what was written, as for encode; "bits" beside it for a NaN's own bits
    "handle": {"objectId": 5, "object": "TestChildObject", "attribute": "TestInt"},
    "timestamp": "2024-01-01T00:00:00Z",   of a timestamped write
    "timestamped": false,            when only that is known
    "clientToken": 7, "writeIndex": 1
  }
Captures that settle most: each type once, true and false, arrays that are not empty (a BooleanArray with both), and a normal and a timestamped
write with a client token and a write index that differ and are not 0.

The layout file goes to stdout, or to --output; mxrest serve, encode and decode take it with --layout. What was learned from which captures,
what stays open, and what contradicts itself is told on stderr.

Exit code 0: a layout reproduces all captures. 1: none does, or a capture cannot be read. 2: wrong arguments.

Examples:
  mxrest learn captures/ > plant.json
  mxrest learn captures/ -o plant.json && mxrest serve --layout plant.json
  mxrest learn --json captures/`
}

func (c *learnCmd) Run(e *env) error {
	base, err := c.load()
	if err != nil {
		return err
	}
	captures, err := readCaptures(c.Dir)
	if err != nil {
		return err
	}
	res, err := capture.Learn(base, captures)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(res)
	} else {
		err = c.report(e, res)
	}
	if err == nil && !res.Found {
		return errFailed
	}
	return err
}

// report writes the layout file, and tells the rest on stderr.
func (c *learnCmd) report(e *env, res *capture.Learned) error {
	w := e.stderr
	if !res.Found {
		fmt.Fprintf(w, "mxrest: no layout reproduces all of %s:\n", count(res.Captures, "capture"))
		for _, x := range res.Contradictions {
			member := ""
			if x.Member != "" {
				member = x.Member + ", "
			}
			fmt.Fprintf(w, "  %s: %soffset %d: %s\n", strings.Join(x.Captures, " and "), member, x.Offset, x.Reason)
		}
		return nil
	}
	fmt.Fprintf(w, "%s settled by %s:\n", count(len(res.Members), "member"), count(res.Captures, "capture"))
	for _, m := range res.Members {
		fmt.Fprintf(w, "  %-30s %-12s from %s\n", m.Name, plainValue(m.Value), strings.Join(m.SettledBy, ", "))
	}
	if len(res.Open) > 0 {
		fmt.Fprintf(w, "%s open:\n", count(len(res.Open), "member"))
	}
	for _, m := range res.Open {
		fmt.Fprintf(w, "  %-30s %-12s %s\n", m.Name, plainValue(m.Value), m.Why)
	}
	file := append(slices.Clone([]byte(res.Layout)), '\n')
	if c.Output == "" || c.Output == "-" {
		_, err := e.stdout.Write(file)
		return err
	}
	return os.WriteFile(c.Output, file, 0o644) // #nosec G306 -- a layout file is no secret
}

// plainValue is a member's value in a column: a list is padded as a whole, not each of its elements.
func plainValue(v any) string { return fmt.Sprint(v) }

// maxCaptures is how many captures are read from a folder.
const maxCaptures = 100_000

// readCaptures reads all captures of a folder, in the order of their names. It tells of all that cannot be read.
func readCaptures(dir string) ([]learn.Capture, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, usageError{err}
	} else if !info.IsDir() {
		return nil, usageError{fmt.Errorf("%s is not a folder", dir)}
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.json"))
	if err != nil {
		return nil, usageError{err}
	}
	switch {
	case len(files) == 0:
		return nil, usageError{fmt.Errorf("%s has no capture: no file that ends in .json", dir)}
	case len(files) > maxCaptures:
		return nil, fmt.Errorf("%s has more than %d captures", dir, maxCaptures)
	}
	slices.Sort(files)
	read := capture.Reader{JSON: jsonin.New(nil, jsonin.Limits{}), Max: maxInput}
	var all []learn.Capture
	var bad []error
	for _, file := range files {
		c, err := readCapture(read, file)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", file, err))
			continue
		}
		all = append(all, c)
	}
	return all, errors.Join(bad...)
}

// escapeGlob keeps a folder's name from being taken for a pattern.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

// readCapture reads a capture, and its body from beside it where it does not hold it.
func readCapture(read capture.Reader, file string) (c learn.Capture, err error) {
	text, _, err := readAll(&env{stdin: strings.NewReader("")}, file)
	if err != nil {
		return c, err
	}
	root, err := jsonin.Parse(text)
	if err != nil {
		return c, err
	}
	body, err := besides(file)
	if err != nil {
		return c, err
	}
	c, err = read.Capture(root, filepath.Base(file), body)
	if e := (*jsonin.Error)(nil); body == nil && errors.As(err, &e) && e.Pointer == "/hex" && strings.HasSuffix(e.Reason, "missing") {
		stem := strings.TrimSuffix(filepath.Base(file), ".json")
		return c, fmt.Errorf("%w; or the body beside it in %s.bin, %s.hex or %s.txt", err, stem, stem, stem)
	}
	return c, err
}

// besides reads the body of a capture from NAME.bin, NAME.hex or NAME.txt; nil when there is none of them.
func besides(file string) ([]byte, error) {
	stem := strings.TrimSuffix(file, ".json")
	for _, x := range []struct{ ext, form string }{{".bin", "octets"}, {".hex", "text"}, {".txt", "text"}} {
		if _, err := os.Stat(stem + x.ext); errors.Is(err, os.ErrNotExist) {
			continue
		}
		r, _, err := readBody(&env{stdin: strings.NewReader("")}, stem+x.ext, x.form)
		if err != nil {
			return nil, err
		}
		return r.Bytes, nil
	}
	return nil, nil
}
