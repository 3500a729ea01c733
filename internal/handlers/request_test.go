package handlers

import (
	"io"
	"net/http"
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
			r := httptest.NewRequest(http.MethodPost, "/", body)
			if name == "by bytes" {
				r.ContentLength = -1
			}
			got, p := ReadBody(r, 100_000)
			require.Nil(t, p)
			require.Equal(t, text, string(got))
			if size > 0 {
				r = httptest.NewRequest(http.MethodPost, "/", strings.NewReader(text))
				r.ContentLength = -1
				_, p = ReadBody(r, int64(size-1))
				require.NotNil(t, p)
				require.Equal(t, 413, p.Status)
			}
		}
	}
}

func TestReadBodyFails(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(os.ErrDeadlineExceeded))
	_, p := ReadBody(r, 10)
	require.Equal(t, 408, p.Status)
	r = httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(io.ErrUnexpectedEOF))
	_, p = ReadBody(r, 10)
	require.Equal(t, 400, p.Status)
}
