package main

import (
	"fmt"
	"os"

	"mxrest/internal/auth"
)

// keyCmd groups what there is to do with API keys.
type keyCmd struct {
	New keyNewCmd `cmd:"" help:"Make a new API key and its line for the key file."`
}

// Help is shown below the flags.
func (keyCmd) Help() string {
	return `Examples:
  mxrest key new plc-gateway --file keys.txt
  mxrest serve --api-keys keys.txt`
}

type keyNewCmd struct {
	Name string `arg:"" help:"Who will use the key; it stands in logs."`
	File string `short:"f" placeholder:"FILE" help:"Append the line to this key file and print the key alone."`
}

// Help is shown below the flags.
func (keyNewCmd) Help() string {
	return `The key is shown once and stored nowhere: the file holds only its SHA-256.

Examples:
  mxrest key new plc-gateway
  mxrest key new plc-gateway --file keys.txt    then: kill -HUP $(pidof mxrest), or wait ten seconds`
}

func (c *keyNewCmd) Run(e *env) error {
	key, line, err := auth.New(c.Name)
	if err != nil {
		return usageError{err}
	}
	if c.File == "" {
		_, err := fmt.Fprintf(e.stdout, "key:  %s\nline: %s\n", key, line)
		return err
	}
	if err := appendKey(c.File, line); err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.stdout, key)
	return err
}

// appendKey adds a line to a key file, which it makes when there is none. A file that the server would not load is left alone.
func appendKey(path, line string) error {
	old, err := os.ReadFile(path) // #nosec G304 -- the user names the file
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		line = "\n" + line
	}
	if _, err := auth.Parse(append(old, line+"\n"...)); err != nil {
		return usageError{fmt.Errorf("%s: %w", path, err)}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // #nosec G304 -- the user names the file
	if err != nil {
		return err
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
