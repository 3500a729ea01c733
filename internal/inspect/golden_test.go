package inspect

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each file in testdata is a body in hex with a comment a field. The hex is what is read; the comments are what inspecting it must give. A line that begins
// with # describes the body, one that begins with ! says why and where reading stops.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.hex")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 20)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".hex"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			about, body := readGolden(t, want)
			got := goldenText(about, body)
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o644))
				return
			}
			require.Equal(t, string(want), string(got))
		})
	}
}

func readGolden(t *testing.T, text []byte) (about string, body []byte) {
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "# "):
			about += line + "\n"
		case strings.HasPrefix(line, "!"):
		default:
			digits, _, _ := strings.Cut(line, "#")
			b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
			require.NoError(t, err, line)
			body = append(body, b...)
		}
	}
	return about, body
}

func goldenText(about string, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString(about)
	l := codec.DefaultLayout()
	rep := Body(l, body, Options{})
	end := 0
	for _, f := range rep.Fields {
		end = f.Offset + f.Length
		line := fmt.Sprintf("%-34s # %3d %s = %v", f.Hex, f.Offset, f.Path, f.Value)
		if f.Bits != "" {
			line += " bits " + f.Bits
		}
		if f.Text != "" {
			line += " (" + f.Text + ")"
		}
		fmt.Fprintf(&b, "%s, %s\n", strings.ReplaceAll(line, "\x00", "␀"), f.Standing)
	}
	if rep.Err != nil {
		field, reason, _, off := Reason(l, body, rep.Err)
		fmt.Fprintf(&b, "! %s at %d: %s\n", field, off, reason)
		if end < len(body) {
			fmt.Fprintf(&b, "%x\n", body[end:])
		}
	}
	return b.Bytes()
}
