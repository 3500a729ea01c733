package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// mxrest runs the program on an input.
func mxrest(t *testing.T, in string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(in), &out, &errs)
	return code, out.String(), errs.String()
}

func octets(t *testing.T, s string) string {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return string(b)
}

func TestDecodeDump(t *testing.T) {
	code, out, errs := mxrest(t, octets(t, cases.BaseHex), "decode", "--attribute", "TESTINT", "--object", "Other")
	require.Equal(t, 0, code, errs)
	lines := strings.Split(out, "\n")
	assert.Equal(t, "normalWrite, 40 bytes, given as octets", lines[0])
	assert.Equal(t, "     0  37                                   command                55 (0x37)                            assumed", lines[1])
	assert.Contains(t, out, "    18  78 56 34 12                          value                  305419896                            confirmed\n")
	assert.Contains(t, out, `"TESTINT" has the signature that stands here, 0xda3e`)
	assert.Contains(t, out, `"Other" has the signature`)
	assert.Contains(t, out, "22 bytes of 40 are assumed")
	assert.NotContains(t, out, "\x1b")

	_, out, _ = mxrest(t, octets(t, cases.BaseHex), "decode", "--color", "always")
	assert.Contains(t, out, "\x1b[33massumed\x1b[0m")

	// Nothing in text moves the cursor.
	_, out, _ = mxrest(t, cases.Body("05", "0a000000"+"06000000"+"1b000700"+"0000"), "decode")
	assert.Contains(t, out, `"\x1b\a"`)
}

// What is decoded as JSON encodes to the same bytes again.
func TestDecodeJSON(t *testing.T) {
	for _, c := range cases.All() {
		if c.Hex == "" || len(c.Hex) > 10_000 {
			continue
		}
		code, out, errs := mxrest(t, c.Hex+"\n", "decode", "--json", "--form", "hex")
		require.Equal(t, 0, code, "%s: %s", c.Name, errs)
		var d struct {
			Write json.RawMessage
			Exact bool
			Form  struct{ Name string }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &d), c.Name)
		assert.True(t, d.Exact, c.Name)
		assert.Equal(t, "hex", d.Form.Name)
		code, out, errs = mxrest(t, string(d.Write), "encode", "--hex")
		require.Equal(t, 0, code, "%s: %s", c.Name, errs)
		assert.Equal(t, c.Hex+"\n", out, c.Name)
	}
}

func TestDecodeBroken(t *testing.T) {
	code, out, errs := mxrest(t, octets(t, cases.BaseHex+"00"), "decode")
	assert.Equal(t, 1, code)
	assert.Equal(t, "mxrest: <stdin>: at offset 40: 1 byte follows the end of the message\n", errs)
	assert.Contains(t, out, "write index")
	assert.Contains(t, out, "    40  00                                                                                               not read\n")

	code, out, errs = mxrest(t, "", "decode", "--json", "--text", "37 01 00 05")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "object id at offset 3: the body ends inside this field, after 1 byte of it")
	assert.Contains(t, out, `"offset":3`)

	for _, args := range [][]string{{"decode", "nowhere"}, {"decode", "--form", "x"}, {"decode", "--text", "00", "--frames"}, {"decode", "--layout", "nowhere", "--text", "00"}} {
		code, _, errs = mxrest(t, "", args...)
		assert.Equal(t, 2, code, "%v: %s", args, errs)
		assert.NotEmpty(t, errs)
	}
	code, _, errs = mxrest(t, cases.BaseHex, "decode", "--text", "")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "--text: ", "an empty text is not standard input")
	for _, in := range []string{"000", "zz", "0x1"} {
		code, _, errs = mxrest(t, in, "decode")
		assert.Equal(t, 1, code, "%s: %s", in, errs)
		assert.Equal(t, 1, strings.Count(errs, "\n"))
	}
}

