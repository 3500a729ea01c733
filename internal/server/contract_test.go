package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/api"
	"mxrest/internal/cases"
)

// contract reaches operations over HTTP and holds every answer against the document.
type contract struct {
	t       *testing.T
	doc     *openapi3.T
	router  routers.Router
	ops     []*operation
	reached map[string]map[string]bool // operationId, status
}

func newContract(t *testing.T) *contract {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	require.NoError(t, err)
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc)
	require.NoError(t, err)
	for _, text := range []string{"application/x-ndjson", "text/html", "text/markdown"} {
		openapi3filter.RegisterBodyDecoder(text, openapi3filter.PlainBodyDecoder)
	}
	c := &contract{t: t, doc: doc, router: router, reached: map[string]map[string]bool{}}
	all, err := readOperations(doc)
	require.NoError(t, err)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		for _, op := range all[path] {
			c.ops = append(c.ops, op)
			c.reached[op.id] = map[string]bool{}
		}
	}
	return c
}

// check holds one answer against the document and notes that its status was reached.
func (c *contract) check(req *http.Request, res *http.Response, body []byte) {
	c.t.Helper()
	route, params, err := c.router.FindRoute(req)
	require.NoError(c.t, err)
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode, Header: res.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	assert.NoError(c.t, err, "%s %s: %d: %s", req.Method, req.URL.Path, res.StatusCode, clipped(string(body)))
	if res.StatusCode >= 400 {
		problem(c.t, res, string(body))
		c.checkExample(route.Operation, res.StatusCode, body)
	}
	c.reached[route.Operation.OperationID][fmt.Sprint(res.StatusCode)] = true
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/x-ndjson") {
		c.checkLines(route.Operation.OperationID, body)
	}
}

// checkLines holds streamed lines against the schemas that the document names for them in words.
func (c *contract) checkLines(id string, body []byte) {
	c.t.Helper()
	line := "DecodeLine"
	if id == "encodeBatchResults" {
		line = "BatchResult"
	}
	lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	for i, text := range lines {
		name := line
		if i == len(lines)-1 {
			name = "BatchSummary"
		}
		var v any
		require.NoError(c.t, json.Unmarshal([]byte(text), &v), text)
		assert.NoError(c.t, c.doc.Components.Schemas[name].Value.VisitJSON(v, openapi3.VisitAsResponse()), text)
	}
}

// send calls an operation and checks the answer.
func (c *contract) send(url string, op *operation, body string, headers ...string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequest(op.method, url+op.path, strings.NewReader(body))
	require.NoError(c.t, err)
	if len(op.consumes) > 0 {
		req.Header.Set("Content-Type", op.consumes[0])
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	got, err := io.ReadAll(res.Body)
	res.Body.Close()
	require.NoError(c.t, err)
	c.check(req, res, got)
	return res
}

// octets are good and bad bodies of the operations that take octets, which the document has no examples for.
var octets = map[string]struct{ good, bad string }{
	"decode":      {cases.BaseHex, "ff00"},
	"decodeBatch": {"28000000" + cases.BaseHex, "0500"},
}

// misfits are bodies that are JSON and do not fit, where {} is not one.
var misfits = map[string]string{
	"encodeBatch": "[{}]",
}

// TestContract reaches every operation with every status that its document gives, over a real connection, and holds each answer
// against the document.
func TestContract(t *testing.T) {
	c := newContract(t)
	_, url := start(t, Default())
	for _, op := range c.ops {
		c.good(url, op)
		c.send(url, op, "", "Accept: application/x-nothing")
		if len(op.consumes) > 0 {
			c.send(url, op, "x", "Content-Type: application/x-nothing")
			c.bad(url, op)
		}
	}
	c.withKeys()
	c.wrongMethod(url)
	c.longHeaders(url)
	c.tooLarge()
	c.tooSlow()
	c.tooMany()
	c.shuttingDown()
	c.panicking()
	c.adminElsewhere()

	for _, op := range c.ops {
		require.Equal(t, op.statuses, slices.Sorted(maps.Keys(c.reached[op.id])), "%s: the statuses of the document and those reached", op.id)
	}
}

// good sends each example of the document.
func (c *contract) good(url string, op *operation) {
	o := c.doc.Paths.Value(op.path).GetOperation(op.method)
	if o.RequestBody == nil {
		res := c.send(url, op, "")
		require.Equal(c.t, 200, res.StatusCode, op.path)
		return
	}
	for contentType, media := range o.RequestBody.Value.Content {
		for name, ex := range media.Examples {
			body, ok := ex.Value.Value.(string)
			if !ok {
				b, err := json.Marshal(ex.Value.Value)
				require.NoError(c.t, err)
				body = string(b)
			}
			for _, produces := range op.produces {
				res := c.send(url, op, body, "Content-Type: "+contentType, "Accept: "+produces)
				require.Less(c.t, res.StatusCode, 300, "%s, example %s", op.path, name)
			}
		}
	}
	if o := octets[op.id]; o.good != "" {
		b, err := hex.DecodeString(o.good)
		require.NoError(c.t, err)
		res := c.send(url, op, string(b))
		require.Equal(c.t, 200, res.StatusCode, op.path)
	}
}

// example is a body that reaches an operation's handler: an example of the document where the schema validator stands before it.
func (c *contract) example(op *operation) string {
	if op.codec || len(op.consumes) == 0 {
		return "{}"
	}
	examples := c.doc.Paths.Value(op.path).GetOperation(op.method).RequestBody.Value.Content["application/json"].Examples
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		b, err := json.Marshal(examples[name].Value.Value)
		require.NoError(c.t, err)
		return string(b)
	}
	c.t.Fatalf("%s has no example", op.id)
	return ""
}

