package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// exchangeRaw sends bytes and gives all answers until the server closes or has answered n times.
func exchangeRaw(t *testing.T, s *Server, n int, sent string) []*http.Response {
	t.Helper()
	c := dial(t, s)
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	_, err := io.WriteString(c, sent)
	require.NoError(t, err)
	var out []*http.Response
	r := bufio.NewReader(c)
	for len(out) < n {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			break
		}
		_, _ = io.Copy(io.Discard, res.Body)
		out = append(out, res)
	}
	return out
}

// Two readers of one connection, a proxy and this server, must agree on where a request ends. What could be read in two ways is refused
// and the connection closed, so that nothing of it is taken for a second request.
func TestRequestsThatCouldBeReadTwoWays(t *testing.T) {
	s, _ := start(t, Default())
	const inner = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, head := range map[string]string{
		"two lengths":             "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
		"a list of lengths":       "Content-Length: 1, 2\r\n\r\n",
		"a signed length":         "Content-Length: +1\r\n\r\n",
		"an unknown coding":       "Transfer-Encoding: xchunked\r\n\r\n",
		"a coding twice":          "Transfer-Encoding: chunked, chunked\r\n\r\n",
		"a space before the name": "Content-Length : 1\r\n\r\n",
		"a bare line feed in one": "X-A: a\nContent-Length: 1\r\n\x00\r\n\r\n",
	} {
		got := exchangeRaw(t, s, 2, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+head+inner)
		for _, res := range got {
			require.GreaterOrEqual(t, res.StatusCode, 400, name)
		}
		require.LessOrEqual(t, len(got), 1, name)
	}
	// A length beside chunks: chunks alone count (RFC 9112, 6.3), and what follows them is the next request.
	body := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(cases.Base), cases.Base)
	got := exchangeRaw(t, s, 2, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"+body+inner)
	require.Len(t, got, 2)
	require.Equal(t, []int{200, 200}, []int{got[0].StatusCode, got[1].StatusCode})
	require.Equal(t, "application/json", got[1].Header.Get("Content-Type"))
}

// A body that was refused unread is never taken for the next request on its connection.
func TestARefusedBodyIsNoRequest(t *testing.T) {
	cfg := Default()
	cfg.APIKeys, _ = newKeyFile(t, "only")
	s, _ := start(t, cfg)
	const inner = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, framing := range []string{
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(inner), inner),
		fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(inner), inner),
	} {
		got := exchangeRaw(t, s, 2, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+framing)
		require.Len(t, got, 1)
		require.Equal(t, 401, got[0].StatusCode)
	}
	// Refused for its type, short, with a second request right behind it: that one is answered, as itself.
	open, _ := start(t, Default())
	for _, path := range []string{"/v1/write", "/v1/write/batch/results"} {
		got := exchangeRaw(t, open, 2, "POST "+path+" HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson, */*\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"+inner)
		require.Len(t, got, 2, path)
		require.Equal(t, []int{415, 200}, []int{got[0].StatusCode, got[1].StatusCode}, path)
	}
	// A streamed reply that ends before its input: the rest of the input is read away.
	body := "{}\n[\n" + strings.Repeat("#\n", 100)
	got := exchangeRaw(t, open, 2, fmt.Sprintf("POST /v1/write/batch/results HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s%s", len(body), body, inner))
	require.Len(t, got, 2)
	require.Equal(t, 200, got[1].StatusCode)
}

func TestHeadersBeyondTheLimit(t *testing.T) {
	s, _ := start(t, Default())
	got := exchangeRaw(t, s, 1, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: "+strings.Repeat("x", 64<<10)+"\r\n\r\n")
	if len(got) > 0 { // the connection may be gone before the answer is read
		require.Equal(t, 431, got[0].StatusCode)
	}
}

// A client that sends all of a body before it looks at the answer, as most do, still learns why it was refused.
func TestARefusalReachesAClientThatIsStillSending(t *testing.T) {
	cfg := Default()
	keyed := cfg
	keyed.APIKeys, _ = newKeyFile(t, "only")
	large := strings.Repeat(" ", 12<<20)
	for _, c := range []struct {
		cfg    Config
		status int
	}{{cfg, 413}, {keyed, 401}} {
		s, _ := start(t, c.cfg)
		for _, sent := range []string{
			fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(large), large),
			fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(large), large),
		} {
			got := exchangeRaw(t, s, 1, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+sent)
			require.Len(t, got, 1)
			require.Equal(t, c.status, got[0].StatusCode)
		}
	}
}

// A body that breaks off is no body that is too short: whatever was being read, the answer is 400, also where the input is a batch.
func TestABodyThatBreaksOffIs400(t *testing.T) {
	s, _ := start(t, Default())
	for _, op := range []struct{ path, contentType, part string }{
		{"/v1/write", "application/json", `{"handle":`},
		{"/v1/write/batch", "application/json", `[{"handle":`},
		{"/v1/write/batch", "application/x-ndjson", `{"handle":`},
		{"/v1/write/batch/results", "application/json", `[`},
		{"/v1/decode", "application/octet-stream", "\x37"},
		{"/v1/decode/batch", "application/octet-stream", "\x28\x00"},
		{"/v1/decode/batch", "application/octet-stream", "\x28\x00\x00\x00\x37"},
		{"/v1/decode/text/batch", "application/x-ndjson", `{"hex":`},
	} {
		c := dial(t, s)
		require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", op.path, op.contentType, len(op.part), op.part)
		require.NoError(t, c.(*net.TCPConn).CloseWrite())
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err, op)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, 400, res.StatusCode, "%v %s", op, body)
		require.Contains(t, problem(t, res, string(body)).Detail, "broke off", op)
	}
}

// What net/http refuses before any handler is asked has the one shape of errors too.
func TestWhatNetHTTPRefusesIsAProblem(t *testing.T) {
	s, _ := start(t, Default())
	for sent, want := range map[string]struct {
		status int
		kind   string
	}{
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n": {431, "headers-too-large"},
		"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n":                                        {400, "request"},
		"GET / HTTP/1.1\r\n\r\n":                                                      {400, "request"},
		"nonsense\r\n\r\n":                                                            {400, "request"},
		"GET / HTTP/3.0\r\nHost: x\r\n\r\n":                                           {505, "http-version"},
		"POST /v1/write HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n":       {501, "not-implemented"},
		"POST /v1/write HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n":                   {417, "expectation-failed"},
	} {
		c := dial(t, s)
		require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
		_, err := io.WriteString(c, sent)
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err, sent)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, want.status, res.StatusCode, "%.60q: %s", sent, body)
		require.True(t, res.Close)
		require.Equal(t, "urn:mxrest:problem:"+want.kind, problem(t, res, string(body)).Type)
	}
	// A handler's own answer is nobody else's, whatever it looks like.
	require.Nil(t, ownProblem([]byte("400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nDate: x\r\n\r\n")))
	require.Nil(t, ownProblem([]byte("404 Not Found"+plainHead+"x")))
	require.Nil(t, ownProblem([]byte("4")))
}