// The form that was read is always told.
func TestDecodeForms(t *testing.T) {
	for in, want := range map[string]string{
		"00 00 50 80 00\n":               "given as spacedHex\n",
		"0000  00 00 50 80 00\n":         "given as wireshark, a guess: it could be spacedHex too\n",
		"{ 0x00,0x00,0x50,0x80,0x00 }\n": "given as cArray\n",
		"AABQgAA=\n":                     "given as base64\n",
		"0000  00 00 50 80 0":            "(the last byte has one digit",
		"\x00\x00\x50\x80\x00":           "given as octets\n",
	} {
		code, out, errs := mxrest(t, in, "decode")
		require.Equal(t, 0, code, errs)
		assert.Contains(t, out, want)
		assert.Contains(t, out, "meaning: write complete")
	}
}

func TestDecodeFrames(t *testing.T) {
	_, frames, _ := mxrest(t, cases.Base+"\n"+cases.Base+"\n", "encode")
	code, out, errs := mxrest(t, frames, "decode", "--frames")
	require.Equal(t, 0, code, errs)
	assert.Equal(t, 2, strings.Count(out, "normalWrite, 40 bytes"))
	code, _, errs = mxrest(t, frames[:60], "decode", "--frames")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "frame 1 at offset 44: the input ends inside it")
	for in, hint := range map[string]bool{frames: true, frames[:60]: false, "\x09\x00\x00\x00": false, "\x00\x00\x00\x00\x00\x00\x00\x00": false} {
		code, _, errs = mxrest(t, in, "decode", "--form", "octets")
		assert.Equal(t, 1, code)
		assert.Equal(t, hint, strings.Contains(errs, "give --frames"), errs)
	}
}

func TestDiffCommand(t *testing.T) {
	dir := t.TempDir()
	file := func(name, body string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(octets(t, body)), 0o600))
		return path
	}
	a, b := file("a", cases.BaseHex), file("b", strings.Replace(cases.BaseHex, "78563412", "07000000", 1))
	code, out, _ := mxrest(t, "", "diff", a, a)
	assert.Equal(t, 0, code)
	assert.Equal(t, "the same\n", out)
	code, out, _ = mxrest(t, "", "diff", a, b)
	assert.Equal(t, 1, code)
	assert.Equal(t, "-     18  value                  78563412                 305419896\n+     18  value                  07000000                 7\n1 field differs\n", out)
	code, out, _ = mxrest(t, octets(t, cases.BaseHex), "diff", "--json", "-", b)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, `"differences":1`)
	code, out, _ = mxrest(t, "", "diff", "--all", a, b)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "command")
	code, _, errs := mxrest(t, "", "diff", a, file("c", "3701"))
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "version at offset 1")
	code, out, errs = mxrest(t, cases.BaseHex+"\n", "diff", a, "-")
	assert.Equal(t, 0, code, "the form of a text is named beside the answer, not in it")
	assert.Equal(t, "the same\n", out)
	assert.Contains(t, errs, "read as hex")
	code, _, _ = mxrest(t, "", "diff", a)
	assert.Equal(t, 2, code)
	code, _, _ = mxrest(t, "", "diff", "-", "-")
	assert.Equal(t, 2, code)
}

