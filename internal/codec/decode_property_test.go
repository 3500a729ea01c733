package codec_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mxrest/internal/codec"
	"mxrest/internal/codec/codectest"
)

// Under any layout, any write comes back as it was: handle, value, tail.
func TestDecodeWriteProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		w := codectest.Write(t, l)
		body, err := l.EncodeWrite(&w)
		require.NoError(t, err)
		got, err := l.DecodeWrite(body)
		require.NoError(t, err)
		again, err := l.AppendCapturedWrite(nil, &got)
		require.NoError(t, err)
		require.Equal(t, body, again)

		if l.AmbiguousTail(body[len(body)-codec.TailSize:]) {
			require.False(t, got.Timestamped, "a tail that fits both forms is a normal one")
			return
		}
		// What a body does not tell apart: the type behind a kind, and the encoding in which text came.
		want := w
		want.Value.Type = w.Value.Type.Kind().Type()
		if want.Value.Type == codec.String {
			want.Value.Text, want.Value.UTF16 = utf16Text(w.Value), true
			if len(want.Value.Text) == 0 {
				require.Empty(t, got.Value.Text)
				got.Value.Text, want.Value.Text = nil, nil
			}
		}
		require.Equal(t, want, got)
	})
}

func utf16Text(v codec.Value) []byte {
	if v.UTF16 {
		return v.Text
	}
	var b []byte
	for _, u := range utf16.Encode([]rune(string(v.Text))) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// Every message under any layout: encoded again it is the same; cut anywhere or with a byte more it is refused, at an offset inside the body.
func TestDecodeMessageProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		body := codectest.Message(t, l)
		var m codec.Message
		require.NoError(t, l.Decode(&m, body))
		again, err := l.AppendMessage(nil, &m)
		require.NoError(t, err)
		require.Equal(t, body, again)

		n := rapid.IntRange(0, len(body)-1).Draw(t, "cut")
		cut := body[:n]
		err = l.Decode(&m, cut)
		if n == 1 && body[0] == 0 {
			require.NoError(t, err, "00 alone is a completion code")
		} else {
			requireOffset(t, err, n)
		}
		// A completion code with a byte more is another message or none; either way it is refused.
		long := append(body[:len(body):len(body)], rapid.Byte().Draw(t, "more"))
		err = l.Decode(&m, long)
		requireOffset(t, err, len(long))
	})
}

func requireOffset(t require.TestingT, err error, end int) {
	var e *codec.Error
	require.ErrorAs(t, err, &e)
	require.GreaterOrEqual(t, e.Offset, 0)
	require.LessOrEqual(t, e.Offset, end)
}

// A body with any byte changed is refused or encodes to itself: nothing is read and forgotten.
func TestDecodeChangedByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := codectest.Layout().Draw(t, "layout")
		body := codectest.Message(t, l)
		body[rapid.IntRange(0, len(body)-1).Draw(t, "at")] ^= rapid.ByteRange(1, 255).Draw(t, "with")
		var m codec.Message
		if l.Decode(&m, body) != nil {
			return
		}
		again, err := l.AppendMessage(nil, &m)
		require.NoError(t, err)
		require.Equal(t, body, again)
	})
}
