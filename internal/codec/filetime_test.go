package codec

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseFileTime(t *testing.T) {
	for _, c := range []struct{ in, want, back string }{
		{"1601-01-01T00:00:00Z", "0000000000000000", ""},
		{"1970-01-01T00:00:00Z", "00803ed5deb19d01", ""},
		{"2024-01-01T02:00:00+02:00", "00c08976453cda01", "2024-01-01T00:00:00Z"},
		{"2024-01-01T00:00:00.1234567Z", "87969c76453cda01", ""},
		{"2024-01-01T00:00:00.12345679999Z", "87969c76453cda01", "2024-01-01T00:00:00.1234567Z"},
		{"2300-01-01T00:00:00Z", "00007ec6c1aa0f03", ""},
		{"2023-12-31T19:00:00-05:00", "00c08976453cda01", "2024-01-01T00:00:00Z"},
		{"1601-01-01T01:00:00+01:00", "0000000000000000", "1601-01-01T00:00:00Z"},
	} {
		got, err := ParseFileTime([]byte(c.in))
		require.NoError(t, err, c.in)
		assert.Equal(t, unhex(t, c.want), binary.LittleEndian.AppendUint64(nil, uint64(got)), c.in)
		text, ok := AppendFileTime(nil, got)
		require.True(t, ok)
		if c.back == "" {
			c.back = c.in
		}
		assert.Equal(t, c.back, string(text))
	}
}

func TestParseFileTimeRefuses(t *testing.T) {
	for want, list := range map[error][]string{
		ErrTime: {"1600-12-31T23:59:59Z", "1600-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
			"1601-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"},
		ErrTimeForm: {"", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00:60Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
			"2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z",
			"2024-01-00T00:00:00Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+02:60", "2024-01-01T00:00:00+0200",
			"2024-01-01T00:00:00+02", "2024-01-01 00:00:00Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z", "2024-01-01T00:00:00.Z",
			"2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00ZZ", "+024-01-01T00:00:00Z", "20240-01-01T00:00:00Z", "2024-01-01T0:00:00Z00",
			" 2024-01-01T00:00:00Z", "2024-01-01T00:00:00.1234567", "2024-01-01T00:00:00-+1:00"},
	} {
		for _, in := range list {
			_, err := ParseFileTime([]byte(in))
			assert.ErrorIsf(t, err, want, "%q", in)
		}
	}
}

// Against the standard library: every day of the first 400 years, and what AppendFileTime prints of odd instants.
func TestFileTimeAgainstTime(t *testing.T) {
	day := time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range int64(400*365 + 97 + 366) {
		got, err := ParseFileTime([]byte(day.Format(time.RFC3339)))
		require.NoError(t, err)
		require.Equal(t, n*86400*ticksPerSecond, got)
		day = day.AddDate(0, 0, 1)
	}
	last, err := ParseFileTime([]byte("9999-12-31T23:59:59.9999999Z"))
	require.NoError(t, err)
	assert.Equal(t, int64(MaxFileTime), last)
	for _, bad := range []int64{-1, MaxFileTime + 1, 1<<63 - 1} {
		_, ok := AppendFileTime(nil, bad)
		assert.False(t, ok)
	}
}

func FuzzParseFileTime(f *testing.F) {
	f.Add("2024-01-01T00:00:00.1234567+02:00")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseFileTime([]byte(s))
		want, wantErr := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return
		}
		require.NoError(t, wantErr, "what we take, the standard library takes")
		require.Equal(t, want.Unix()+unixEpoch, got/ticksPerSecond)
		text, ok := AppendFileTime(nil, got)
		require.True(t, ok)
		again, err := ParseFileTime(text)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}