func TestReplayCommand(t *testing.T) {
	captured := "990700" + cases.BaseHex[6:34] + "77" + "78563412" + "0102030405060708090a0b0c0d0e0f101112"
	one := func(v string) string { return strings.Replace(captured, "78563412", v, 1) }
	replay := func(args ...string) (int, string, string) {
		return mxrest(t, octets(t, captured), append([]string{"replay", "--type", "Int32", "--value", "305419896"}, args...)...)
	}
	code, out, errs := replay("--to", "7", "--to=-1", "--hex")
	require.Equal(t, 0, code, errs)
	assert.Equal(t, one("07000000")+"\n"+one("ffffffff")+"\n", out)
	code, out, _ = replay("--to", "7")
	assert.Equal(t, 0, code)
	assert.Equal(t, octets(t, one("07000000")), out)
	file := filepath.Join(t.TempDir(), "new.bin")
	code, out, _ = replay("--to", "7", "-o", file)
	assert.Equal(t, 0, code)
	assert.Empty(t, out)
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, octets(t, one("07000000")), string(written))
	code, _, _ = replay("--to", "7", "-o", filepath.Join(file, "below"))
	assert.Equal(t, 2, code)
	code, out, _ = replay("--to", "7", "--json")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, `"was":"78563412"`)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--to", "2147483648"}, 1, "--to: 2147483648 is out of range"},
		{[]string{"--to", "x"}, 2, "--to:"},
		{nil, 2, "nothing is to change"},
		{[]string{"--token", "1"}, 1, "is not known"},
		{[]string{"--handle-bytes", "00"}, 2, "--handle-bytes"},
		{[]string{"--timestamp", "yesterday"}, 2, "--timestamp"},
	} {
		code, out, errs := replay(c.args...)
		assert.Equal(t, c.code, code, "%v: %s", c.args, errs)
		assert.Contains(t, errs, c.want)
		assert.Empty(t, out)
	}
	code, _, errs = mxrest(t, octets(t, captured), "replay", "--type", "Int32", "--value", "5", "--to", "7")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "at offset 18 stands 78563412, as Int32 305419896; the stated value would be 05000000")
	code, _, errs = mxrest(t, "", "replay", "--type", "int32", "--value", "5", "--to", "7")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "InternationalizedString")
}

func TestLearnCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	captured := "380200" + cases.BaseHex[6:34] + "12" + "78563412" + "07000000" + "0000000000000000" + "ffff" + "01000000"
	write("a.json", `{"hex":"`+captured+`","type":"Int32","value":305419896,"timestamped":false,"clientToken":7,"writeIndex":1,"handle":{"object":"TestChildObject"}}`)
	write("b.json", `{"type":"Boolean","value":true}`)
	write("b.bin", octets(t, "380200"+cases.BaseHex[6:34]+"11"+"aa"+"00000000"+"0000000000000000"+"ffff"+"00000000"))
	file := filepath.Join(dir, "layout.txt")
	code, out, errs := mxrest(t, "", "learn", dir, "-o", file)
	require.Equal(t, 0, code, errs)
	assert.Empty(t, out)
	assert.Contains(t, errs, "kinds.Boolean                  17           from b.json")
	assert.Contains(t, errs, "members open:")
	assert.Contains(t, errs, "[discriminator filetime clientToken writeIndex]", "a list is not padded inside")
	code, out, errs = mxrest(t, cases.Write("Int32", "305419896", `"clientToken":7`, `"writeIndex":1`), "encode", "--hex", "--layout", file)
	require.Equal(t, 0, code, errs)
	assert.Equal(t, captured+"\n", out)
	_, out, _ = mxrest(t, captured, "decode", "--layout", file)
	assert.Contains(t, out, "learned")

	code, out, _ = mxrest(t, "", "learn", "--json", dir)
	assert.Equal(t, 0, code)
	assert.Contains(t, out, `"found": true`)

	write("c.json", `{"hex":"`+cases.BaseHex+`","type":"Int32","value":305419896}`)
	code, out, errs = mxrest(t, "", "learn", dir)
	assert.Equal(t, 1, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "a.json and c.json: command, offset 0: command is 0x38 in a.json and 0x37 in c.json")

	write("d.json", `{"hex":"3","type":"Int32","value":1}`)
	write("e.json", `{"type":"Int32","value":1}`)
	code, _, errs = mxrest(t, "", "learn", dir)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "d.json: /hex: the number of hex digits, 1, is odd")
	assert.Contains(t, errs, "e.json: /hex: hex, base64 or text is missing (allowed: exactly one of hex, base64 and text); or the body beside it in e.bin, e.hex or e.txt")
	code, _, _ = mxrest(t, "", "learn", filepath.Join(dir, "none"))
	assert.Equal(t, 2, code)
	code, _, errs = mxrest(t, "", "learn", t.TempDir())
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "no file that ends in .json")
}
