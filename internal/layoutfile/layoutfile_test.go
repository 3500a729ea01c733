package layoutfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

func TestParseEmptyIsDefault(t *testing.T) {
	l, err := Parse([]byte(`{}`))
	require.NoError(t, err)
	assert.Equal(t, codec.DefaultLayout(), l)
}

// Every member replaced: the body's bytes move as the file says, and every member is shown as configured.
func TestParseEveryMember(t *testing.T) {
	l, err := Parse([]byte(`{
		"command": 56, "version": 258,
		"kinds": {"Boolean": 17, "Int32": 18, "Float32": 19, "Float64": 20, "String": 21, "DateTime": 22,
			"BooleanArray": 33, "Int32Array": 34, "Float32Array": 35, "Float64Array": 36, "StringArray": 37, "DateTimeArray": 38},
		"booleanTrue": "01", "booleanFalse": "02", "booleanElementTrue": "01", "booleanElementFalse": "00",
		"normalTail": ["writeIndex", "clientToken", "discriminator", "filetime"],
		"timestampedTail": ["filetime", "discriminator", "writeIndex", "clientToken"],
		"arrayHeader": {"reservedWidth": 1, "elementWidthWidth": 2}, "stringElementWidth": 2}`))
	require.NoError(t, err)
	for _, m := range l.Members() {
		assert.Equal(t, codec.Configured, m.Standing, m.Name)
	}
	got, err := l.EncodeWrite(&codec.Write{Value: codec.Value{Type: codec.Boolean, Bits: 1}, ClientToken: 1, WriteIndex: 2})
	require.NoError(t, err)
	zero := make([]byte, 14)
	assert.Equal(t, append(append([]byte{56, 2, 1}, zero...), 17, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0), got)

	array := codec.Value{Type: codec.BooleanArray, Count: 1, Elems: l.AppendBooleanElem(nil, true)}
	value, err := l.AppendValue(nil, &array)
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 1, 0, 1, 0, 1}, value, "reserved 1, count 2, width 2, element 1")

	timestamped, err := l.EncodeWrite(&codec.Write{Value: codec.Value{Type: codec.Boolean}, Timestamped: true, FileTime: 5, ClientToken: 1, WriteIndex: 2})
	require.NoError(t, err)
	assert.Equal(t, []byte{2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}, timestamped[18:])

	// What Marshal writes, Parse reads back.
	data, err := Marshal(l, nil)
	require.NoError(t, err)
	again, err := Parse(data)
	require.NoError(t, err)
	assert.Equal(t, l, again)
}

func TestLearned(t *testing.T) {
	l, err := Parse([]byte(`{"command": 56, "version": 2, "learned": {"command": ["a.json", "b.json"]}}`))
	require.NoError(t, err)
	assert.Equal(t, codec.Learned, l.Standing[codec.MemberCommand])
	assert.Equal(t, codec.Configured, l.Standing[codec.MemberVersion])
	assert.Equal(t, codec.Assumed, l.Standing[codec.MemberBooleanTrue])
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unknown key", "{\n\"comand\": 1}", `line 2: "comand" is not a key`},
		{"key in another case", `{"Command": 1}`, `"Command" is not a key`},
		{"unknown nested key", `{"arrayHeader": {"width": 1}}`, `"arrayHeader.width" is not a key`},
		{"unknown kind", `{"kinds": {"Int64": 1}}`, `"Int64" is not a kind`},
		{"twice", `{"version": 1, "version": 2}`, `key "version" appears twice`},
		{"trailing", `{} x`, "not valid JSON"},
		{"empty", ``, "not valid JSON"},
		{"cut", `{"version": 1`, "not valid JSON"},
		{"array", `[]`, "one JSON object"},
		{"command too large", `{"command": 256}`, "command"},
		{"command negative", `{"command": -1}`, "command"},
		{"command fraction", `{"command": 1.5}`, "command"},
		{"command text", `{"command": "0x37"}`, "command"},
		{"command of another message", `{"command": 50}`, "0x32 begins another message"},
		{"version too large", `{"version": 65536}`, "version"},
		{"kinds equal", `{"kinds": {"Int32": 1}}`, "kinds.Int32: 0x01 already stands for Boolean"},
		{"boolean of two bytes", `{"booleanTrue": "ffff"}`, "37 bytes"},
		{"boolean not hex", `{"booleanTrue": "zz"}`, "booleanTrue"},
		{"booleans equal", `{"booleanTrue": "00"}`, "must differ"},
		{"element widths differ", `{"booleanElementTrue": "ff"}`, "equally long"},
		{"element of three bytes", `{"booleanElementTrue": "ffffff", "booleanElementFalse": "000000"}`, "1, 2, 4 or 8 bytes"},
		{"elements equal", `{"booleanElementTrue": "0000"}`, "must differ"},
		{"tail short", `{"normalTail": ["discriminator"]}`, "18 bytes"},
		{"tail twice", `{"normalTail": ["filetime","filetime","clientToken","writeIndex"]}`, "18 bytes"},
		{"tail unknown", `{"timestampedTail": ["time","filetime","clientToken","writeIndex"]}`, `"time" is not one of`},
		{"reserved width", `{"arrayHeader": {"reservedWidth": 9}}`, "0 to 8"},
		{"element width width", `{"arrayHeader": {"elementWidthWidth": 3}}`, "1, 2, 4 or 8"},
		{"string width does not fit", `{"arrayHeader": {"elementWidthWidth": 1}, "stringElementWidth": 256}`, "does not fit"},
		{"learned names nothing given", `{"learned": {"command": ["a"]}}`, `"command" is not a member that this file gives`},
		{"null", `null`, "one JSON object"},
		{"null member", `{"command": null}`, "command"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.in))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, err.Error(), "layoutfile.")
			assert.NotContains(t, err.Error(), "Go ")
		})
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "layout.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"version": 3}`), 0o600))
	l, err := Load(path)
	require.NoError(t, err)
	assert.Equal(t, uint16(3), l.Version)
	require.NoError(t, os.WriteFile(path, []byte(`{"version": "3"}`), 0o600))
	_, err = Load(path)
	assert.ErrorContains(t, err, path)
	_, err = Load(path + ".none")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
