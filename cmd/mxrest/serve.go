package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"mxrest/internal/server"
)

// serveCmd is the default command. Its flags are the fields of server.Config under the names users see; docs/operations.md lists them,
// and a test holds the two lists against each other.
type serveCmd struct {
	Listen      string `group:"Where it answers:" default:"127.0.0.1:8080" env:"MXREST_LISTEN" placeholder:"HOST:PORT" help:"Address of the API; port 0 takes a free one."`
	AdminListen string `group:"Where it answers:" env:"MXREST_ADMIN_LISTEN" placeholder:"HOST:PORT" help:"Address of a second listener for /metrics, /debug/pprof, /healthz and /readyz. /metrics is then only there."`
	Layout      string `group:"What it answers:" env:"MXREST_LAYOUT" placeholder:"FILE" help:"JSON file that replaces assumed layout values."`
	Validate    string `group:"What it answers:" default:"codec" enum:"codec,full" env:"MXREST_VALIDATE" help:"full: hold the hot operations against the OpenAPI document too; codec: their own decoder does it (${enum})."`

	APIKeys      string   `group:"Who may call:" name:"api-keys" env:"MXREST_API_KEYS" placeholder:"FILE" help:"File of API keys, a name and a SHA-256 a line (mxrest key new NAME). Read again on SIGHUP and when it changes."`
	TLSCert      string   `group:"Who may call:" name:"tls-cert" env:"MXREST_TLS_CERT" placeholder:"FILE" help:"PEM certificate chain. Read again on SIGHUP and when it changes."`
	TLSKey       string   `group:"Who may call:" name:"tls-key" env:"MXREST_TLS_KEY" placeholder:"FILE" help:"PEM key of the certificate."`
	TLSClientCA  string   `group:"Who may call:" name:"tls-client-ca" env:"MXREST_TLS_CLIENT_CA" placeholder:"FILE" help:"PEM authorities; callers must show a certificate signed by one of them."`
	CORSOrigin   []string `group:"Who may call:" name:"cors-origin" env:"MXREST_CORS_ORIGIN" placeholder:"ORIGIN" help:"Origin whose browser pages may call, such as https://hmi.example.com; repeat it, or * for all."`
	TrustedProxy []proxy  `group:"Who may call:" name:"trusted-proxy" env:"MXREST_TRUSTED_PROXY" placeholder:"NET" help:"Address or network of a proxy whose X-Forwarded-For is believed; repeat it."`

	RateLimit      rate `group:"How much:" default:"off" env:"MXREST_RATE_LIMIT" placeholder:"N/UNIT" help:"API requests a key, or an address without keys, may send: 100/s, 6000/m, 100000/h; 429 beyond (off)."`
	MaxInFlight    int  `group:"How much:" default:"512" env:"MXREST_MAX_IN_FLIGHT" placeholder:"N" help:"API requests served at once; 503 beyond; 0 for no limit (${default})."`
	MaxConnections int  `group:"How much:" default:"8192" env:"MXREST_MAX_CONNECTIONS" placeholder:"N" help:"Open connections; more are closed at once; 0 for no limit (${default})."`
	BodyMemory     size `group:"How much:" default:"256MiB" env:"MXREST_BODY_MEMORY" placeholder:"SIZE" help:"Memory for the large bodies and held replies of all requests together; 503 beyond; 0 for no limit (${default})."`
	MaxBody        size `group:"How much:" default:"4MiB" env:"MXREST_MAX_BODY" placeholder:"SIZE" help:"Body of a request; 413 beyond (${default})."`
	MaxBatchBody   size `group:"How much:" default:"1GiB" env:"MXREST_MAX_BATCH_BODY" placeholder:"SIZE" help:"Body of a batch, which is read as a stream; 413 beyond (${default})."`
	MaxBatchItems  int  `group:"How much:" default:"1000000" env:"MXREST_MAX_BATCH_ITEMS" placeholder:"N" help:"Items of a batch; 413 beyond (${default})."`
	MaxBatchReply  size `group:"How much:" default:"64MiB" env:"MXREST_MAX_BATCH_REPLY" placeholder:"SIZE" help:"Octet-stream reply to a batch; 413 beyond (${default})."`
	MaxString      size `group:"How much:" default:"1MiB" env:"MXREST_MAX_STRING" placeholder:"SIZE" help:"One text value in a request; 422 beyond (${default})."`
	MaxArray       int  `group:"How much:" default:"65535" env:"MXREST_MAX_ARRAY" placeholder:"N" help:"Elements of an array value; 422 beyond (${default}, the most the wire format can count)."`
	MaxNesting     int  `group:"How much:" default:"64" env:"MXREST_MAX_NESTING" placeholder:"N" help:"Depth of JSON; 400 beyond (${default})."`
	MaxHeader      size `group:"How much:" default:"16KiB" env:"MXREST_MAX_HEADER" placeholder:"SIZE" help:"Request line and headers; 431 beyond (${default})."`

	HeaderTimeout time.Duration `group:"How long:" default:"5s" env:"MXREST_HEADER_TIMEOUT" placeholder:"TIME" help:"To receive a request's headers (${default})."`
	ReadTimeout   time.Duration `group:"How long:" default:"15s" env:"MXREST_READ_TIMEOUT" placeholder:"TIME" help:"To receive a request; for a batch, each KiB of it (${default})."`
	WriteTimeout  time.Duration `group:"How long:" default:"30s" env:"MXREST_WRITE_TIMEOUT" placeholder:"TIME" help:"To answer; for a batch, each piece of the reply (${default})."`
	IdleTimeout   time.Duration `group:"How long:" default:"2m" env:"MXREST_IDLE_TIMEOUT" placeholder:"TIME" help:"For which a connection without a request is kept (${default})."`
	Grace         time.Duration `group:"How long:" default:"20s" env:"MXREST_GRACE" placeholder:"TIME" help:"After SIGTERM, until requests still under way are cut off (${default}). A second signal stops at once."`
	DrainDelay    time.Duration `group:"How long:" default:"0s" env:"MXREST_DRAIN_DELAY" placeholder:"TIME" help:"Of the grace: how long /readyz fails while requests are still taken, for balancers to turn away (${default})."`

	LogFormat       string `group:"What it says:" default:"text" enum:"text,json" env:"MXREST_LOG_FORMAT" help:"Form of the log on stderr: ${enum}."`
	LogLevel        string `group:"What it says:" default:"info" enum:"debug,info,warn,error" env:"MXREST_LOG_LEVEL" help:"Least level that is logged: ${enum}."`
	AccessLog       string `group:"What it says:" default:"off" enum:"off,sampled,all" env:"MXREST_ACCESS_LOG" help:"Lines for requests: ${enum}. sampled: each 5xx, each request that is not hot, and of the hot ones one in --access-log-sample."`
	AccessLogSample int    `group:"What it says:" default:"1000" env:"MXREST_ACCESS_LOG_SAMPLE" placeholder:"N" help:"See --access-log (${default})."`
}

