package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/layoutfile"
	"mxrest/internal/paste"
)

// maxInput is the longest body, or text that says one, that is read.
const maxInput = 16 << 20

// layoutFlag is the layout that a subcommand works with.
type layoutFlag struct {
	Layout string `env:"MXREST_LAYOUT" placeholder:"FILE" help:"Layout file with the numbers that a plant has instead of the assumed ones."`
}

func (f layoutFlag) load() (*codec.Layout, error) {
	if f.Layout == "" {
		return codec.DefaultLayout(), nil
	}
	l, err := layoutfile.Load(f.Layout)
	if err != nil {
		return nil, usageError{err}
	}
	return l, nil
}

// readAll reads a file, or standard input for "-".
func readAll(e *env, file string) (data []byte, name string, err error) {
	in := e.stdin
	name = "<stdin>"
	if file != "-" && file != "" {
		f, err := os.Open(file) // #nosec G304 -- the file that the user names
		if err != nil {
			if _, notHex := hex.DecodeString(file); notHex == nil && len(file) >= 8 {
				err = fmt.Errorf("open %.16s…: there is no such file; if this is the body itself, pipe it in: echo %.16s… | mxrest decode", file, file)
			}
			return nil, file, usageError{err}
		}
		defer f.Close()
		in, name = f, file
	}
	data, err = io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("%s: %w", name, err)
	case len(data) > maxInput:
		return nil, name, fmt.Errorf("%s: longer than %d bytes", name, maxInput)
	}
	return data, name, nil
}

// readBody reads one body in the form that a flag names: auto, octets, hex, base64 or text.
func readBody(e *env, file, form string) (r paste.Result, name string, err error) {
	data, name, err := readAll(e, file)
	if err != nil {
		return r, name, err
	}
	r, err = bodyOf(data, form)
	if err != nil {
		return r, name, fmt.Errorf("%s: %w", name, err)
	}
	return r, name, nil
}

// noteForm says on stderr in which form a body that was text was read, for subcommands whose output does not show it.
func noteForm(e *env, name string, r paste.Result) {
	if r.Form != paste.Octets {
		fmt.Fprintf(e.stderr, "mxrest: %s: read as %s\n", name, formText(capture.FormOf(r)))
	}
}

// bodyOf reads bytes in the form that a flag names.
func bodyOf(data []byte, form string) (r paste.Result, err error) {
	r = paste.Result{Certain: true}
	text := string(trimLineEnd(data))
	switch form {
	case "octets":
		r.Bytes, r.Form = data, paste.Octets
	case "hex":
		r.Form = paste.HexDigits
		r.Bytes, err = paste.Hex(text)
	case "base64":
		r.Form = paste.Base64Text
		r.Bytes, err = paste.Base64(text)
	case "text":
		r, err = paste.Text(text, maxInput)
	default:
		r, err = paste.File(data, maxInput)
	}
	var e *paste.Error
	if errors.As(err, &e) && e.Limit != "" {
		return r, fmt.Errorf("%w (allowed: %s)", err, e.Limit)
	}
	return r, err
}

func trimLineEnd(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}
