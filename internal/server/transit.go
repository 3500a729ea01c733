package server

import (
	"io"
	"net/http"
	"time"

	"mxrest/internal/handlers"
	"mxrest/internal/metrics"
)

// transit is one request under way. It stands in for both the ResponseWriter and the request's body, so that one pooled object counts
// bytes, remembers the status, keeps deadlines moving and holds what the other steps found out: a hot request pays no allocation for
// it. Handlers must not use it after they return.
type transit struct {
	http.ResponseWriter

	srv   *Server
	route *route
	start time.Time
	body  io.ReadCloser
	size  int64 // of the body as announced, -1 when it comes in chunks
	http1 bool

	status  int
	in, out int64
	eof     bool // the body's end was seen
	duplex  bool // full duplex is on
	linger  bool // the answer goes out before the body was read
	failed  bool // a read or write of the connection failed
	logged  bool // this request gets a line in the access log

	key  string        // name of the API key, "" without
	kind handlers.Kind // of the problem it was answered with, "" when none

	charged  int64 // bytes taken of the memory budget
	reading  progress
	writing  progress
	deadline *http.ResponseController // made for batches only
}

// route is what is known of a path before any request comes.
type route struct {
	metrics *metrics.Route
	post    http.Handler // the operation behind a POST, for shortcut; nil: none
	hot     bool         // so frequent that its access log is sampled
	batch   bool         // read and answered as a stream: its deadlines move
	weight  int64        // bytes of memory that a byte of body may come to
}

// transitOf finds the transit behind w; nil in tests that call a step by itself.
func transitOf(w http.ResponseWriter) *transit {
	x, _ := w.(*transit)
	return x
}

// WriteHeader remembers the status. net/http reads what is left of a body before it sends an error answer, to use the connection again.
// That would let a client that never sends its body hold the answer back, so where the body was not to be read at all (401), or may be
// long, the answer goes out at once, and the connection is given up.
func (x *transit) WriteHeader(status int) {
	if x.status == 0 && status >= 200 {
		x.status = status
		unread := x.size != 0 && !x.eof && x.in != x.size
		if status >= 400 && unread && x.http1 && (status == http.StatusUnauthorized || x.size < 0 || x.size > shortRest) {
			x.Header()["Connection"] = headerClose
			x.linger = true
		}
	}
	x.ResponseWriter.WriteHeader(status)
}

// lingering reads a refused body away for a while after the answer went out. A connection closed on a client that still sends is reset, and
// many clients then report the reset and never see why they were refused.
func (x *transit) lingering() {
	rc := http.NewResponseController(x.ResponseWriter)
	if rc.Flush() == nil && rc.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, x.body, lingerBytes)
	}
}

const (
	lingerTime  = 5 * time.Second
	lingerBytes = 16 << 20
)

// shortRest is the length of a body that is read to keep a connection; a little below net/http's own bound of 256 KiB.
const shortRest = 128 << 10

var headerClose = []string{"close"}

// Write counts the bytes, and for a batch moves the deadline before each piece.
func (x *transit) Write(b []byte) (n int, err error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	if x.deadline != nil {
		return x.writePieces(b)
	}
	n, err = x.ResponseWriter.Write(b)
	x.out += int64(n)
	x.failed = x.failed || err != nil
	return n, err
}

// EnableFullDuplex is what http.ResponseController calls. net/http (1.26) trips over a full duplex handler that leaves a body unread which
// ends in what the server then reads away: the next request on the connection fails. So a long body costs the connection, and what is
// left of a short one is read in finish.
func (x *transit) EnableFullDuplex() error {
	if x.http1 && (x.size < 0 || x.size > shortRest) {
		x.Header()["Connection"] = headerClose
	}
	x.duplex = true
	return http.NewResponseController(x.ResponseWriter).EnableFullDuplex()
}

// Unwrap is for http.ResponseController.
func (x *transit) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// NoteProblem is called by handlers.WriteProblem.
func (x *transit) NoteProblem(kind handlers.Kind) { x.kind = kind }

// Read reads the body, counts it, and for a batch moves the deadline with what came.
func (x *transit) Read(b []byte) (n int, err error) {
	if x.deadline != nil {
		// A batch holds no more than its longest item. The window it is read into grows with that, and what is free of it is about half;
		// the window that it begins with is free of charge.
		if over := int64(len(b))*x.route.weight - 16*freeMemory - x.charged; over > 0 && !x.charge(over) {
			return 0, busy("The server holds as many large bodies as it may at once.")
		}
	}
	n, err = x.body.Read(b)
	x.in += int64(n)
	if err != nil {
		x.eof = err == io.EOF
		x.failed = x.failed || !x.eof
		return n, err
	}
	if x.deadline != nil {
		x.readProgress(n)
	} else if over := x.in*x.route.weight - freeMemory - x.charged; over > 0 && !x.charge(max(over, chargeStep)) {
		return n, busy("The server holds as many large bodies as it may at once.")
	}
	return n, nil
}

// Close closes the body.
func (x *transit) Close() error { return x.body.Close() }

// What a request may come to without being charged to the memory budget: the in-flight limit bounds those. Larger ones are charged as
// their body comes, not as announced: handlers take no memory for what is only announced, and a caller must send bytes to use the
// budget up.
const (
	freeMemory = 128 << 10
	chargeStep = 256 << 10
)

// charge takes n more bytes of the memory budget.
func (x *transit) charge(n int64) bool {
	if !x.srv.budget.Take(n) {
		return false
	}
	x.charged += n
	return true
}
