package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/inspect"
	"mxrest/internal/paste"
)

// decodeCmd shows what stands in message bodies, without a server.
type decodeCmd struct {
	File      string  `arg:"" optional:"" default:"-" help:"The body: bytes, or text in any form that people paste. - or nothing: stdin."`
	Text      *string `placeholder:"TEXT" help:"The body as text, instead of a file."`
	Form      string  `enum:"auto,octets,hex,base64,text" default:"auto" help:"How the body is given: ${enum}. With auto, what is all text is read as text; the form that was found is shown."`
	Frames    bool    `help:"The input is frames, u32 little-endian length and body, as encode writes for several writes."`
	Object    string  `placeholder:"NAME" help:"An object's name to check against the signature."`
	Attribute string  `placeholder:"NAME" help:"An attribute's name to check against the signature."`
	JSON      bool    `name:"json" help:"Print the answer of POST /v1/decode as JSON, a line for each body."`
	Color     string  `enum:"auto,always,never" default:"auto" help:"Colours by standing: ${enum}."`
	layoutFlag
}

// Help is shown below the flags.
func (decodeCmd) Help() string {
	return `Each line of the dump is a field: offset, bytes, name, value, and how well it is known. A body that breaks off or cannot be right shows
the fields before the fault, then the offset and the reason.

Exit code 0: all bodies were decoded. 1: some were not. 2: wrong arguments.

Examples:
  mxrest decode --text '370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000'
  mxrest decode --text '00 00 50 80 00'
  mxrest decode --attribute TestInt capture.bin
  mxrest decode --json dump.txt
  mxrest encode writes.ndjson | mxrest decode --frames`
}

func (c *decodeCmd) Run(e *env) (err error) {
	layout, err := c.load()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.stdout)
	defer flush(out, &err)
	p := &decodePrinter{cmd: c, layout: layout, dump: dump{out, useColour(c.Color, e.stdout)}, stderr: e.stderr}
	switch {
	case c.Text != nil && (c.Frames || c.File != "-"):
		return usageError{errors.New("--text stands instead of a file and of --frames")}
	case c.Text != nil:
		form := c.Form
		if form == "auto" {
			form = "text"
		}
		r, err := bodyOf([]byte(*c.Text), form)
		if err != nil {
			return fmt.Errorf("--text: %w", err)
		}
		return p.done(p.show("--text", r))
	case c.Frames:
		return c.frames(e, p)
	}
	r, name, err := readBody(e, c.File, c.Form)
	if err != nil {
		return err
	}
	return p.done(p.show(name, r))
}

// frames decodes one body after the other.
func (c *decodeCmd) frames(e *env, p *decodePrinter) error {
	data, name, err := readAll(e, c.File)
	if err != nil {
		return err
	}
	good := true
	for i, off := 0, 0; off < len(data); i++ {
		left := data[off:]
		if len(left) < 4 || uint64(binary.LittleEndian.Uint32(left)) > uint64(len(left)-4) {
			return fmt.Errorf("%s: frame %d at offset %d: the input ends inside it", name, i, off)
		}
		n := int(binary.LittleEndian.Uint32(left))
		if !p.show(fmt.Sprintf("%s: frame %d", name, i), paste.Result{Bytes: left[4 : 4+n], Form: paste.Octets, Certain: true}) {
			good = false
		}
		off += 4 + n
	}
	return p.done(good)
}

// decodePrinter shows bodies as a dump or as JSON.
type decodePrinter struct {
	cmd    *decodeCmd
	layout *codec.Layout
	dump   dump
	stderr io.Writer
	shown  int
}

func (p *decodePrinter) done(good bool) error {
	if !good {
		return errFailed
	}
	return nil
}

// decodeFault is what --json prints for a body that does not decode.
type decodeFault struct {
	Status int             `json:"status"`
	Detail string          `json:"detail"`
	Offset int             `json:"offset"`
	Limit  string          `json:"limit,omitempty"`
	Fields []inspect.Field `json:"fields"`
	Hex    string          `json:"hex"`
	Form   capture.Form    `json:"form"`
}