// bad sends what is not JSON and what does not fit.
func (c *contract) bad(url string, op *operation) {
	if o, ok := octets[op.id]; ok {
		b, err := hex.DecodeString(o.bad)
		require.NoError(c.t, err)
		c.send(url, op, string(b))
		if op.streamed {
			c.badChunk(url, op)
		}
		if op.id == "decode" {
			for _, query := range []string{"?object=", "?object=a&object=b", "?attribute=%ff", "?object=%zz"} {
				twice := *op
				twice.path += query
				require.Equal(c.t, 400, c.send(url, &twice, string(b)).StatusCode, query)
			}
		}
		return
	}
	if op.id == "decodeTextBatch" {
		c.badChunk(url, op) // what is wrong in a line is in that line's answer
		return
	}
	c.send(url, op, "{")
	misfit, ok := misfits[op.id]
	if !ok {
		misfit = "{}"
	}
	c.send(url, op, misfit)
}

// badChunk sends a body whose framing is broken, which no client would.
func (c *contract) badChunk(url string, op *operation) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(c.t, err)
	defer conn.Close()
	req, err := http.NewRequest(op.method, url+op.path, nil)
	require.NoError(c.t, err)
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n", op.method, op.path, op.consumes[0])
	require.NoError(c.t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), req)
	require.NoError(c.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	require.Equal(c.t, 400, res.StatusCode, string(body))
	c.check(req, res, body)
}

// withKeys asks for a key that nobody sends.
func (c *contract) withKeys() {
	sum := sha256.Sum256([]byte("a key that nobody sends"))
	file := filepath.Join(c.t.TempDir(), "keys")
	require.NoError(c.t, os.WriteFile(file, []byte("somebody "+hex.EncodeToString(sum[:])+"\n"), 0o600))
	cfg := Default()
	cfg.APIKeys = file
	_, url := start(c.t, cfg)
	for _, op := range c.ops {
		c.send(url, op, "")
	}
}

// wrongMethod sends a method that no path has.
func (c *contract) wrongMethod(url string) {
	for _, op := range c.ops {
		res, body := call(c.t, "DELETE", url+op.path, "")
		require.Equal(c.t, 405, res.StatusCode, op.path)
		require.Contains(c.t, res.Header.Get("Allow"), op.method)
		req, err := http.NewRequest(op.method, url+op.path, nil)
		require.NoError(c.t, err)
		c.check(req, res, []byte(body))
	}
}

