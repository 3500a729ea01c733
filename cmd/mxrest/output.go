package main

import (
	"errors"
	"io"
	"os"
)

// openOutput opens what --output names: a file, or stdout for "" and "-". done closes it.
func openOutput(e *env, name string) (w io.Writer, done func(*error), err error) {
	if name == "" || name == "-" {
		return e.stdout, func(*error) {}, nil
	}
	f, err := os.Create(name) // #nosec G304 -- the file that the user names
	if err != nil {
		return nil, nil, usageError{err}
	}
	return f, func(err *error) {
		if closed := f.Close(); *err == nil {
			*err = closed
		}
	}, nil
}

// bytesMayGo refuses to write bytes to a terminal, unless --output says so.
func bytesMayGo(stdout io.Writer, output string, text bool) error {
	if output == "" && !text && isTerminal(stdout) {
		return usageError{errors.New("the output is bytes, which a terminal cannot show. Use --hex, --json, --output FILE or a pipe; --output - writes them all the same")}
	}
	return nil
}
