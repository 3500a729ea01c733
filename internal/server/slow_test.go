package server

import (
	"bufio"
	"errors"
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

// quick is a configuration with timeouts that a test can wait for.
func quick() Config {
	cfg := Default()
	cfg.Timeouts.Header, cfg.Timeouts.Read, cfg.Timeouts.Write = 200*time.Millisecond, 200*time.Millisecond, 3*time.Second
	return cfg
}

// answer reads one answer; a connection that is closed without one gives nil.
func answer(t *testing.T, c net.Conn) *http.Response {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(30*time.Second)))
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	var timeout net.Error
	if err != nil {
		require.False(t, asTimeout(err, &timeout), "the server let the client hang")
		return nil
	}
	return res
}

func asTimeout(err error, target *net.Error) bool {
	return errors.As(err, target) && (*target).Timeout()
}

func TestHeadersThatNeverEndAreCutOff(t *testing.T) {
	s, _ := start(t, quick())
	for _, sent := range []string{"", "P", "POST /v1/write HTTP/1.1\r\nHost: x\r\nX-Slow: "} {
		c := dial(t, s)
		_, err := io.WriteString(c, sent)
		require.NoError(t, err)
		if res := answer(t, c); res != nil {
			require.GreaterOrEqual(t, res.StatusCode, 400)
		}
	}
}

func TestABodyThatNeverEndsIsCutOff(t *testing.T) {
	s, _ := start(t, quick())
	for _, path := range []string{"/v1/write", "/v1/write/explain", "/v1/write/batch", "/v1/write/batch/results"} {
		for _, framing := range []string{"Content-Length: 3000", "Transfer-Encoding: chunked"} {
			c := dial(t, s)
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s\r\n\r\n", path, framing)
			res := answer(t, c)
			require.NotNil(t, res, path)
			require.Equal(t, 408, res.StatusCode, path)
			require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
			require.True(t, res.Close)
		}
	}
	require.Eventually(t, func() bool { return s.apiInFlight.Load() == 0 }, 10*time.Second, time.Millisecond)
}

// A batch that drips, a byte now and then, moves no deadline.
func TestADrippingBatchIsCutOff(t *testing.T) {
	s, _ := start(t, quick())
	c := dial(t, s)
	fmt.Fprint(c, "POST /v1/write/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
	go func() {
		for {
			if _, err := io.WriteString(c, "1\r\n#\r\n"); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	res := answer(t, c)
	require.NotNil(t, res)
	require.Equal(t, 408, res.StatusCode)
}

// A batch that keeps coming takes several times the read and write timeouts, and ends well.
func TestABatchThatMovesMayTakeLong(t *testing.T) {
	t.Parallel()
	cfg := Default()
	cfg.Timeouts.Read, cfg.Timeouts.Write = time.Second, 1100*time.Millisecond
	_, url := start(t, cfg)
	line := strings.ReplaceAll(cases.Base, "\n", "") + "\n"
	piece := strings.Repeat(line, 1+progressBytes/len(line))
	const pieces = 50
	r, w := io.Pipe()
	go func() {
		for range pieces {
			_, _ = io.WriteString(w, piece)
			time.Sleep(50 * time.Millisecond)
		}
		_ = w.Close()
	}()
	res, err := http.Post(url+"/v1/write/batch", "application/x-ndjson", r)
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode, string(b))
	require.Len(t, b, pieces*(1+progressBytes/len(line))*44)
}

// A client that stops reading its reply is cut off, in both forms of a batch.
func TestAClientThatStopsReadingIsCutOff(t *testing.T) {
	text := `"type":"String","value":"` + strings.Repeat("x", 900<<10) + `"`
	item := strings.Replace(strings.ReplaceAll(cases.Base, "\n", ""), `"type":"Int32","value":305419896`, text, 1)
	require.Contains(t, item, "xxx")
	for _, path := range []string{"/v1/write/batch", "/v1/write/batch/results"} {
		cfg := quick()
		cfg.Timeouts.Write = 300 * time.Millisecond
		s, _ := start(t, cfg)
		c := dial(t, s)
		require.NoError(t, c.(*net.TCPConn).SetReadBuffer(4<<10))
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nAccept: application/x-ndjson, */*\r\nTransfer-Encoding: chunked\r\n\r\n", path)
		var err error
		for range 30 { // 27 MB in, twice that out: more than any socket buffer takes
			if _, err = fmt.Fprintf(c, "%x\r\n%s\n\r\n", len(item)+1, item); err != nil {
				break
			}
		}
		if err == nil {
			_, _ = io.WriteString(c, "0\r\n\r\n")
		}
		require.Eventually(t, func() bool { return s.apiInFlight.Load() == 0 && s.metrics.InFlight.Load() == 0 }, 30*time.Second, 5*time.Millisecond, path)
		require.Zero(t, s.budget.Used(), path)
	}
}
