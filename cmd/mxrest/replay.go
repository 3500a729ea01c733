package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

// replayCmd puts other values into a captured write body.
type replayCmd struct {
	File      string   `arg:"" optional:"" default:"-" help:"The captured write body, as for decode. - or nothing: stdin."`
	Form      string   `enum:"auto,octets,hex,base64,text" default:"auto" help:"How it is given: ${enum}."`
	Type      string   `required:"" placeholder:"TYPE" help:"The type that was written when the body was captured, such as Int32."`
	Value     string   `required:"" placeholder:"JSON" help:"The value that was written then, in JSON: 5, true, '\"Hello\"', '[1,2]', '\"2024-01-01T00:00:00Z\"'."`
	Bits      string   `placeholder:"JSON" help:"The bits of that value, where it is or holds a NaN with bits of its own."`
	To        []string `sep:"none" placeholder:"JSON" help:"A value to put in its place, of the same type. May be given several times: a body for each."`
	HandleHex string   `name:"handle-bytes" placeholder:"HEX" help:"Another reference handle, 40 hex digits."`
	Timestamp string   `placeholder:"TIME" help:"Another timestamp, in a timestamped write that the layout decodes."`
	Token     *u32     `placeholder:"N" help:"Another client token, in a body that the layout decodes."`
	Index     *i32     `placeholder:"N" help:"Another write index, in a body that the layout decodes."`
	Hex       bool     `xor:"out" help:"Write hex, a line for each body."`
	JSON      bool     `name:"json" xor:"out" help:"Write JSON, a line for each body: hex, base64, and the ranges that changed."`
	Output    string   `short:"o" placeholder:"FILE" help:"Write to FILE instead of stdout; - is stdout even where that is a terminal."`
	layoutFlag
}

// Help is shown below the flags.
func (replayCmd) Help() string {
	return `For a plant whose bytes differ from the layout. The stated value must stand in the captured body; every byte but those replaced is kept as it was
captured. One new body gives its bytes; several give frames, u32 little-endian length and body.

Exit code 0: all bodies were made. 1: the value does not stand in the body, or a change does not fit. 2: wrong arguments.

Examples:
  mxrest replay captured.bin --type Int32 --value 305419896 --to 7 --hex
  mxrest replay captured.txt --type String --value '"Hello"' --to '"Bye"' --to '""' --json
  mxrest replay captured.bin --type Boolean --value true --to false --token 7 -o new.bin`
}

func (c *replayCmd) Run(e *env) (err error) {
	layout, err := c.load()
	if err != nil {
		return err
	}
	t, ok := codec.ParseType([]byte(c.Type))
	if !ok {
		return usageError{fmt.Errorf("--type: %q is not a type; they are %s", c.Type, typeList())}
	}
	dec := jsonin.New(layout, jsonin.Limits{})
	value, err := jsonValue(dec, t, "--value", c.Value, c.Bits)
	if err != nil {
		return err
	}
	changes, err := c.changes(dec, t)
	if err != nil {
		return err
	}
	if err := bytesMayGo(e.stdout, c.Output, c.Hex || c.JSON); err != nil {
		return err
	}
	body, name, err := readBody(e, c.File, c.Form)
	if err != nil {
		return err
	}
	noteForm(e, name, body)
	r, err := layout.NewReplay(body.Bytes, &value)
	switch {
	case errors.Is(err, codec.ErrNotFound):
		return fmt.Errorf("%s: the stated value does not stand in the captured body: %s", name, capture.StandsThere(layout, body.Bytes, &value))
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	to, done, err := openOutput(e, c.Output)
	if err != nil {
		return err
	}
	defer done(&err)
	out := bufio.NewWriter(to)
	defer flush(out, &err)
	return c.write(out, r, changes)
}

// changes are what the flags ask for: one for each --to, or a single one without another value.
func (c *replayCmd) changes(dec *jsonin.Decoder, t codec.Type) ([]codec.Change, error) {
	base := codec.Change{ClientToken: (*uint32)(c.Token), WriteIndex: (*int32)(c.Index)}
	if c.HandleHex != "" {
		base.Handle = &codec.Handle{}
		if err := flagNode("--handle-bytes", quoted(c.HandleHex), func(n jsonin.Node) error { return jsonin.HandleBytesNode(base.Handle, n, t) }); err != nil {
			return nil, err
		}
	}
	if c.Timestamp != "" {
		err := flagNode("--timestamp", quoted(c.Timestamp), func(n jsonin.Node) error {
			v, err := n.FileTime()
			base.FileTime = &v
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(c.To) == 0 {
		if base == (codec.Change{}) {
			return nil, usageError{errors.New("nothing is to change: give --to, --handle-bytes, --timestamp, --token or --index")}
		}
		return []codec.Change{base}, nil
	}
	all := make([]codec.Change, len(c.To))
	for i, to := range c.To {
		v, err := jsonValue(dec, t, "--to", to, "")
		var misfit *jsonin.Error
		if errors.As(err, &misfit) && !misfit.Syntax {
			return nil, fmt.Errorf("--to: %w", misfit) // no wrong argument, but a change that does not fit
		}
		if err != nil {
			return nil, err
		}
		all[i] = base
		all[i].Value = &v
	}
	return all, nil
}

// write makes the bodies and writes them as the flags ask.
func (c *replayCmd) write(w io.Writer, r *codec.Replay, changes []codec.Change) error {
	var sink encodeSink = &bytesSink{w: w}
	if c.Hex {
		sink = &hexSink{w: w}
	}
	for i := range changes {
		body, ranges, err := r.Append(nil, &changes[i])
		if err != nil {
			return fmt.Errorf("the change cannot be made: %w", err)
		}
		if c.JSON {
			line, err := json.Marshal(capture.ReplayedOf(i, "", body, ranges))
			if err != nil {
				return err
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
			continue
		}
		if err := sink.take(&encodeItem{index: i}, body); err != nil {
			return err
		}
	}
	return sink.end()
}

// jsonValue reads a flag's value of a type.
func jsonValue(dec *jsonin.Decoder, t codec.Type, flag, text, bits string) (v codec.Value, err error) {
	err = flagNode(flag, text, func(n jsonin.Node) error {
		_, err := dec.ValueNode(&v, t, n, nil)
		return err
	})
	if err != nil || bits == "" {
		return v, err
	}
	return v, flagNode("--bits", bits, func(n jsonin.Node) error { return jsonin.BitsNode(&v, n) })
}

// flagNode reads a flag's text as JSON. What is wrong with it is a wrong argument.
func flagNode(flag, text string, read func(jsonin.Node) error) error {
	n, err := jsonin.Parse([]byte(text))
	if err == nil {
		err = read(n)
	} else {
		err = fmt.Errorf("%w; the value is JSON, so text stands in quotes: '\"Hello\"'", err)
	}
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", flag, err)}
	}
	return nil
}

// quoted makes a JSON string of a flag's text.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string can always be written
	}
	return string(b)
}

func typeList() string {
	out := ""
	for i, name := range codec.TypeNames() {
		if i > 0 {
			out += ", "
		}
		out += name
	}
	return out
}
