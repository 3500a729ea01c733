package codec

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// utf16Plain is the rule as written: one code point after the other.
func utf16Plain(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// appendUTF16 appends what putUTF16 makes of text, and nothing where it fails.
func appendUTF16(dst, text []byte) ([]byte, error) {
	b := make([]byte, 2*utf16Units(text))
	if err := putUTF16(b, text); err != nil {
		return dst, err
	}
	return append(dst, b...), nil
}

// Every place of a letter of one to four bytes among ASCII letters, around the ends of the wide steps.
func TestUTF16Places(t *testing.T) {
	for _, letter := range []string{"a", "\x00", "é", "–", "😀", "é–", "😀😀é"} {
		for before := range 40 {
			for after := range 40 {
				s := strings.Repeat("x", before) + letter + strings.Repeat("y", after)
				want := utf16Plain(s)
				units := utf16Units([]byte(s))
				require.Equal(t, len(want)/2, units, "%q", s)
				got, err := appendUTF16([]byte("before"), []byte(s))
				require.NoError(t, err, "%q", s)
				require.Equal(t, "before"+string(want), string(got), "%q", s)
			}
		}
	}
}

// Long texts of every kind of letter: the units are added up in bytes, which must not overflow.
func TestUTF16Long(t *testing.T) {
	for _, letters := range []string{"a", "é", "–", "😀", "a😀é–", "😀😀x"} {
		for _, n := range []int{126, 127, 128, 254, 255, 256, 1015, 1016, 1017, 5000} {
			s := strings.Repeat(letters, n)
			require.Equal(t, len(utf16Plain(s))/2, utf16Units([]byte(s)), "%d times %s", n, letters)
			got, err := appendUTF16(nil, []byte(s))
			require.NoError(t, err)
			require.Equal(t, utf16Plain(s), got)
		}
	}
}

// A byte that makes the text no UTF-8, at every place, is found also where it counts as one unit.
func TestUTF16Refuses(t *testing.T) {
	for _, bad := range []string{"\xff", "\x80", "\xc3", "\xe2\x80", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xc1\xbf", "\xc3\xc3"} {
		for before := range 40 {
			for after := range 20 {
				s := []byte(strings.Repeat("x", before) + bad + strings.Repeat("y", after))
				got, err := appendUTF16([]byte("before"), s)
				require.ErrorIs(t, err, ErrText, "%q", s)
				require.Equal(t, "before", string(got), "%q", s)
			}
		}
	}
}

func FuzzUTF16(f *testing.F) {
	for _, s := range []string{"", "Hello", "Größe 10 µm", "a\xff", "\x80\x80\x80", "\xed\xa0\x80", strings.Repeat("x", 40) + "😀", "\xf0\x9f\x98"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := appendUTF16(nil, []byte(s))
		if !utf8.ValidString(s) {
			require.ErrorIs(t, err, ErrText)
			require.Empty(t, got)
			return
		}
		require.NoError(t, err)
		require.Equal(t, string(utf16Plain(s)), string(got))
		back, ok := AppendUTF8(nil, got)
		require.True(t, ok)
		require.Equal(t, s, string(back))
	})
}