// Help is shown below the flags.
func (serveCmd) Help() string {
	return `Examples:
  mxrest                                        serve on 127.0.0.1:8080
  mxrest serve --listen 127.0.0.1:0             on a free port; the log says which
  mxrest serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --api-keys keys.txt
  mxrest serve --admin-listen 127.0.0.1:9090 --log-format json --access-log sampled
  MXREST_RATE_LIMIT=100/s MXREST_MAX_BODY=1MiB mxrest

Each flag can be given as the variable named beside it. A flag wins over its variable. Traces are sent when
OTEL_EXPORTER_OTLP_ENDPOINT or another OTEL_* variable is set.`
}

func (c *serveCmd) config() server.Config {
	cfg := server.Config{
		Listen: c.Listen, AdminListen: c.AdminListen,
		LayoutFile: c.Layout, ValidateFull: c.Validate == "full",
		APIKeys: c.APIKeys, TLSCert: c.TLSCert, TLSKey: c.TLSKey, TLSClientCA: c.TLSClientCA,
		CORSOrigins: c.CORSOrigin,
		RateLimit:   c.RateLimit.requests, RateWindow: c.RateLimit.window,
		MaxInFlight: c.MaxInFlight, MaxConnections: c.MaxConnections, BodyMemory: int64(c.BodyMemory),
		Limits: server.Limits{
			Body: int64(c.MaxBody), BatchBody: int64(c.MaxBatchBody), BatchItems: c.MaxBatchItems, BatchReply: int64(c.MaxBatchReply),
			String: int(c.MaxString), Array: c.MaxArray, Nesting: c.MaxNesting, Header: int(c.MaxHeader),
		},
		Timeouts: server.Timeouts{
			Header: c.HeaderTimeout, Read: c.ReadTimeout, Write: c.WriteTimeout, Idle: c.IdleTimeout,
			Grace: c.Grace, Drain: c.DrainDelay,
		},
		Version: version, Revision: revision,
	}
	for _, p := range c.TrustedProxy {
		cfg.TrustedProxies = append(cfg.TrustedProxies, p.Prefix)
	}
	switch c.AccessLog {
	case "sampled":
		cfg.AccessLog = max(c.AccessLogSample, 2)
	case "all":
		cfg.AccessLog = 1
	}
	return cfg
}

