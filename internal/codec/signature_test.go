package codec

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// signatures are the names of the wire format with their signatures, the first one captured.
var signatures = []struct {
	name string
	want uint16
}{
	{"ScanState", 0x9247}, {"TestChildObject", 0xd736}, {"TestInt", 0xda3e}, {"TestBool", 0x7dfa}, {"TestFloat", 0xeda6},
	{"TestDouble", 0x951e}, {"TestString", 0x941a}, {"TestDateTime", 0x4962}, {"TestIntArray", 0x5760},
	{"TestStringArray", 0x4b5d}, {"TestMachine_001", 0xf408}, {"Ünit_7", 0x88f9}, {"ünit_7", 0x88f9},
	{"ILK", 0x593b}, {"İLK", 0x500a}, {"ıLK", 0x810b}, {"ΑΣ", 0xcdc7}, {"é", 0x904f}, {"e\u0301", 0x5d5f},
	{"TESTCHILDOBJECT", 0xd736}, {"testint", 0xda3e},
}

func TestSignature(t *testing.T) {
	for _, c := range signatures {
		got, err := Signature([]byte(c.name))
		require.NoError(t, err, c.name)
		assert.Equalf(t, c.want, got, "%q: %#04x", c.name, got)
	}
}

func TestSignatureRefuses(t *testing.T) {
	_, err := Signature(nil)
	assert.ErrorIs(t, err, ErrName)
	for _, bad := range []string{"\xff", "a\xed\xa0\x80", "ok\xc3"} {
		_, err := Signature([]byte(bad))
		assert.ErrorIsf(t, err, ErrText, "%q", bad)
	}
}

// bitwise is the rule as written: no table, one bit at a time.
func bitwise(units []uint16) uint16 {
	var crc uint16
	for _, u := range units {
		for _, b := range []byte{byte(u), byte(u >> 8)} {
			crc ^= uint16(b)
			for range 8 {
				odd := crc & 1
				crc >>= 1
				if odd != 0 {
					crc ^= 0xa001
				}
			}
		}
	}
	return crc
}

func TestCRCCheckValue(t *testing.T) {
	var crc uint16
	for _, b := range []byte("123456789") {
		crc = crc>>8 ^ crcTable[byte(crc)^b]
	}
	assert.Equal(t, uint16(0xbb3d), crc)
}

// The table of positions, the table by byte and the rule as written agree on every length around the table's end.
func TestSignatureLengths(t *testing.T) {
	for n := 1; n <= 3*sigPositions; n++ {
		for _, letter := range []string{"a", "Z", "_", "~", "é", "ж", "😀"} {
			name := strings.Repeat(letter, n)
			got, err := Signature([]byte(name))
			require.NoError(t, err)
			require.Equalf(t, bitwise(utf16.Encode([]rune(string(LowerName(nil, []byte(name)))))), got, "%d of %q", n, letter)
		}
	}
}

func FuzzSignature(f *testing.F) {
	for _, c := range signatures {
		f.Add(c.name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got, err := Signature([]byte(name))
		if err != nil {
			return
		}
		lowered := string(LowerName(nil, []byte(name)))
		require.Equal(t, bitwise(utf16.Encode([]rune(lowered))), got)
		again, err := Signature([]byte(lowered))
		require.NoError(t, err)
		require.Equal(t, got, again, "lower-casing twice changes nothing")
	})
}
