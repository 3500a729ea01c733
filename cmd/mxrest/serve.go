package main

import (
	"log/slog"

	"mxrest/internal/server"
)

// serveCmd is the default command. Its flags are the fields of server.Config under the names users see.
type serveCmd struct {
	Listen string `default:"127.0.0.1:8080" env:"MXREST_LISTEN" placeholder:"HOST:PORT" help:"Address of the API; port 0 takes a free one."`
}

func (c *serveCmd) Run(e *env) error {
	cfg := server.Default()
	cfg.Listen = c.Listen
	cfg.Version = version
	cfg.Logger = slog.New(slog.NewTextHandler(e.stderr, nil))
	s, err := server.New(cfg)
	if err != nil {
		return usageError{err}
	}
	return s.Run(e.ctx)
}
