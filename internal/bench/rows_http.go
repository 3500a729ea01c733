package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"mxrest/internal/codec"
)

// exchange is a request that the HTTP rows send, again and again.
type exchange struct {
	path, contentType string
	body              []byte
}

func jsonExchange(path, body string) exchange {
	return exchange{path, "application/json", []byte(body)}
}

// batchLines is how many writes the batch row sends.
const batchLines = 20

func batchExchange() exchange {
	return exchange{"/v1/write/batch", "application/x-ndjson", []byte(strings.Repeat(int32JSON+"\n", batchLines))}
}

// called calls the handler itself: a request that is there already and a writer that keeps nothing.
func called(h http.Handler, e exchange) func(n int) error {
	body := bytes.NewReader(e.body)
	r := &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: e.path}, RequestURI: e.path, Host: "localhost", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {e.contentType}}, Body: io.NopCloser(body), ContentLength: int64(len(e.body)), RemoteAddr: "127.0.0.1:1",
	}
	w := &discard{header: http.Header{}}
	return func(n int) error {
		for range n {
			body.Reset(e.body)
			clear(w.header)
			w.status, w.bytes = 0, 0
			h.ServeHTTP(w, r)
			if w.status >= 300 || w.bytes == 0 {
				return fmt.Errorf("POST %s: status %d and %d bytes", e.path, w.status, w.bytes)
			}
		}
		return nil
	}
}

// discard is a ResponseWriter that counts.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header    { return d.header }
func (d *discard) WriteHeader(status int) { d.status = status }
func (d *discard) Write(b []byte) (int, error) {
	d.bytes += len(b)
	return len(b), nil
}

// Bare is what POST /v1/write is compared with: a handler behind a ServeMux that reads the body and writes 40 fixed bytes under the
// same two headers, as cheaply as net/http lets it.
func Bare() http.Handler {
	mux := http.NewServeMux()
	reply := make([]byte, 40)
	contentType, contentLength := []string{"application/octet-stream"}, []string{"40"}
	mux.HandleFunc("POST /v1/write", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		h := w.Header()
		h["Content-Type"], h["Content-Length"] = contentType, contentLength
		_, _ = w.Write(reply)
	})
	return mux
}

// httpRows measure a server: its handler called directly, and whole requests to it. close ends what they listen on.
func httpRows(srv *http.Server) (rows []Scenario, closeAll func(), err error) {
	const (
		direct = "the handler called directly with a request that is there already"
		writes = direct + ": routing, checks, pool, JSON, both signatures, body"
	)
	for _, r := range []struct {
		name, includes string
		exchange
	}{
		{"handler, POST /v1/write, Int32", writes, jsonExchange("/v1/write", int32JSON)},
		{"handler, POST /v1/write, String, 120 ASCII letters", writes, jsonExchange("/v1/write", asciiJSON)},
		{fmt.Sprintf("handler, POST /v1/write, %v, %d elements", codec.Int32Array, elements), writes, jsonExchange("/v1/write", intsJSON)},
		{"handler, POST /v1/handle", direct + ": the 20 bytes of a handle from names", jsonExchange("/v1/handle", handleJSON)},
		{"handler, POST /v1/decode, Int32 write", direct + ": 40 bytes to JSON with every field", exchange{"/v1/decode", "application/octet-stream", must(codec.AppendWrite(nil, &int32Write))}},
		{fmt.Sprintf("handler, POST /v1/write/batch, %d writes", batchLines), direct + ": NDJSON to frames", batchExchange()},
	} {
		rows = append(rows, Scenario{Name: r.name, Group: InHandler, Includes: r.includes, Allocs: Ungated, Loop: called(srv.Handler, r.exchange)})
	}

	var open []io.Closer
	closeAll = func() {
		for _, c := range open {
			_ = c.Close()
		}
	}
	const whole = "a whole request over a kept loopback connection, the server's part of net/http with it"
	for _, r := range []struct {
		name, includes string
		srv            *http.Server
		exchange
	}{
		{rowBare, whole + ": read the body, write 40 fixed bytes with their type and length, nothing else", &http.Server{Handler: Bare(), ReadHeaderTimeout: srv.ReadHeaderTimeout}, jsonExchange("/v1/write", int32JSON)},
		{rowWrite, whole + ": the product with its timeouts, limits and counters", srv, jsonExchange("/v1/write", int32JSON)},
		{fmt.Sprintf("request, POST /v1/write/batch, %d writes", batchLines), whole + ": NDJSON to frames", srv, batchExchange()},
	} {
		c, err := Dial(r.srv, r.path, r.contentType, r.body)
		if err != nil {
			closeAll()
			return nil, nil, fmt.Errorf("%s: %w", r.name, err)
		}
		open = append(open, c)
		rows = append(rows, Scenario{Name: r.name, Group: InRequest, Includes: r.includes, Allocs: Ungated, Loop: c.Send})
	}
	return rows, closeAll, nil
}
