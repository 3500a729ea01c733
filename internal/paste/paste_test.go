package paste

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const limit = 1 << 20

func TestText(t *testing.T) {
	const status = "0000508000"
	for _, c := range []struct {
		name, text, want string
		form             Form
		others           []Form
	}{
		{"digits", status, status, HexDigits, nil},
		{"digits with line end", "  0000508000\r\n", status, HexDigits, nil},
		{"digits that are base64 too", "37010005", "37010005", HexDigits, []Form{Base64Text}},
		{"upper case", "EF", "ef", HexDigits, nil},
		{"spaces", "00 00 50 80 00", status, SpacedHex, nil},
		{"words", "0000 5080 00", status, SpacedHex, nil},
		{"a word first", "3701 00", "370100", SpacedHex, nil},
		{"zeros first", "0000 50 80 00", "0000508000"[:10], SpacedHex, []Form{Wireshark}},
		{"lines", "0000\n5080\n00", status, SpacedHex, nil},
		{"tabs", "00\t00\t50\t80\t00", status, SpacedHex, nil},
		{"commas", "00,00,50,80,00", status, CommaHex, nil},
		{"commas and spaces", "00, 00, 50, 80, 00,", status, CommaHex, nil},
		{"could be decimal", "37, 10, 20", "371020", CommaHex, []Form{DecimalList}},
		{"colons", "00:00:50:80:00", status, ColonHex, nil},
		{"hyphens", "00-00-50-80-00", status, HyphenHex, nil},
		{"0x", "0x00 0x00 0x50 0x80 0x00", status, PrefixedHex, nil},
		{"0x and commas", "0x00, 0x00, 0x50, 0x80, 0x00", status, PrefixedHex, nil},
		{"one 0X", "0X0000508000", status, PrefixedHex, nil},
		{"base64", "AABQgAA=", status, Base64Text, nil},
		{"base64 in lines", "AABQ\ngAA=\n", status, Base64Text, nil},
		{"C", "static const unsigned char pkt[5] = {\n  0x00, 0x00, /* word */ 0x50, 0x80, // low first\n  0x00\n};", status, CArray, nil},
		{"C, zeros", "{ 0, 0, 0x50, 0x80, 0u }", status, CArray, nil},
		{"xxd -i", "unsigned char a_bin[] = {\n  0x00, 0x00, 0x50, 0x80, 0x00\n};\nunsigned int a_bin_len = 5;\n", status, CArray, nil},
		{"C#", "new byte[] { 0x00, 0x00, 0x50, 0x80, 0x00 }", status, CArray, nil},
		{"Java", "byte[] b = {0x00, 0x00, 0x50, (byte)0x80, (byte) 0x00};", status, CArray, nil},
		{"Go", "[]byte{0x00, 0x00, 0x50, 0x80, 0x00}", status, CArray, nil},
		{"Rust", "let b: [u8; 5] = [0x00u8, 0x00, 0x50, 0x80, 0x00];", status, CArray, nil},
		{"Python list", "bytes([0x00, 0x00, 0x50, 0x80, 0x00])", status, CArray, nil},
		{"escaped", `\x00\x00\x50\x80\x00`, status, EscapedHex, nil},
		{"Wireshark escaped", "\"\\x00\\x00\\x50\" \\\n\"\\x80\\x00\"", status, EscapedHex, nil},
		{"Python bytes", `b'\x00\x00P\x80\x00'`, status, EscapedHex, nil},
		{"xxd", "00000000: 0000 5080 00                             ..P..\n", status, XXD, nil},
		{"xxd without column", "00000000: 0000 5080 00", status, XXD, nil},
		{"xxd -g1", "00000000: 00 00 50 80 00                                   ..P..", status, XXD, nil},
		{"tcpdump", "\t0x0000:  0000 5080 00", status, XXD, nil},
		{"hexdump -C", "00000000  00 00 50 80 00                                    |..P..|\n00000005\n", status, Hexdump, nil},
		{"Wireshark", "0000   00 00 50 80 00                                    ..P..", status, Wireshark, nil},
		{"Wireshark without column", "0000  00 00 50 80 00", status, Wireshark, []Form{SpacedHex}},
		{"column that looks like hex", "0000  61 62 20 63 64   ab cd", "6162206364", Wireshark, nil},
		{"xxd column that looks like hex", "00000000: 6162  ab", "6162", XXD, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Text(c.text, limit)
			require.NoError(t, err)
			assert.Equal(t, c.want, hex.EncodeToString(got.Bytes))
			assert.Equal(t, c.form, got.Form)
			assert.Equal(t, c.others, got.Others)
			assert.Equal(t, len(c.others) == 0, got.Certain)
			assert.Empty(t, got.Note)
		})
	}
}

func TestTextRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text, reason string
		off                int
	}{
		{"nothing", " \n", "empty", 0},
		{"odd digits", "000050800", "odd number of digits", 0},
		{"odd group", "00 00 5 80 00", `"5" has an odd number`, 6},
		{"odd last group", "00 00 50 80 0", `"0" has an odd number`, 12},
		{"odd with commas", "00, 1, 02", "odd number", 4},
		{"odd with colons", "00:1:02", "odd number", 3},
		{"odd after 0x", "0x5 0x00", "odd number", 0},
		{"odd in a C array", "{ 0x5 }", "odd number", 2},
		{"no hex", "00 zz", `'z' is no hex digit`, 3},
		{"0x alone", "0x", "the end of the text is no hex digit", 2},
		{"0x here and there", "0x00 01", "some bytes only", 0},
		{"0x words", "0x3701 0x0005", "in which order", 0},
		{"two separators", "00:01,02", "another separator", 5},
		{"separator first", ",00", "before the first byte", 0},
		{"decimal C array", "{ 55, 1 }", "no byte with 0x", 2},
		{"word in a C array", "{ 0x3701 }", "no byte", 2},
		{"empty C array", "{ }", "no byte between", 0},
		{"open C array", "{ 0x37", `"{" has no "}"`, 6},
		{"base64 cut", "NwEABQA", "not a multiple of 4", 7},
		{"base64 padding", "NwE=ABQA", "padding", 3},
		{"half an escape", `\x0`, "without two hex digits", 0},
		{"words between escapes", `\x00 and \x01`, "stands between", 5},
		{"offset that does not follow", "0000  00 01\n0004  02", "the next offset says 4", 4},
		{"star last", "00000000: 0001\n*\n", "ends with a star", 17},
		{"second dump", "0000  00 01\n0002  02 03\n0000  04", "the next offset says", 16},
		{"line without offset", "00000000: 0001\nnothing", "does not begin with an offset", 15},
		{"star first", "*\n00000000: 0001", "is no hex digit", 0},
		{"bomb", "00000000: 00\n*\n7fffffff: 00", "more than 1048576 bytes", 15},
		{"odd group in a dump", "00000000: 0001 203\n", "odd number of digits", 15},
		{"text", "hello world", "no hex digit", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Text(c.text, limit)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, e.Reason, c.reason)
			assert.Equal(t, c.off, e.Offset)
		})
	}
}

// A dump that was cut in its last byte is read, and says so.
func TestOddLastByte(t *testing.T) {
	for _, text := range []string{
		"0000  00 00 50 80 0", "00000000: 00 00 50 80 0",
		"00000000: 0000 5080 0  ..P..", "00000000: 0000 5080 0                              ..P..\n",
		"00000000  00 00 50 80 0  |..P..|\n00000005\n", "0000   00 00 50 80 0   ..P..",
	} {
		got, err := Text(text, limit)
		require.NoError(t, err)
		assert.Equal(t, "0000508000", hex.EncodeToString(got.Bytes))
		assert.Contains(t, got.Note, "one digit")
	}
	// A digit with which the column does not agree is the column's own.
	got, err := Text("00000000: 3031 3  01", limit)
	require.NoError(t, err)
	assert.Equal(t, "3031", hex.EncodeToString(got.Bytes))
	assert.Contains(t, got.Note, "does not say the same")
}

