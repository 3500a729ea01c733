package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mxrest/api"
	"mxrest/internal/handlers"
)

// Build is what is known of this build, as GET /version tells it.
func Build(version, revision string) api.VersionInfo { return handlers.BuildOf(version, revision) }

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

	RateLimit  int           // API requests a RateWindow by key or, without keys, by address; 0: no limit
	RateWindow time.Duration // > 0 when RateLimit is

	MaxInFlight    int   // API requests served at once; one more is answered 503. 0: no limit
	MaxConnections int   // open connections; one more is closed at once. 0: no limit
	BodyMemory     int64 // bytes that large bodies and held replies of all requests may take up together; 503 beyond. 0: no limit

	TrustedProxies []netip.Prefix // peers whose X-Forwarded-For is believed

	Limits   Limits
	Timeouts Timeouts

	ValidateFull bool   // validate hot operations against the document too
	LayoutFile   string // JSON file that replaces assumed layout values; empty: the default layout

	Logger    *slog.Logger // nil: discards
	AccessLog int          // one access line for every so many requests on hot routes, 1 = each; 0: no access log at all

	Environ []string // where OTEL_* is looked for; os.Environ() in the program

	Version, Revision string // of the build, for /version and metrics
}

// Limits bound what one request may make the server hold or walk. Breaking one gives 413, or 400 for Nesting, 422 for Array, or 431 for Header.
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

// Timeouts cut off slow and stalled clients. Batches move their Read and Write deadlines with their progress (progress.go).
type Timeouts struct {
	Header time.Duration // to receive the headers
	Read   time.Duration // to receive a whole request; for a batch: each KiB of it
	Write  time.Duration // from the end of the headers to the end of the reply; for a batch: each piece of it
	Idle   time.Duration // a kept-alive connection without a request
	Grace  time.Duration // from the signal to stop until connections that still work are closed
	Drain  time.Duration // of the grace: how long /readyz already fails while requests are still taken, so that a balancer can turn away
}

// Default is what `mxrest serve` starts from: loopback only, everything optional off.
func Default() Config {
	return Config{
		Listen:         "127.0.0.1:8080",
		RateWindow:     time.Second,
		MaxInFlight:    512,
		MaxConnections: 8192,
		BodyMemory:     256 << 20,
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
	for _, err := range []error{
		checkListen("--listen", c.Listen, false), checkListen("--admin-listen", c.AdminListen, true),
		c.checkTLS(), c.checkOrigins(), c.checkRate(), c.checkLimits(), c.checkTimeouts(),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// MemoryLimit is what the process should stay within whatever its callers send: the budget, with a half more for garbage, what requests
// in flight may take without being charged, and 64 MiB for all else. 0 when something has no limit.
func (c *Config) MemoryLimit() int64 {
	if c.BodyMemory == 0 || c.MaxInFlight == 0 {
		return 0
	}
	return c.BodyMemory + c.BodyMemory/2 + int64(c.MaxInFlight)*freeMemory + 64<<20
}

func checkListen(flag, s string, optional bool) error {
	if s == "" && optional {
		return nil
	}
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

func (c *Config) checkOrigins() error {
	for _, o := range c.CORSOrigins {
		if o == "*" {
			if len(c.CORSOrigins) > 1 {
				return errors.New("--cors-origin: * stands for all origins and must stand alone")
			}
			continue
		}
		u, err := url.Parse(o)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.Scheme+"://"+u.Host != o || strings.Contains(o, "*") {
			return fmt.Errorf("--cors-origin %q: want an origin as browsers send it, such as https://hmi.example.com, or * alone", o)
		}
	}
	return nil
}

func (c *Config) checkRate() error {
	if c.RateLimit < 0 || c.RateLimit > 0 && c.RateWindow < time.Second {
		return errors.New("--rate-limit: want a number of requests above 0 and a window of a second or more, such as 100/s or 6000/m")
	}
	return nil
}

func (c *Config) checkLimits() error {
	l := c.Limits
	for _, v := range []struct {
		flag          string
		got, min, max int64
	}{
		{"--max-body", l.Body, 1 << 10, 1 << 30},
		{"--max-batch-body", l.BatchBody, 1 << 10, 1 << 40},
		{"--max-batch-items", int64(l.BatchItems), 1, 1_000_000},
		{"--max-batch-reply", l.BatchReply, 1 << 10, 1 << 30},
		{"--max-string", int64(l.String), 1, 1 << 30},
		{"--max-array", int64(l.Array), 1, 65_535},
		{"--max-nesting", int64(l.Nesting), 4, 10_000},
		{"--max-header", int64(l.Header), 1 << 10, 1 << 20},
		{"--max-in-flight", int64(c.MaxInFlight), 0, 1 << 20},
		{"--max-connections", int64(c.MaxConnections), 0, 1 << 20},
		{"--body-memory", c.BodyMemory, 0, 1 << 40},
	} {
		if v.got < v.min || v.got > v.max {
			return fmt.Errorf("%s %d: want %d to %d", v.flag, v.got, v.min, v.max)
		}
	}
	if need := max(l.Body*weightOthers, l.BatchReply*weightReply); c.BodyMemory > 0 && c.BodyMemory < need {
		return fmt.Errorf("--body-memory %d: one request within --max-body and --max-batch-reply can need %d bytes; raise it or lower those", c.BodyMemory, need)
	}
	return nil
}

func (c *Config) checkTimeouts() error {
	t := c.Timeouts
	for _, v := range []struct {
		flag string
		got  time.Duration
		zero bool // 0 is allowed
	}{
		{"--header-timeout", t.Header, false}, {"--read-timeout", t.Read, false}, {"--write-timeout", t.Write, false},
		{"--idle-timeout", t.Idle, false}, {"--grace", t.Grace, true}, {"--drain-delay", t.Drain, true},
	} {
		if v.got < 0 || v.got > 24*time.Hour || v.got == 0 && !v.zero || v.got > 0 && v.got < time.Millisecond {
			return fmt.Errorf("%s %v: want a duration such as 15s, up to 24h", v.flag, v.got)
		}
	}
	if t.Write <= t.Read {
		return fmt.Errorf("--write-timeout %v begins with the body and must be longer than --read-timeout %v, or a late body could not be answered", t.Write, t.Read)
	}
	if t.Drain > t.Grace {
		return fmt.Errorf("--drain-delay %v is part of --grace %v and cannot be longer", t.Drain, t.Grace)
	}
	return nil
}

// exposed says whether addr can be reached from other machines.
func exposed(addr net.Addr) bool {
	t, ok := addr.(*net.TCPAddr)
	return !ok || !t.IP.IsLoopback()
}