func (c *serveCmd) Run(e *env) error {
	if c.AccessLogSample < 1 {
		return usageError{errors.New("--access-log-sample: want 1 or more")}
	}
	cfg := c.config()
	cfg.Logger = newLogger(e, c.LogFormat, c.LogLevel)
	cfg.Environ = os.Environ()
	defer tuneCollector(cfg, os.Getenv)()
	s, err := server.New(cfg)
	if err != nil {
		return usageError{err}
	}
	for _, v := range unknownVariables(cfg.Environ) {
		cfg.Logger.Warn("this variable names no setting and is ignored: see mxrest serve --help", "variable", v)
	}
	now, stop := watchSignals(s)
	defer stop()
	return s.Run(e.ctx, now)
}

// tuneCollector lets garbage grow to four times what is in use, which is little: measured 14 % less CPU a request than Go's own 100 %. That
// must not multiply what --body-memory lets large bodies take, so from there on memory counts, not the ratio. GOGC and GOMEMLIMIT win
// where they are set. The function it returns undoes it.
func tuneCollector(cfg server.Config, getenv func(string) string) (undo func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	set := percent
	if getenv("GOGC") == "" {
		set = 400
	}
	debug.SetGCPercent(set)
	if m := cfg.MemoryLimit(); m > 0 && getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(m)
	}
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

func newLogger(e *env, format, level string) *slog.Logger {
	var least slog.Level
	_ = least.UnmarshalText([]byte(level)) // one of the enum's
	o := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(e.stderr, o))
	}
	return slog.New(slog.NewTextHandler(e.stderr, o))
}

// watchSignals reloads on SIGHUP, and ends the context it returns at the second signal to stop (the first ends env.ctx).
func watchSignals(s *server.Server) (now context.Context, stop func()) {
	now, cancel := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	go func() {
		asked := 0
		for {
			select {
			case sig := <-ch:
				if sig == syscall.SIGHUP {
					s.Reload()
				} else if asked++; asked == 2 {
					cancel()
				}
			case <-now.Done():
				return
			}
		}
	}()
	return now, func() { signal.Stop(ch); cancel() }
}

// unknownVariables lists MXREST_* variables that nothing reads: a misspelt limit must not go unseen. Kubernetes sets MXREST_PORT… and
// MXREST_SERVICE_… in every pod beside a Service called mxrest; those are no settings and no mistakes.
func unknownVariables(environ []string) []string {
	var out []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if rest, ok := strings.CutPrefix(name, "MXREST_"); ok && rest != "PORT" && !strings.HasPrefix(rest, "PORT_") &&
			!strings.HasPrefix(rest, "SERVICE_") && !slices.Contains(variables(), name) {
			out = append(out, name)
		}
	}
	return out
}
