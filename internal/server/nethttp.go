package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"

	"mxrest/internal/handlers"
)

// net/http answers by itself what it does not take for a request: no handler is asked, and the text is plain. On a connection without TLS those
// answers are recognised as they are written, whole in one write each, and become the problem that every other error is. Through TLS they
// pass encrypted, and stay as they are.

// plainHead is what follows the status line of such an answer; no other answer has these headers and no date.
const plainHead = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// Write is net.Conn's.
func (c *watchedConn) Write(b []byte) (int, error) {
	const version = "HTTP/1.1 " // or 1.0: a request without TLS to an address with TLS, answered before the handshake
	if len(b) < 512 && len(b) > len(version) && b[len(version)] >= '4' && string(b[:7]) == version[:7] {
		if p := ownProblem(b[len(version):]); p != nil {
			if _, err := c.Conn.Write(p); err != nil {
				return 0, err
			}
			return len(b), nil
		}
	}
	return c.Conn.Write(b)
}

// ownProblem is the answer to send in place of one of net/http's own, which begins with its status; nil for any other answer.
func ownProblem(answer []byte) []byte {
	line := bytes.IndexByte(answer, '\r')
	if line < 3 {
		return nil
	}
	status, _ := strconv.Atoi(string(answer[:3]))
	withoutTLS := bytes.HasPrefix(answer, []byte("400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server."))
	if !withoutTLS && !bytes.HasPrefix(answer[line:], []byte(plainHead)) && status != http.StatusExpectationFailed {
		return nil
	}
	var p *handlers.Problem
	switch {
	case withoutTLS:
		p = handlers.NewProblem(handlers.KindRequest, "This address speaks HTTPS. Send the request to https://.")
	case status == http.StatusBadRequest:
		p = handlers.NewProblem(handlers.KindRequest, "The request is malformed HTTP.")
	case status == http.StatusExpectationFailed:
		p = handlers.NewProblem(handlers.KindExpectation, "The request has an Expect header that is not 100-continue. Send it without.")
	case status == http.StatusRequestHeaderFieldsTooLarge:
		p = handlers.NewProblem(handlers.KindHeaders, "The request line and the headers together are larger than this server takes.")
	case status == http.StatusNotImplemented:
		p = handlers.NewProblem(handlers.KindNotImplemented, "The request's Transfer-Encoding is not taken. Send chunked, or a Content-Length.")
	case status == http.StatusHTTPVersionNotSupported:
		p = handlers.NewProblem(handlers.KindHTTPVersion, "Send HTTP/1.1, HTTP/1.0 or, over TLS, HTTP/2.")
	default:
		return nil
	}
	h := http.Header{}
	body := p.Body(handlers.EnsureRequestID(h))
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nX-Content-Type-Options: nosniff\r\n%s: %s\r\nConnection: close\r\n\r\n%s",
		p.Status, http.StatusText(p.Status), handlers.ProblemMediaType, len(body), handlers.RequestIDHeader, h.Get(handlers.RequestIDHeader), body)
}
