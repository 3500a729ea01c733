package handlers

import (
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestReadBody(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 16383, 16384, 16385, 100_000} {
		text := strings.Repeat("x", size)
		for name, body := range map[string]io.Reader{"at once": strings.NewReader(text), "by bytes": iotest.OneByteReader(strings.NewReader(text))} {
			r := httptest.NewRequest("POST", "/", body)
			if name == "by bytes" {
				r.ContentLength = -1
			}
			got, p := ReadBody(r, 100_000)
			require.Nil(t, p)
			require.Equal(t, text, string(got))
			if size > 0 {
				r = httptest.NewRequest("POST", "/", strings.NewReader(text))
				r.ContentLength = -1
				_, p = ReadBody(r, int64(size-1))
				require.NotNil(t, p)
				require.Equal(t, 413, p.Status)
			}
		}
	}
}

func TestReadBodyFails(t *testing.T) {
	r := httptest.NewRequest("POST", "/", iotest.ErrReader(os.ErrDeadlineExceeded))
	_, p := ReadBody(r, 10)
	require.Equal(t, 408, p.Status)
	r = httptest.NewRequest("POST", "/", iotest.ErrReader(io.ErrUnexpectedEOF))
	_, p = ReadBody(r, 10)
	require.Equal(t, 400, p.Status)
}

func TestDecodeJSON(t *testing.T) {
	type inner struct {
		Small int32  `json:"small"`
		Big   uint32 `json:"big"`
		Text  string `json:"text"`
	}
	var v struct {
		In inner `json:"in"`
	}
	require.Nil(t, DecodeJSON([]byte(`{"in":{"small":-5,"big":4294967295,"text":"x"}}`), 64, &v))
	require.Equal(t, inner{-5, 4294967295, "x"}, v.In)
	for _, c := range []struct {
		body, pointer, limit string
		status               int
	}{
		{`{"In":{}}`, "/In", "", 400},
		{`{"in":{"Small":1}}`, "/in/Small", "", 400},
		{`{"in":{}}x`, "", "", 400},
		{`{"in":{"small":2147483648}}`, "/in/small", "integer -2147483648..2147483647", 422},
		{`{"in":{"big":4294967296}}`, "/in/big", "integer 0..4294967295", 422},
		{`{"in":{"text":5}}`, "/in/text", "a string", 422},
		{`{"in":[]}`, "/in", "an object", 422},
	} {
		p := DecodeJSON([]byte(c.body), 64, &v)
		require.NotNil(t, p, c.body)
		require.Equal(t, c.status, p.Status, c.body)
		require.Equal(t, c.pointer, p.Errors[0].Pointer, c.body)
		require.Equal(t, c.limit, p.Errors[0].Limit, c.body)
		require.NotContains(t, p.Errors[0].Reason, "Go ")
	}
}
