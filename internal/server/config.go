package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// Config is everything a server is started with. The zero value of a field turns that feature off unless the field says otherwise;
// Default gives the values that `mxrest serve` starts from.
type Config struct {
	// Listen is the host:port of the API; port 0 takes a free one, which Addr and the start line show.
	Listen string
	// AdminListen is the host:port of a second listener with /metrics, /debug/pprof and the probes; empty: /metrics is on Listen and pprof nowhere.
	AdminListen string

	TLSCert, TLSKey string // PEM files; both or neither
	TLSClientCA     string // PEM file; callers must show a certificate that it signs

	APIKeys string // file of "name sha256hex" lines; empty: no keys asked for

	CORSOrigins []string // exact origins, or "*" alone

	RateLimit  int           // requests a RateWindow by key or, without keys, by address; 0: no limit
	RateWindow time.Duration // > 0 when RateLimit is

	MaxInFlight int // API requests served at once; one more is answered 503. 0: no limit

	TrustedProxies []netip.Prefix // peers whose X-Forwarded-For and X-Forwarded-Proto are believed

	Limits   Limits
	Timeouts Timeouts

	ValidateFull bool   // validate hot operations against the document too
	LayoutFile   string // JSON file that replaces assumed layout values; empty: the default layout

	Logger    *slog.Logger // nil: discards
	AccessLog int          // one access line for every so many requests on hot routes, 1 = each; 0: none

	Version string // of the build, for /version and metrics
}

// Limits bound what one request may make the server hold or walk. Breaking one gives 413, or 400 for Nesting, or 431 for Header.
type Limits struct {
	Body       int64 // bytes of a request body that is held whole
	BatchBody  int64 // bytes of a batch request, which is read as a stream and never held whole
	BatchItems int   // writes in one batch
	BatchReply int64 // bytes of an octet-stream batch reply, held until every item is good
	String     int   // bytes of one JSON string
	Array      int   // elements of one array value; the wire format ends at 65,535
	Nesting    int   // depth of JSON
	Header     int   // bytes of request line and headers
}

// Timeouts cut off slow and stalled clients. Batches move their Read and Write deadlines with each piece of progress.
type Timeouts struct {
	Header time.Duration // to receive the headers
	Read   time.Duration // to receive a whole request; for a batch: the longest pause
	Write  time.Duration // from the end of the headers to the end of the reply; for a batch: the longest pause
	Idle   time.Duration // a kept-alive connection without a request
	Grace  time.Duration // from SIGTERM until connections that still work are closed
	Drain  time.Duration // of the grace: how long /readyz already fails while new requests are still served, so that a balancer can turn away
}

// Default is what `mxrest serve` starts from: loopback only, everything optional off.
func Default() Config {
	return Config{
		Listen:      "127.0.0.1:8080",
		RateWindow:  time.Second,
		MaxInFlight: 512,
		Limits: Limits{
			Body: 4 << 20, BatchBody: 1 << 30, BatchItems: 1_000_000, BatchReply: 64 << 20,
			String: 1 << 20, Array: 65_535, Nesting: 64, Header: 16 << 10,
		},
		Timeouts: Timeouts{
			Header: 5 * time.Second, Read: 15 * time.Second, Write: 30 * time.Second, Idle: 2 * time.Minute,
			Grace: 20 * time.Second,
		},
	}
}

// Validate says in one line what is wrong, naming the flag that sets it.
func (c *Config) Validate() error {
	if err := checkListen("--listen", c.Listen); err != nil {
		return err
	}
	if c.AdminListen != "" {
		if err := checkListen("--admin-listen", c.AdminListen); err != nil {
			return err
		}
	}
	return nil
}

func checkListen(flag, s string) error {
	_, port, err := net.SplitHostPort(s)
	if err == nil {
		if _, perr := strconv.ParseUint(port, 10, 16); perr != nil {
			err = errors.New("the port must be a number from 0 to 65535")
		}
	}
	if err != nil {
		var ae *net.AddrError
		if errors.As(err, &ae) {
			err = errors.New(ae.Err)
		}
		return fmt.Errorf("%s %q: want host:port, such as 127.0.0.1:8080: %w", flag, s, err)
	}
	return nil
}
