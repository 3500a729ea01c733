// Package server assembles the product: listeners, timeouts and shutdown (server.go), what a request passes on its way (routes.go),
// and the optional guards: TLS, keys, CORS, limits, logs and traces, one file each.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"mxrest/internal/bench"
	"mxrest/internal/budget"
	"mxrest/internal/codec"
	"mxrest/internal/metrics"
	"mxrest/internal/pool"
)

// Server is one running instance. Make it with New, which binds its addresses, and run it with Run.
type Server struct {
	cfg     Config
	log     *slog.Logger
	metrics *metrics.Set
	budget  *budget.Budget
	tracing *tracing
	keys    *keyFile // nil: no keys asked for
	table   *table
	bench   *bench.Runner

	transits    pool.Of[transit]
	apiInFlight atomic.Int64
	hotRequests atomic.Uint64

	files     []*reloadable
	reloadNow chan struct{}

	watchman watchman // keeps the deadlines of ln's connections

	ln      net.Listener
	adminLn net.Listener
	http    *http.Server
	admin   *http.Server
}

// New checks the configuration, loads every file it names and binds the listeners, so that whatever is wrong is said before anything is
// served. The error is one line that names the flag.
func New(cfg Config) (*Server, error) {
	s, err := assemble(cfg)
	if err != nil {
		return nil, err
	}
	if s.ln, err = net.Listen("tcp", cfg.Listen); err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	s.ln = s.watchman.watch(s.ln)
	if cfg.AdminListen != "" {
		s.admin = s.newHTTP(s.adminRoutes(), s.log)
		s.admin.WriteTimeout = adminWrite
		if s.adminLn, err = net.Listen("tcp", cfg.AdminListen); err != nil {
			_ = s.ln.Close()
			return nil, fmt.Errorf("--admin-listen: %w", err)
		}
	}
	return s, nil
}

// NewHTTP is the server that New makes without what it listens on, for the benchmark to measure: handler, limits and timeouts.
func NewHTTP(cfg Config) (*http.Server, error) {
	s, err := assemble(cfg)
	if err != nil {
		return nil, err
	}
	return s.http, nil
}

// assemble makes everything but the listeners.
func assemble(cfg Config) (_ *Server, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, log: cfg.Logger, budget: budget.New(cfg.BodyMemory), reloadNow: make(chan struct{}, 1)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.bench = bench.NewRunner()
	s.metrics = metrics.New(cfg.Version, codec.TypeNames())
	s.metrics.WatchPool(
		func() uint64 { return pool.Stats().Gets }, func() uint64 { return pool.Stats().Puts },
		func() uint64 { return pool.Stats().Drops }, func() uint64 { return pool.Stats().News })
	s.metrics.WatchBudget(s.budget.Size, s.budget.Used, s.budget.Refused)
	if cfg.APIKeys != "" {
		s.keys = &keyFile{path: cfg.APIKeys}
		s.files = append(s.files, &reloadable{what: "keys", files: []string{cfg.APIKeys}, load: s.keys.load})
	}
	var certs *tlsFiles
	if cfg.TLSCert != "" {
		certs = &tlsFiles{cert: cfg.TLSCert, key: cfg.TLSKey, clientCA: cfg.TLSClientCA, expiry: s.metrics.CertExpiry.Store}
		r := &reloadable{what: "certificate", files: []string{cfg.TLSCert, cfg.TLSKey}, load: certs.load}
		if cfg.TLSClientCA != "" {
			r.files = append(r.files, cfg.TLSClientCA)
		}
		s.files = append(s.files, r)
	}
	for _, f := range s.files {
		if err := f.first(); err != nil {
			return nil, err
		}
	}
	if s.tracing, err = s.startTracing(cfg.Environ); err != nil {
		return nil, err
	}
	routes, err := s.routes()
	if err != nil {
		return nil, err
	}
	if err := s.readRoutes(routes); err != nil {
		return nil, err
	}
	s.http = s.newHTTP(s.trace(s.front(routes)), s.log)
	s.http.ConnState = s.connState
	if certs != nil {
		s.http.TLSConfig = certs.config()
	}
	return s, nil
}

// adminWrite leaves time for a CPU profile of a minute or two.
const adminWrite = 5 * time.Minute