// Groups of hex are not the ASCII column of those before them.
func TestDumpsWithoutColumnKeepTheirBytes(t *testing.T) {
	for text, want := range map[string]string{
		"0000  00 00 aa 01 aa 01 01":                                          "0000aa01aa0101",
		"00000000: 0000 0000 0000":                                            "000000000000",
		"0000  20 30 32 61 64 62 64 38 65                        02adbd8e":    "203032616462643865",
		"0000   32 37 63 37 66 38 35 33 64                        27c7f853 d": "323763376638353364",
	} {
		got, err := Text(text, limit)
		require.NoError(t, err, text)
		require.Equal(t, want, hex.EncodeToString(got.Bytes), text)
	}
	_, err := Text("3701 0", limit)
	require.Error(t, err, "half a byte alone is no dump")
}

// dumped writes bytes as a dump: by xxd (two bytes a group), hexdump -C, or Wireshark, the first and the last with or without the ASCII column.
func dumped(tool string, ascii bool, b []byte) string {
	var out strings.Builder
	for off := 0; off < len(b); off += 16 {
		line := b[off:min(off+16, len(b))]
		var hexes, text strings.Builder
		for i, c := range line {
			switch {
			case i == 0 || tool == "xxd" && i%2 == 1:
			case tool == "hexdump" && i == 8:
				hexes.WriteString("  ")
			default:
				hexes.WriteString(" ")
			}
			fmt.Fprintf(&hexes, "%02x", c)
			if tool == "wireshark" && i == 8 {
				text.WriteString(" ")
			}
			if c < ' ' || c >= 0x7f {
				c = '.'
			}
			text.WriteByte(c)
		}
		width := map[string]int{"xxd": 39, "hexdump": 48, "wireshark": 47}[tool]
		head := fmt.Sprintf(map[string]string{"xxd": "%08x: ", "hexdump": "%08x  ", "wireshark": "%04x   "}[tool], off)
		switch {
		case tool == "hexdump":
			fmt.Fprintf(&out, "%s%-*s  |%s|\n", head, width, hexes.String(), text.String())
		case ascii && tool == "xxd":
			fmt.Fprintf(&out, "%s%-*s  %s\n", head, width, hexes.String(), text.String())
		case ascii:
			fmt.Fprintf(&out, "%s%-*s   %s\n", head, width, hexes.String(), text.String())
		default:
			fmt.Fprintf(&out, "%s%s\n", head, hexes.String())
		}
	}
	if tool == "hexdump" {
		fmt.Fprintf(&out, "%08x\n", len(b))
	}
	return out.String()
}

// Whatever the bytes, a dump reads back as them: also such as look like hex in the ASCII column, or like an ASCII column in the hex.
func TestDumpsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	alphabets := []string{"\x00", "\x00\x01\xaa", " 0", " 0123456789abcdef", "0a ", "0 \x00.", "Hello, 0123 \xff|", "| ."}
	for i := range 40_000 {
		b := make([]byte, 1+r.IntN(40))
		letters := alphabets[i%len(alphabets)]
		for j := range b {
			b[j] = letters[r.IntN(len(letters))]
		}
		tool := []string{"xxd", "hexdump", "wireshark"}[r.IntN(3)]
		text := dumped(tool, r.IntN(2) == 0, b)
		got, err := Text(text, limit)
		require.NoError(t, err, "%s", text)
		require.Equal(t, hex.EncodeToString(b), hex.EncodeToString(got.Bytes), "%s", text)
		require.NotContains(t, got.Note, "digit", "%s", text)
	}
}

func TestDumpNotes(t *testing.T) {
	got, err := Text("0036  00 00 50 80\n003a  00", limit)
	require.NoError(t, err)
	assert.Equal(t, "0000508000", hex.EncodeToString(got.Bytes))
	assert.Equal(t, "the dump begins at offset 0x36", got.Note)
	got, err = Text("00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000030\n", limit)
	require.NoError(t, err)
	assert.Equal(t, make([]byte, 48), got.Bytes)
	got, err = Text("0000  00 00 50   other text", limit)
	require.NoError(t, err)
	assert.Contains(t, got.Note, "does not say the same")
}