// longHeaders sends headers beyond the limit.
func (c *contract) longHeaders(url string) {
	conns := make([]net.Conn, len(c.ops))
	for i, op := range c.ops { // all of them first: each is closed only a while after its answer
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		require.NoError(c.t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nX-Long: %s\r\n\r\n", op.method, op.path, strings.Repeat("x", Default().Limits.Header+4<<10))
		require.NoError(c.t, err)
		conns[i] = conn
	}
	for i, op := range c.ops {
		answer, err := io.ReadAll(conns[i])
		require.NoError(c.t, err)
		res := c.checkRaw(url, op, answer)
		require.Equal(c.t, 431, res.StatusCode, op.path)
	}
}

func (c *contract) tooLarge() {
	cfg := Default()
	cfg.Limits.Body, cfg.Limits.BatchBody = 1024, 1024
	_, url := start(c.t, cfg)
	for _, op := range c.ops {
		if len(op.consumes) > 0 {
			c.send(url, op, strings.Repeat(" ", 1025))
		}
	}
}

// tooSlow announces bodies that never come.
func (c *contract) tooSlow() {
	cfg := Default()
	cfg.Timeouts.Header, cfg.Timeouts.Read = time.Second, time.Second
	s, url := start(c.t, cfg)
	type pending struct {
		op   *operation
		conn net.Conn
	}
	var all []pending
	for _, op := range c.ops {
		if len(op.consumes) == 0 {
			continue
		}
		conn, err := net.Dial("tcp", s.Addr().String())
		require.NoError(c.t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: 10\r\n\r\n", op.method, op.path, op.consumes[0])
		require.NoError(c.t, err)
		all = append(all, pending{op, conn})
	}
	for _, p := range all {
		require.NoError(c.t, p.conn.SetReadDeadline(time.Now().Add(10*time.Second)))
		answer, err := io.ReadAll(p.conn)
		require.NoError(c.t, err)
		c.checkRaw(url, p.op, answer)
	}
}

// checkRaw checks an answer that was read from a connection by hand.
func (c *contract) checkRaw(url string, op *operation, answer []byte) *http.Response {
	req, err := http.NewRequest(op.method, url+op.path, nil)
	require.NoError(c.t, err)
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), req)
	require.NoError(c.t, err)
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	require.NoError(c.t, err)
	c.check(req, res, body)
	return res
}

// tooMany goes over the rate, and over the requests in flight while one hangs.
func (c *contract) tooMany() {
	cfg := Default()
	cfg.RateLimit, cfg.RateWindow = 1, time.Minute
	_, url := start(c.t, cfg)
	_, _ = call(c.t, "GET", url+"/version", "") // the one that is allowed
	for _, op := range c.ops {
		c.send(url, op, "x", "Content-Type: application/x-nothing", "Accept: application/x-nothing")
	}
	cfg = Default()
	cfg.MaxInFlight = 1
	s, url := start(c.t, cfg)
	conn, err := net.Dial("tcp", s.Addr().String())
	require.NoError(c.t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n")
	require.NoError(c.t, err)
	require.Eventually(c.t, func() bool { return s.apiInFlight.Load() == 1 }, 5*time.Second, time.Millisecond)
	for _, op := range c.ops {
		if op.id != "ready" {
			c.send(url, op, "x", "Content-Type: application/x-nothing", "Accept: application/x-nothing")
		}
	}
}

func (c *contract) shuttingDown() {
	s, url := start(c.t, Default())
	require.Eventually(c.t, s.Ready, 5*time.Second, time.Millisecond)
	s.metrics.Ready.Store(0)
	for _, op := range c.ops {
		if op.id == "ready" {
			res := c.send(url, op, "")
			require.Equal(c.t, 503, res.StatusCode)
		}
	}
}

// panicking puts a handler that panics behind every operation.
func (c *contract) panicking() {
	innermost = func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("on purpose") })
	}
	_, url := start(c.t, Default())
	innermost = nil
	for _, op := range c.ops {
		res := c.send(url, op, c.example(op), "Accept: */*")
		require.Equal(c.t, 500, res.StatusCode, op.path)
	}
}

// adminElsewhere has the metrics on a listener of their own.
func (c *contract) adminElsewhere() {
	cfg := Default()
	cfg.AdminListen = "127.0.0.1:0"
	_, url := start(c.t, cfg)
	for _, op := range c.ops {
		if op.id == "metrics" {
			res := c.send(url, op, "")
			require.Equal(c.t, 404, res.StatusCode)
		}
	}
}

// TestRoutesAreTheDocuments walks the router: what the document lists is mounted and nothing else, but HEAD beside GET and the files that
// the pages load.
func TestRoutesAreTheDocuments(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	require.NoError(t, err)
	want := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			want[method+" "+path] = true
		}
	}
	cfg := Default()
	require.NoError(t, cfg.Validate())
	s, _ := start(t, cfg)
	routes, err := s.routes()
	require.NoError(t, err)
	got := map[string]bool{}
	require.NoError(t, chi.Walk(routes, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		switch {
		case method == http.MethodHead:
			require.NotContains(t, want, "HEAD "+path)
		case strings.HasSuffix(path, "/*") || path == "/favicon.ico":
		default:
			got[method+" "+path] = true
		}
		return nil
	}))
	for route, mounted := range want {
		require.Equal(t, mounted, got[route], route)
	}
	for route := range got {
		require.Contains(t, want, route)
	}
}
