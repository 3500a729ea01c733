package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// encodeIt runs `mxrest encode` on an input.
func encodeIt(t *testing.T, in string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), append([]string{"encode"}, args...), strings.NewReader(in), &out, &errs)
	return code, out.String(), errs.String()
}

func boolean(id string) string {
	return `{"id":"` + id + `","handleBytes":"` + cases.HandleHex + `","type":"Boolean","value":true}`
}

const (
	booleanHex = "370100050036d702009b000a003eda000001ffffff00000000000000000000000000000000"
	tooLarge   = `{"handleBytes":"` + cases.HandleHex + `","type":"Int32","value":2147483648}`
)

// Every case comes out as it does over HTTP: the bytes, or the pointer and the limit.
func TestEncodeCases(t *testing.T) {
	for _, c := range cases.All() {
		switch c.Name {
		case "a second value on its own line", "an array", "a comment":
			continue // one write too many for a request; on the command line these are batches
		}
		code, out, errs := encodeIt(t, c.JSON, "--hex")
		if c.Status == 200 {
			assert.Equal(t, 0, code, "%s: %s", c.Name, errs)
			assert.Equal(t, c.Hex+"\n", out, c.Name)
			assert.Empty(t, errs, c.Name)
			continue
		}
		assert.Equal(t, 1, code, c.Name)
		assert.Empty(t, out, c.Name)
		assert.True(t, strings.HasPrefix(errs, "mxrest: <stdin>"), c.Name)
		assert.Contains(t, errs, c.Pointer, c.Name)
		assert.Contains(t, errs, c.Limit, c.Name)
		assert.Equal(t, 1, strings.Count(errs, "\n"), c.Name)
	}
}

func TestEncodeOneAsBytes(t *testing.T) {
	want, err := hex.DecodeString(cases.BaseHex)
	require.NoError(t, err)
	for _, in := range []string{cases.Base, cases.Base + "\n", "\n\n" + strings.ReplaceAll(cases.Base, ",", ",\r\n "), "# one\n" + cases.Base, "[" + cases.Base + "]"} {
		code, out, errs := encodeIt(t, in)
		assert.Equal(t, 0, code, errs)
		assert.Equal(t, string(want), out, in)
	}
	code, out, _ := encodeIt(t, cases.Base, "--frames")
	assert.Equal(t, 0, code)
	assert.Equal(t, "\x28\x00\x00\x00"+string(want), out)
}

func TestEncodeSeveral(t *testing.T) {
	one, err := hex.DecodeString(booleanHex)
	require.NoError(t, err)
	frame := "\x25\x00\x00\x00" + string(one)
	for name, in := range map[string]string{
		"lines": boolean("a") + "\r\n\n# two\n" + boolean("b"),
		"array": "[" + boolean("a") + ",\n" + boolean("b") + "]",
	} {
		code, out, errs := encodeIt(t, in)
		assert.Equal(t, 0, code, name+errs)
		assert.Equal(t, frame+frame, out, name)
		code, out, _ = encodeIt(t, in, "--hex")
		assert.Equal(t, 0, code, name)
		assert.Equal(t, booleanHex+"\n"+booleanHex+"\n", out, name)
	}
	// A bad one is left out, and what is left is still a batch.
	for _, in := range []string{boolean("a") + "\n" + tooLarge, tooLarge + "\n" + boolean("a")} {
		code, out, _ := encodeIt(t, in)
		assert.Equal(t, 1, code)
		assert.Equal(t, frame, out)
	}
}

// Errors name the line, in each form of input.
func TestEncodeErrorLines(t *testing.T) {
	const reason = "/value: 2147483648 is out of range (allowed: -2147483648..2147483647)\n"
	for _, c := range []struct{ name, in, errs string }{
		{"lines", "# x\n" + boolean("a") + "\n\n" + tooLarge + "\n" + boolean("b"), "mxrest: <stdin>:4: item 1: " + reason},
		{"array", "[\n" + boolean("a") + ",\n\n" + tooLarge + ",\n" + boolean("b") + "\n]", "mxrest: <stdin>:4: item 1: " + reason},
		{"single", strings.ReplaceAll(tooLarge, ",", ",\n"), "mxrest: <stdin>:3: item 0: " + reason},
		{"with an id", strings.Replace(tooLarge, "{", `{"id":"pump 7",`, 1), "mxrest: <stdin>:1: item 0 (pump 7): " + reason},
		{"broken first line", `{"handle":{]` + "\n" + boolean("a"), "mxrest: <stdin>:1: item 0: /handle: unexpected ']' at offset 11\n"},
		{"broken array", "[" + boolean("a") + "\n" + boolean("b") + "]", "mxrest: <stdin>:2: item 1: unexpected '{' after an element; a comma or ] must follow at offset 99\n"},
		{"empty", "", "mxrest: <stdin>: the input is empty\n"},
		{"blank", "\n \n", "mxrest: <stdin>: the input is empty\n"},
		{"no JSON", "hello\n", "mxrest: <stdin>:1: item 0: unexpected \"hello\" at offset 0\n"},
		{"deep", strings.Repeat("[", 100), "mxrest: <stdin>:1: item 0: objects and arrays nest deeper than 64 at offset 65\n"},
	} {
		code, _, errs := encodeIt(t, c.in, "--hex")
		assert.Equal(t, 1, code, c.name)
		assert.Equal(t, c.errs, errs, c.name)
	}
	// And so it does in a long array, whose beginning is long gone.
	in := "[" + strings.Repeat(boolean("a")+",\n", 20_000) + tooLarge + "]"
	_, _, errs := encodeIt(t, in, "--hex")
	assert.Equal(t, "mxrest: <stdin>:20001: item 20000: "+reason, errs)
}