func TestHexAndBase64(t *testing.T) {
	for _, bad := range []string{"0", "0g", "00 00", "0x00", "é0"} {
		_, err := Hex(bad)
		assert.Error(t, err, bad)
	}
	for _, bad := range []string{"A", "AA", "AAA", "AA\n==", "AB==", "A===", "AA=A", "-_=="} {
		_, err := Base64(bad)
		assert.Error(t, err, bad)
	}
}

func TestFile(t *testing.T) {
	for _, c := range []struct {
		data string
		form Form
	}{{"\x00\x00\x50\x80\x00", Octets}, {"A", Octets}, {"00 00", SpacedHex}, {"", Octets}, {"\xff\xfe", Octets}} {
		got, err := File([]byte(c.data), limit)
		require.NoError(t, err)
		assert.Equal(t, c.form, got.Form)
	}
}

// Whatever the bytes, each way of writing them is read back, and named.
func TestTextProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 1, 80).Draw(t, "bytes")
		var pairs []string
		for _, c := range b {
			pairs = append(pairs, hex.EncodeToString([]byte{c}))
		}
		form := rapid.SampledFrom([]Form{HexDigits, SpacedHex, ColonHex, CommaHex, PrefixedHex, CArray, EscapedHex, XXD, Hexdump, Wireshark, Base64Text}).Draw(t, "form")
		var text string
		switch form {
		case HexDigits:
			text = strings.Join(pairs, "")
		case SpacedHex:
			text = strings.Join(pairs, " ")
		case ColonHex:
			text = strings.Join(pairs, ":")
		case CommaHex:
			text = strings.Join(pairs, ", ")
		case PrefixedHex:
			text = "0x" + strings.Join(pairs, ", 0x")
		case CArray:
			text = "{0x" + strings.Join(pairs, ",0x") + "}"
		case EscapedHex:
			text = `\x` + strings.Join(pairs, `\x`)
		case XXD:
			text = dumpOf(b, "%08x: ", "", 2)
		case Hexdump:
			text = strings.TrimSuffix(hex.Dump(b), "\n")
		case Wireshark:
			text = dumpOf(b, "%04x  ", " ", 1)
		case Base64Text:
			text = base64.StdEncoding.EncodeToString(b)
		}
		got, err := Text(text, limit)
		require.NoError(t, err, text)
		if string(got.Bytes) != string(b) {
			require.Contains(t, got.Others, form, "%s was read as %s", text, got.Form)
		}
	})
}

// dumpOf writes a dump with groups of n bytes and an ASCII column.
func dumpOf(b []byte, offset, gap string, n int) string {
	var out strings.Builder
	for at := 0; at < len(b); at += 16 {
		line := b[at:min(at+16, len(b))]
		fmt.Fprintf(&out, offset, at)
		h := ""
		for i, c := range line {
			if i > 0 && i%n == 0 {
				h += " "
			}
			h += fmt.Sprintf("%02x", c)
		}
		fmt.Fprintf(&out, "%-*s  %s", 16*2+16/n-1, h, gap)
		for _, c := range line {
			if c < ' ' || c > '~' {
				c = '.'
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func FuzzText(f *testing.F) {
	f.Add("0000  00 00 50   ..P")
	f.Add("{ 0x00 }")
	f.Add("AABQgAA=")
	f.Add("00000000: 0000 5080 00  ..P..\n*\n00000010")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Text(s, 1<<16)
		if err == nil && (len(got.Bytes) == 0 || len(got.Bytes) > 1<<16+maxLine) {
			t.Fatalf("%d bytes", len(got.Bytes))
		}
		if _, err := File([]byte(s), 1<<16); err != nil {
			var _ = err.Error()
		}
	})
}
