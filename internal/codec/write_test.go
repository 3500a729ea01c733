package codec

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unhex reads hex in which spaces set fields apart.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

// testHandle is the handle of the wire format's example, with TestInt's signature.
var testHandle = Handle{
	GalaxyID: 1, PlatformID: 1, EngineID: 2, ObjectID: 5, ObjectSignature: 0xd736,
	PrimitiveID: 2, AttributeID: 155, PropertyID: 10, AttributeSignature: 0xda3e,
}

const (
	projectionHex = "0500 36d7 0200 9b00 0a00 3eda"
	tailHex       = "ffff 0000000000000000 00000000 00000000"
)

func array(h Handle) Handle { h.AttributeIndex = -1; return h }

func text(t Type, s string) Value { return Value{Type: t, Text: []byte(s)} }

func elems(t Type, n int, b []byte) Value { return Value{Type: t, Count: n, Elems: b} }

func stringElems(t testing.TB, list ...string) []byte {
	var b []byte
	for _, s := range list {
		var err error
		b, err = AppendStringElem(b, []byte(s))
		require.NoError(t, err)
	}
	return b
}

// writeCase is one write with its body; other tests take them as material.
type writeCase struct {
	name string
	w    Write
	body string
}

func writeCases(t testing.TB) []writeCase {
	scalar := func(name string, v Value, kind, value string) writeCase {
		return writeCase{name, Write{Handle: testHandle, Value: v}, "37 0100" + projectionHex + "0000" + kind + value + tailHex}
	}
	arr := func(name string, v Value, kind, value string) writeCase {
		return writeCase{name, Write{Handle: array(testHandle), Value: v}, "37 0100" + projectionHex + "ffff" + kind + value + tailHex}
	}
	neg := int32(math.MinInt32)
	return []writeCase{
		scalar("Boolean true", Value{Type: Boolean, Bits: 1}, "01", "ff"),
		scalar("Boolean false", Value{Type: Boolean}, "01", "00"),
		scalar("Int32", Value{Type: Int32, Bits: 305419896}, "02", "78563412"),
		scalar("Int32 max", Value{Type: Int32, Bits: math.MaxInt32}, "02", "ffffff7f"),
		scalar("Int32 min", Value{Type: Int32, Bits: uint64(uint32(neg))}, "02", "00000080"),
		scalar("Float32 0.1", Value{Type: Float32, Bits: uint64(math.Float32bits(0.1))}, "03", "cdcccc3d"),
		scalar("Float32 NaN", Value{Type: Float32, Bits: NaN32}, "03", "0000c0ff"),
		scalar("Float64 0.1", Value{Type: Float64, Bits: math.Float64bits(0.1)}, "04", "9a9999999999b93f"),
		scalar("Float64 NaN", Value{Type: Float64, Bits: NaN64}, "04", "000000000000f8ff"),
		scalar("String Hello", text(String, "Hello"), "05", "10000000 0c000000 480065006c006c006f000000"),
		scalar("String empty", text(String, ""), "05", "06000000 02000000 0000"),
		scalar("String emoji", text(String, "😀"), "05", "0a000000 06000000 3dd800de 0000"),
		scalar("String with NUL", text(String, "a\x00b"), "05", "0c000000 08000000 610000006200 0000"),
		scalar("String UTF-16", Value{Type: String, UTF16: true, Text: []byte{0x48, 0}}, "05", "08000000 04000000 4800 0000"),
		scalar("DateTime 1970", Value{Type: DateTime, Bits: 116444736000000000}, "06", "00803ed5deb19d01"),
		scalar("ElapsedTime", Value{Type: ElapsedTime, Bits: 1500}, "02", "dc050000"),
		scalar("InternationalizedString", text(InternationalizedString, "é"), "05", "08000000 04000000 e900 0000"),
		arr("BooleanArray", elems(BooleanArray, 2, std.AppendBooleanElem(std.AppendBooleanElem(nil, true), false)), "41", "00000000 0200 02000000 ffff 0000"),
		arr("Int32Array", elems(Int32Array, 3, AppendInt32Elem(AppendInt32Elem(AppendInt32Elem(nil, 1), -1), 3)), "42", "00000000 0300 04000000 01000000 ffffffff 03000000"),
		arr("Int32Array empty", elems(Int32Array, 0, nil), "42", "00000000 0000 04000000"),
		arr("Float32Array", elems(Float32Array, 1, AppendFloat32Elem(nil, math.Float32bits(0.1))), "43", "00000000 0100 04000000 cdcccc3d"),
		arr("Float64Array", elems(Float64Array, 1, AppendFloat64Elem(nil, math.Float64bits(0.1))), "44", "00000000 0100 08000000 9a9999999999b93f"),
		arr("StringArray", elems(StringArray, 2, stringElems(t, "a", "")), "45", "00000000 0200 00000000 04000000 6100 0000 02000000 0000"),
		arr("DateTimeArray", elems(DateTimeArray, 1, AppendDateTimeElem(nil, 116444736000000000)), "46", "00000000 0100 08000000 00803ed5deb19d01"),
		{"timestamped", Write{Handle: testHandle, Value: Value{Type: Int32, Bits: 1}, Timestamped: true, FileTime: 116444736000000000, ClientToken: 0x01020304, WriteIndex: -2},
			"37 0100" + projectionHex + "0000 02 01000000 0000 00803ed5deb19d01 04030201 feffffff"},
		{"token and index", Write{Handle: testHandle, Value: Value{Type: Boolean, Bits: 1}, ClientToken: math.MaxUint32, WriteIndex: 7},
			"37 0100" + projectionHex + "0000 01 ff ffff 0000000000000000 ffffffff 07000000"},
	}
}

