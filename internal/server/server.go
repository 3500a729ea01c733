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
)

// Server is one running instance. Make it with New, which binds its addresses, and run it with Run.
type Server struct {
	cfg   Config
	log   *slog.Logger
	ready atomic.Bool // what /readyz says: true between start and the signal to stop

	ln      net.Listener
	adminLn net.Listener
	http    *http.Server
	admin   *http.Server
}

// New checks the configuration, loads every file it names and binds the listeners, so that whatever is wrong is said before anything is served.
func New(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, log: cfg.Logger}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	h, err := s.routes()
	if err != nil {
		return nil, err
	}
	s.http = s.newHTTP(h)
	if s.ln, err = net.Listen("tcp", cfg.Listen); err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	if cfg.AdminListen != "" {
		s.admin = s.newHTTP(s.adminRoutes())
		if s.adminLn, err = net.Listen("tcp", cfg.AdminListen); err != nil {
			s.ln.Close()
			return nil, fmt.Errorf("--admin-listen: %w", err)
		}
	}
	return s, nil
}

func (s *Server) newHTTP(h http.Handler) *http.Server {
	t := s.cfg.Timeouts
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: t.Header,
		ReadTimeout:       t.Read,
		WriteTimeout:      t.Write,
		IdleTimeout:       t.Idle,
		MaxHeaderBytes:    s.cfg.Limits.Header,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
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

// Run serves until ctx ends, then drains: /readyz fails, requests under way are finished, and Run returns nil within the grace.
func (s *Server) Run(ctx context.Context) error {
	failed := make(chan error, 2)
	serve := func(h *http.Server, ln net.Listener) {
		if err := h.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}
	go serve(s.http, s.ln)
	if s.admin != nil {
		go serve(s.admin, s.adminLn)
	}
	s.ready.Store(true)
	s.log.Info("serving", "url", "http://"+s.Addr().String(), "version", s.cfg.Version)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.ready.Store(false)
	grace, cancel := context.WithTimeout(context.Background(), s.cfg.Timeouts.Grace)
	defer cancel()
	if s.cfg.Timeouts.Drain > 0 {
		select {
		case <-time.After(s.cfg.Timeouts.Drain):
		case <-grace.Done():
		}
	}
	err := s.http.Shutdown(grace)
	if err != nil {
		s.http.Close()
	}
	if s.admin != nil {
		s.admin.Close()
	}
	return err
}
