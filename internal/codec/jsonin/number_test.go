package jsonin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers of every length, before every byte that may or may not follow, and with little or much after them.
func TestDigits(t *testing.T) {
	const all = "98765432101234567899"
	for n := range len(all) + 1 {
		text := all[:n]
		want := uint64(0)
		if n > 0 && n < 20 {
			var err error
			want, err = strconv.ParseUint(text, 10, 64)
			require.NoError(t, err)
		}
		for c := range 256 {
			if '0' <= c && c <= '9' {
				continue
			}
			for _, after := range []int{0, 1, 3, 7, 8, 20} {
				src := []byte("7" + text + string([]byte{byte(c)}) + strings.Repeat("5", after))
				got, end := digits(src, 1)
				require.Equal(t, 1+n, end, "%q", src)
				if n < 20 {
					require.Equal(t, want, got, "%q", src)
				}
			}
		}
		got, end := digits([]byte(text), 0)
		require.Equal(t, n, end, text)
		if n < 20 {
			require.Equal(t, want, got, text)
		}
	}
}

// An Int32Array is read by a loop of its own up to its last element: what may stand between elements, and what may not stand in one.
func TestInt32ArrayAgrees(t *testing.T) {
	d := New(nil, Limits{MaxElements: 3})
	for _, elem := range []string{"0", "-0", "7", "-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "99999999999", "00", "01", "-", "", "1.0", "1e2", "1.5", "+1",
		"0x1", "null", `"1"`, "true", " 1", "1 ", "  1", "\n1", "1\t", "[1]", "18446744073709551617", strings.Repeat("9", 30)} {
		for _, text := range []string{"[" + elem + "]", "[" + elem + ",2]", "[1," + elem + "]", "[1, " + elem + ",3]", "[" + elem + "," + elem + "," + elem + "]", "[1,2,3," + elem + "]", "[" + elem + ",", "[1," + elem} {
			checkAgree(t, d, []byte(typedWrite("Int32Array", text)))
		}
	}
	f := fast{d: d, b: []byte(typedWrite("Int32Array", "[2147483647,-2147483648, 0]"))}
	var it Item
	require.True(t, f.document(&it))
	require.Equal(t, []byte{0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0x80, 0, 0, 0, 0}, it.Value.Elems)
	require.Equal(t, 3, it.Value.Count)
}