// The three output forms agree with the bytes of the wire format, and SizeWrite with their length.
func TestWriteGolden(t *testing.T) {
	for _, c := range writeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			want := unhex(t, c.body)
			assert.Equal(t, len(want), SizeWrite(&c.w))

			got, err := AppendWrite([]byte("before"), &c.w)
			require.NoError(t, err)
			assert.Equal(t, "before"+string(want), string(got))

			got, err = EncodeWrite(&c.w)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			assert.Equal(t, len(want), cap(got))

			exact := make([]byte, len(want))
			n, err := PutWrite(exact, &c.w)
			require.NoError(t, err)
			assert.Equal(t, want, exact[:n])

			short := make([]byte, len(want)-1)
			_, err = PutWrite(short, &c.w)
			assert.ErrorIs(t, err, ErrDestination)
			assert.Equal(t, make([]byte, len(want)-1), short, "nothing is written")
		})
	}
}

func TestWriteSizes(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want int
	}{
		{Value{Type: Boolean}, 37}, {Value{Type: Int32}, 40}, {Value{Type: Float32}, 40}, {Value{Type: Float64}, 44},
		{text(String, "Hello"), 56},
	} {
		assert.Equal(t, c.want, SizeWrite(&Write{Value: c.v}), c.v.Type.String())
	}
}

func TestAppendWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		w    Write
		want error
	}{
		{"no type", Write{}, ErrType},
		{"type beyond", Write{Value: Value{Type: DateTimeArray + 1}}, ErrType},
		{"scalar with -1", Write{Handle: array(testHandle), Value: Value{Type: Int32}}, ErrIndex},
		{"scalar below -1", Write{Handle: Handle{AttributeIndex: -2}, Value: Value{Type: Int32}}, ErrIndex},
		{"array with 0", Write{Handle: testHandle, Value: Value{Type: Int32Array}}, ErrIndex},
		{"array below -1", Write{Handle: Handle{AttributeIndex: -2}, Value: Value{Type: Int32Array}}, ErrIndex},
		{"too many", Write{Handle: array(testHandle), Value: elems(Int32Array, 65536, make([]byte, 4*65536))}, ErrCount},
		{"elements and count disagree", Write{Handle: array(testHandle), Value: elems(Int32Array, 2, make([]byte, 9))}, ErrValue},
		{"not UTF-8", Write{Handle: testHandle, Value: text(String, "a\xff")}, ErrText},
		{"not UTF-8, long", Write{Handle: testHandle, Value: text(String, strings.Repeat("x", 100)+"\xed\xa0\x80")}, ErrText},
		{"only continuation bytes", Write{Handle: testHandle, Value: text(String, "\x80\x80\x80")}, ErrText},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := AppendWrite([]byte("kept"), &c.w)
			assert.ErrorIs(t, err, c.want)
			assert.Equal(t, "kept", string(got))
		})
	}
}

func TestArrayCountLimits(t *testing.T) {
	w := Write{Handle: array(testHandle), Value: elems(Int32Array, 65535, make([]byte, 4*65535))}
	got, err := AppendWrite(nil, &w)
	require.NoError(t, err)
	assert.Equal(t, []byte{0xff, 0xff}, got[22:24])
	assert.Len(t, got, 36+10+4*65535)
}

func TestHandle(t *testing.T) {
	want := unhex(t, "01 00 0100 0200"+projectionHex+"0000")
	got := AppendHandle(nil, &testHandle)
	require.Equal(t, want, got)
	back, err := DecodeHandle(got)
	require.NoError(t, err)
	assert.Equal(t, testHandle, back)
	for n := range want {
		_, err := DecodeHandle(want[:n])
		assert.ErrorIs(t, err, ErrShort)
	}
	_, err = DecodeHandle(append(got, 0))
	assert.ErrorIs(t, err, ErrTrailing)
	got[1] = 1
	_, err = DecodeHandle(got)
	assert.ErrorIs(t, err, ErrReserved)
}