// show shows one body and tells whether it was decoded.
func (p *decodePrinter) show(name string, r paste.Result) bool {
	o := inspect.Options{Object: p.cmd.Object, Attribute: p.cmd.Attribute}
	rep := inspect.Body(p.layout, r.Bytes, o)
	form := capture.FormOf(r)
	field, reason, limit, off := "", "", "", 0
	if rep.Err != nil {
		field, reason, limit, off = inspect.Reason(p.layout, r.Bytes, rep.Err)
		if errors.Is(rep.Err, codec.ErrOpcode) {
			reason += ". " + inspect.UnknownMessage(r.Bytes, "give --frames", "mxrest learn works the layout out, for --layout, and mxrest replay puts other values into the body as it is")
		}
		if field != "" {
			field += " "
		}
		defer func() {
			_ = p.dump.w.Flush() // in the order in which things happened; an error comes again at the end
			fmt.Fprintf(p.stderr, "mxrest: %s: %sat offset %d: %s\n", name, field, off, reason)
		}()
	}
	if p.cmd.JSON {
		var v any = capture.Decoded{View: rep.View(p.layout, r.Bytes, o), Form: form}
		if rep.Err != nil {
			v = decodeFault{Status: 422, Detail: fmt.Sprintf("%sat offset %d: %s", field, off, reason), Offset: off, Limit: limit,
				Fields: append([]inspect.Field{}, rep.Fields...), Hex: hex.EncodeToString(r.Bytes), Form: form}
		}
		enc := json.NewEncoder(p.dump.w)
		enc.SetEscapeHTML(false)
		return enc.Encode(v) == nil && rep.Err == nil
	}
	d := &p.dump
	if p.shown++; p.shown > 1 {
		fmt.Fprintln(d.w)
	}
	what := rep.Kind.String()
	if rep.Kind == 0 {
		what = "no known message"
	}
	fmt.Fprintf(d.w, "%s, %s, given as %s\n", d.paint(bold, what), count(len(r.Bytes), "byte"), formText(form))
	d.fields(rep.Fields)
	if rep.Err != nil {
		end := 0
		if n := len(rep.Fields); n > 0 {
			end = rep.Fields[n-1].Offset + rep.Fields[n-1].Length
		}
		d.rest(r.Bytes, end)
		return false
	}
	v := rep.View(p.layout, r.Bytes, o)
	p.names(v.Names)
	if n := v.Standing.Bytes.Assumed; n > 0 {
		fmt.Fprintf(d.w, "%s of %d are %s: they may be wrong on a real plant\n", count(n, "byte"), v.Length, d.paint(yellow, "assumed"))
	}
	switch {
	case v.OperationStatus != nil:
		fmt.Fprintf(d.w, "meaning: %s\n", v.OperationStatus.Meaning)
	case v.Write != nil:
		fmt.Fprintf(d.w, "as JSON: %s\n", v.Write)
	case v.ItemControl != nil:
		fmt.Fprintf(d.w, "as JSON: %s\n", v.ItemControl)
	case v.Reason != "":
		fmt.Fprintf(d.w, "JSON cannot say it: %s\n", v.Reason)
	}
	return true
}

// names says whether the names that were given are those of the body.
func (p *decodePrinter) names(c *inspect.NameChecks) {
	if c == nil {
		return
	}
	for _, n := range []*inspect.NameCheck{c.Object, c.Attribute} {
		switch {
		case n == nil:
		case n.Matches:
			fmt.Fprintf(p.dump.w, "%q has the signature that stands here, 0x%04x\n", n.Name, n.BodySignature)
		default:
			fmt.Fprintln(p.dump.w, p.dump.paint(red, fmt.Sprintf("%q has the signature 0x%04x; 0x%04x stands here", n.Name, n.NameSignature, n.BodySignature)))
		}
	}
}
