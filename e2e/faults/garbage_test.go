//go:build e2e

package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"
)

// cutOff sends half a request and gives nil once the server has ended the connection.
func cutOff(addr string) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		return err
	}
	if err := c.SetReadDeadline(time.Now().Add(15 * time.Second)); err != nil {
		return err
	}
	_, err = io.ReadAll(c)
	return err
}

var paths = []string{
	"/v1/write", "/v1/write/explain", "/v1/write/batch", "/v1/write/batch/results", "/v1/handle", "/v1/decode", "/v1/decode/text", "/v1/diff",
	"/v1/replay", "/v1/layout/learn", "/v1/item-control", "/openapi.json", "/", "/v1/%2e%2e/x", "/nothing/here",
}

// garbage is one hostile or broken request as bytes on the wire.
func garbage(r *rand.Rand) []byte {
	path := paths[r.IntN(len(paths))]
	body := junk(r)
	switch r.IntN(8) {
	case 0: // no HTTP at all
		return body
	case 1: // a head that never ends well
		return []byte("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551616\r\n\r\n" + string(body))
	case 2: // chunks that lie
		return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n%s", path, body)
	case 3: // two lengths
		return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", path)
	case 4: // much head
		return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n", path, strings.Repeat("y", 1+r.IntN(40<<10)))
	case 5: // octets where they may be expected
		return fmt.Appendf(nil, "POST /v1/decode HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	case 6: // NDJSON with good and broken lines
		good, _ := int32Write(r.Int32())
		text := good + "\n" + string(body) + "\n" + good + "\n"
		return fmt.Appendf(nil, "POST /v1/write/batch/results HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	default: // JSON that is broken, or not what is asked for
		return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	}
}

// junk is a write with damage, deep nesting, or bytes of any kind.
func junk(r *rand.Rand) []byte {
	good, octets := int32Write(r.Int32())
	switch r.IntN(5) {
	case 0:
		b := []byte(good)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		return b
	case 1:
		return []byte(good[:r.IntN(len(good))])
	case 2:
		return []byte(strings.Repeat("[", 1+r.IntN(20_000)))
	case 3:
		octets[r.IntN(len(octets))] = byte(r.Uint32())
		return octets[:1+r.IntN(len(octets))]
	default:
		b := make([]byte, r.IntN(4096))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
}

// throw sends garbage on a connection of its own. A third of the time it hangs up at once; else it reads what comes, for a moment.
// Whether the answer's status is a server error is all that is judged, and told.
func throw(r *rand.Rand, addr string) (serverError string) {
	c, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return ""
	}
	defer func() { _ = c.Close() }()
	sent := garbage(r)
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := c.Write(sent); err != nil || r.IntN(3) == 0 {
		return ""
	}
	head := make([]byte, 4096)
	n, _ := c.Read(head)
	answer := string(head[:n])
	if strings.HasPrefix(answer, "HTTP/1.1 5") && !strings.HasPrefix(answer, "HTTP/1.1 503") {
		return fmt.Sprintf("%q was answered %q", sent[:min(len(sent), 300)], answer[:min(len(answer), 600)])
	}
	return ""
}