func (s *Server) newHTTP(h http.Handler, log *slog.Logger) *http.Server {
	t := s.cfg.Timeouts
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: t.Header,
		ReadTimeout:       t.Read,
		WriteTimeout:      t.Write,
		IdleTimeout:       t.Idle,
		MaxHeaderBytes:    s.cfg.Limits.Header,
		// What net/http has to say is about single clients (a TLS handshake that failed): for who looks for it.
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Addr is the address the API is bound to, with the port that was taken for port 0.
func (s *Server) Addr() net.Addr { return s.ln.Addr() }

// AdminAddr is the admin listener's address, nil without one.
func (s *Server) AdminAddr() net.Addr {
	if s.adminLn == nil {
		return nil
	}
	return s.adminLn.Addr()
}

// URL is where the API answers.
func (s *Server) URL() string {
	if s.cfg.TLSCert != "" {
		return "https://" + s.Addr().String()
	}
	return "http://" + s.Addr().String()
}

// Ready says whether the server takes new work: from the start of Run until it is told to stop.
func (s *Server) Ready() bool { return s.metrics.Ready.Load() == 1 }

// Run serves until ctx ends, then stops in order: /readyz fails at once; for the drain delay new requests are still taken; then the
// listener closes and requests under way are finished. It returns nil once all are, or when the grace is over and what still ran was
// cut off. An error means that a listener failed, or that now ended first: then everything was cut off at once.
func (s *Server) Run(ctx, now context.Context) error {
	failed := make(chan error, 2)
	serve := func(f func() error) {
		if err := f(); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}
	if s.cfg.TLSCert != "" {
		go serve(func() error { return s.http.ServeTLS(s.ln, "", "") })
	} else {
		go serve(func() error { return s.http.Serve(s.ln) })
	}
	if s.admin != nil {
		go serve(func() error { return s.admin.Serve(s.adminLn) })
	}
	watch, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	go s.watchFiles(watch)
	sweep, stopSweeping := context.WithCancel(context.WithoutCancel(ctx)) // deadlines hold to the end of the grace
	defer stopSweeping()
	go s.watchman.sweep(sweep)

	s.metrics.Ready.Store(1)
	s.announce()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = s.stop(now)
	}
	s.metrics.Ready.Store(0)
	s.bench.Close()
	_ = s.http.Close()
	if s.admin != nil {
		_ = s.admin.Close() // last, so that probes and scrapes see the end
	}
	return err
}

// ErrStoppedNow is what Run returns when it was told to stop at once.
var ErrStoppedNow = errors.New("stopped at once: requests under way were cut off")

// stop drains.
func (s *Server) stop(now context.Context) error {
	t := s.cfg.Timeouts
	s.http.SetKeepAlivesEnabled(false)
	s.metrics.Ready.Store(0)
	s.log.Info("stopping", "in_flight", s.metrics.InFlight.Load(), "grace", t.Grace, "drain_delay", t.Drain)
	grace, cancel := context.WithTimeout(now, t.Grace)
	defer cancel()
	select {
	case <-time.After(t.Drain):
	case <-grace.Done():
	}
	s.bench.Close() // who waits for a run is answered 503
	err := s.http.Shutdown(grace)
	if now.Err() != nil {
		return ErrStoppedNow
	}
	if err != nil {
		s.log.Warn("the grace is over: requests under way are cut off", "in_flight", s.metrics.InFlight.Load())
	}
	if s.tracing != nil {
		flush, cancel := context.WithTimeout(now, 5*time.Second)
		defer cancel()
		if err := s.tracing.provider.Shutdown(flush); err != nil {
			s.log.Warn("tracing: the last spans were not sent", "err", err)
		}
	}
	s.log.Info("stopped")
	return nil
}

// announce logs where the server answers and what an operator should know at once.
func (s *Server) announce() {
	attrs := []any{"url", s.URL(), "version", s.cfg.Version}
	if s.admin != nil {
		attrs = append(attrs, "admin", "http://"+s.AdminAddr().String())
	}
	if s.keys != nil {
		attrs = append(attrs, "keys", s.keys.current.Load().Len())
	}
	if s.tracing != nil {
		attrs = append(attrs, "tracing", "on")
	}
	if s.cfg.LayoutFile != "" {
		attrs = append(attrs, "layout", s.cfg.LayoutFile)
	}
	s.log.Info("serving", attrs...)
	if exposed(s.Addr()) {
		mutual := s.cfg.TLSCert != "" && s.cfg.TLSClientCA != ""
		if s.keys == nil && !mutual {
			s.log.Warn("anybody who reaches this address can use the API: give --api-keys or --tls-client-ca, or listen on loopback", "listen", s.Addr().String())
		}
		if s.cfg.TLSCert == "" {
			s.log.Warn("requests and keys cross the network unencrypted: give --tls-cert and --tls-key, or put a TLS proxy in front", "listen", s.Addr().String())
		}
	}
	if s.admin != nil && exposed(s.AdminAddr()) {
		s.log.Warn("the admin listener has no keys and shows profiles: keep other machines from it", "admin_listen", s.AdminAddr().String())
	}
}

// Metrics describes what /metrics shows beside the Go runtime's and the process' own.
func (s *Server) Metrics() []metrics.Description { return s.metrics.List() }

// Close gives up the listeners of a server that is not run.
func (s *Server) Close() {
	_ = s.ln.Close()
	if s.adminLn != nil {
		_ = s.adminLn.Close()
	}
}