func TestEncodeJSON(t *testing.T) {
	code, out, errs := encodeIt(t, boolean("a")+"\n"+tooLarge+"\n{}x\n"+boolean(""), "--json")
	assert.Equal(t, 1, code)
	assert.Equal(t, 2, strings.Count(errs, "\n"))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 4)
	for i, want := range []string{
		`{"index":0,"line":1,"id":"a","status":200,"length":37,"hex":"` + booleanHex + `","base64":"NwEABQA21wIAmwAKAD7aAAAB////AAAAAAAAAAAAAAAAAAAAAA=="}`,
		`{"index":1,"line":2,"status":422,"detail":"/value: 2147483648 is out of range","errors":[{"pointer":"/value","reason":"2147483648 is out of range","limit":"-2147483648..2147483647","offset":81}]}`,
		`{"index":2,"line":3,"status":400,"detail":"text follows the end of the JSON value","errors":[{"pointer":"","reason":"text follows the end of the JSON value","offset":2}]}`,
		`{"index":3,"line":4,"status":200,"length":37,"hex":"` + booleanHex + `","base64":"NwEABQA21wIAmwAKAD7aAAAB////AAAAAAAAAAAAAAAAAAAAAA=="}`,
	} {
		assert.True(t, json.Valid([]byte(lines[i])))
		assert.Equal(t, want, lines[i])
	}
}

func TestEncodeFiles(t *testing.T) {
	dir := t.TempDir()
	in, out, layout := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.bin"), filepath.Join(dir, "layout.json")
	require.NoError(t, os.WriteFile(in, []byte(boolean("a")), 0o600))
	require.NoError(t, os.WriteFile(layout, []byte(`{"command":56,"booleanTrue":"01"}`), 0o600))

	code, stdout, errs := encodeIt(t, "", in, "--output", out)
	assert.Equal(t, 0, code, errs)
	assert.Empty(t, stdout)
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, booleanHex, hex.EncodeToString(got))

	code, stdout, errs = encodeIt(t, "", in, "--hex", "--layout", layout)
	assert.Equal(t, 0, code, errs)
	assert.Equal(t, "38"+booleanHex[2:36]+"01"+booleanHex[38:]+"\n", stdout)
}

func TestEncodeUsage(t *testing.T) {
	for _, args := range [][]string{{"--hex", "--json"}, {"--frames", "--hex"}, {"--nonsense"}, {"a", "b"}, {"/does/not/exist"}, {"--layout", "/does/not/exist"}, {"--output", "/does/not/exist"}} {
		code, out, errs := encodeIt(t, cases.Base, args...)
		assert.Equal(t, 2, code, args)
		assert.Empty(t, out, args)
		assert.NotEmpty(t, errs, args)
	}
	code, out, _ := encodeIt(t, "", "--help")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "Examples:")
}

// What cannot be read or written is told, and ends with exit code 1.
func TestEncodeReadAndWriteErrors(t *testing.T) {
	lost := fmt.Errorf("connection lost")
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"encode"}, iotest.ErrReader(lost), &out, &errs)
	assert.Equal(t, 1, code)
	assert.Equal(t, "mxrest: <stdin>: connection lost\n", errs.String())

	errs.Reset()
	code = run(t.Context(), []string{"encode"}, strings.NewReader(cases.Base), brokenWriter{lost}, &errs)
	assert.Equal(t, 1, code)
	assert.Equal(t, "mxrest: connection lost\n", errs.String())
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// However the input is cut into reads, its form is found out alike.
func TestEncodeInputInPieces(t *testing.T) {
	for _, in := range []string{boolean("a") + "\n" + boolean("b"), "[" + boolean("a") + ",\n" + boolean("b") + "]", "\n\n#\n" + boolean("a") + "\n\n" + boolean("b")} {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"encode", "--hex"}, iotest.OneByteReader(strings.NewReader(in)), &out, &errs)
		assert.Equal(t, 0, code, errs.String())
		assert.Equal(t, booleanHex+"\n"+booleanHex+"\n", out.String())
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"encode", "--hex"}, iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(boolean("a"), ",", "\n,"))), &out, &errs)
	assert.Equal(t, 0, code, errs.String())
	assert.Equal(t, booleanHex+"\n", out.String())
}
