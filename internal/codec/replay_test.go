package codec_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mxrest/internal/codec"
	"mxrest/internal/codec/codectest"
)

func ptr[T any](v T) *T { return &v }

// A body of a plant whose command, version, kind and tail are none of the layout's: only the value's bytes change.
func TestReplayOfAnotherPlant(t *testing.T) {
	const captured = "990700" + "0500 36d7 0200 9b00 0a00 3eda 0000" + "77" + "78563412" + "0102030405060708090a0b0c0d0e0f101112"
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
		require.NoError(t, err)
		return b
	}
	l := codec.DefaultLayout()
	body := unhex(captured)
	r, err := l.NewReplay(body, &codec.Value{Type: codec.Int32, Bits: 0x12345678})
	require.NoError(t, err)
	assert.Zero(t, r.Message())
	got, ranges, err := r.Append(nil, &codec.Change{Value: &codec.Value{Type: codec.Int32, Bits: 7}})
	require.NoError(t, err)
	assert.Equal(t, unhex(strings.Replace(captured, "78563412", "07000000", 1)), got)
	assert.Equal(t, []codec.Range{{Name: "value", Offset: 18, Length: 4, Was: []byte{0x78, 0x56, 0x34, 0x12}}}, ranges)

	got, ranges, err = r.Append(nil, &codec.Change{Handle: &codec.Handle{ObjectID: 0x0102}})
	require.NoError(t, err)
	assert.Equal(t, unhex("990700"+"0201 0000 0000 0000 0000 0000 0000"+"77"+"78563412"+"0102030405060708090a0b0c0d0e0f101112"), got)
	assert.Equal(t, "handle projection", ranges[0].Name)

	// Where the tail's members stand is not known there.
	_, _, err = r.Append(nil, &codec.Change{ClientToken: ptr(uint32(1))})
	assert.ErrorIs(t, err, codec.ErrTailUnknown)
	_, _, err = r.Append(nil, &codec.Change{Value: &codec.Value{Type: codec.Float32}})
	assert.ErrorIs(t, err, codec.ErrType)
	_, _, err = r.Append(nil, &codec.Change{Handle: &codec.Handle{AttributeIndex: -1}})
	assert.ErrorIs(t, err, codec.ErrIndex)

	for name, v := range map[string]codec.Value{
		"another value": {Type: codec.Int32, Bits: 7}, "another type": {Type: codec.Float64}, "text": {Type: codec.String, Text: []byte("Hello")},
	} {
		_, err = l.NewReplay(body, &v)
		assert.ErrorIs(t, err, codec.ErrNotFound, name)
	}
	_, err = l.NewReplay(body[:35], &codec.Value{Type: codec.Int32})
	assert.ErrorIs(t, err, codec.ErrShort)
}

// A string's lengths are rewritten, and the tail moves with it.
func TestReplayString(t *testing.T) {
	l := codec.DefaultLayout()
	w := codec.Write{Value: codec.Value{Type: codec.String, Text: []byte("Hello")}, ClientToken: 0x01020304, WriteIndex: -2}
	body, err := l.EncodeWrite(&w)
	require.NoError(t, err)
	r, err := l.NewReplay(body, &w.Value)
	require.NoError(t, err)
	got, _, err := r.Append([]byte("before"), &codec.Change{Value: &codec.Value{Type: codec.String, Text: []byte("a longer text")}, WriteIndex: ptr(int32(9))})
	require.NoError(t, err)
	w.Value.Text, w.WriteIndex = []byte("a longer text"), 9
	want, err := l.EncodeWrite(&w)
	require.NoError(t, err)
	assert.Equal(t, "before"+string(want), string(got))
	_, _, err = r.Append(nil, &codec.Change{FileTime: ptr(int64(1))})
	assert.ErrorIs(t, err, codec.ErrNormal)
}

// Under any layout a replay gives what encoding the changed write would, and its ranges are all that changed.
func TestReplayProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		w := codectest.Write(t, l)
		body, err := l.EncodeWrite(&w)
		require.NoError(t, err)
		r, err := l.NewReplay(body, &w.Value)
		require.NoError(t, err)
		other := codectest.WriteOf(t, l, codectest.ValueOf(t, l, w.Value.Type))
		c := codec.Change{Value: &other.Value, Handle: &other.Handle, ClientToken: &other.ClientToken, WriteIndex: &other.WriteIndex}
		ambiguous := l.AmbiguousTail(body[len(body)-codec.TailSize:])
		if w.Timestamped && !ambiguous {
			c.FileTime = &other.FileTime
		} else {
			other.FileTime = w.FileTime
		}
		if ambiguous {
			c.ClientToken, c.WriteIndex = nil, nil
			other.ClientToken, other.WriteIndex = w.ClientToken, w.WriteIndex
		}
		other.Timestamped = w.Timestamped
		got, ranges, err := r.Append(nil, &c)
		require.NoError(t, err)
		want, err := l.EncodeWrite(&other)
		require.NoError(t, err)
		require.Equal(t, want, got)
		for _, x := range ranges {
			require.LessOrEqual(t, x.Offset+x.Length, len(got))
		}
	})
}
