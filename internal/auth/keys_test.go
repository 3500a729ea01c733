package auth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// abc is SHA-256("abc"), the example of FIPS 180-2 appendix B.1.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestLookup(t *testing.T) {
	k, err := Parse([]byte("\xef\xbb\xbf# gateways\n\nfirst " + abc + "\r\nsecond\t" + strings.Repeat("0", 64) + "\n"))
	require.NoError(t, err)
	require.Equal(t, 2, k.Len())
	name, ok := k.Lookup("abc")
	require.True(t, ok)
	require.Equal(t, "first", name)
	for _, bad := range []string{"", "ab", "abcd", "ABC", "abc ", abc, strings.Repeat("a", maxToken+1)} {
		_, ok := k.Lookup(bad)
		require.False(t, ok, "%.20q", bad)
	}
}

func TestLookupAllocs(t *testing.T) {
	k, err := Parse([]byte("first " + abc))
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, func() { k.Lookup("abc") }), "a key is checked on each request")
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"name\n":                           "line 1",
		"a b c\n":                          "line 1",
		"\nname 1234\n":                    "line 2: want 64 hex",
		"name " + abc[:62] + "zz\n":        "line 1: want 64 hex",
		"name " + abc + "00\n":             "line 1: want 64 hex",
		"na/me " + abc + "\n":              "line 1: a key's name",
		"a " + abc + "\n\na " + abc + "\n": `line 3: the name "a" stands on line 1`,
	} {
		_, err := Parse([]byte(text))
		require.ErrorContains(t, err, want, "%q", text)
		require.NotContains(t, err.Error(), abc[:62], "an error must not quote a hash")
	}
}

func TestNewKeyIsFoundByItsLine(t *testing.T) {
	key, line, err := New("plc-gateway")
	require.NoError(t, err)
	require.Regexp(t, `^mxr_[A-Za-z0-9_-]{43}$`, key)
	path := filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(path, []byte(line+"\n"), 0o600))
	k, err := Load(path)
	require.NoError(t, err)
	name, ok := k.Lookup(key)
	require.True(t, ok)
	require.Equal(t, "plc-gateway", name)

	other, _, err := New("plc-gateway")
	require.NoError(t, err)
	require.NotEqual(t, key, other)
	_, _, err = New("two words")
	require.Error(t, err)
}

func TestLoadRefusesAHugeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(path, make([]byte, maxFile+1), 0o600))
	_, err := Load(path)
	require.ErrorContains(t, err, "larger than")
}

func TestNoKeyLetsNobodyIn(t *testing.T) {
	for _, text := range []string{"", "# only a comment\n"} {
		k, err := Parse([]byte(text))
		require.NoError(t, err)
		require.Zero(t, k.Len())
		_, ok := k.Lookup("abc")
		require.False(t, ok)
	}
}
