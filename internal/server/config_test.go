package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDefaultIsValid(t *testing.T) {
	cfg := Default()
	require.NoError(t, cfg.Validate())
}

// Each wrong setting gives one line that begins with the flag.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(c *Config)
	}{
		{`--listen "8080": want host:port`, func(c *Config) { c.Listen = "8080" }},
		{`--listen "": want host:port`, func(c *Config) { c.Listen = "" }},
		{`--listen "[::1:80": want host:port`, func(c *Config) { c.Listen = "[::1:80" }},
		{`--listen "127.0.0.1:http": want host:port`, func(c *Config) { c.Listen = "127.0.0.1:http" }},
		{`--listen "127.0.0.1:65536": want host:port`, func(c *Config) { c.Listen = "127.0.0.1:65536" }},
		{`--admin-listen "x": want host:port`, func(c *Config) { c.AdminListen = "x" }},
		{`--tls-cert and --tls-key: give both`, func(c *Config) { c.TLSCert = "x" }},
		{`--tls-client-ca needs`, func(c *Config) { c.TLSClientCA = "x" }},
		{`--cors-origin "example.com": want an origin`, func(c *Config) { c.CORSOrigins = []string{"example.com"} }},
		{`--cors-origin "https://example.com/": want an origin`, func(c *Config) { c.CORSOrigins = []string{"https://example.com/"} }},
		{`--cors-origin "https://*.example.com": want an origin`, func(c *Config) { c.CORSOrigins = []string{"https://*.example.com"} }},
		{`--cors-origin "null": want an origin`, func(c *Config) { c.CORSOrigins = []string{"null"} }},
		{`--cors-origin: * stands for all`, func(c *Config) { c.CORSOrigins = []string{"https://example.com", "*"} }},
		{`--rate-limit: want`, func(c *Config) { c.RateLimit = -1 }},
		{`--rate-limit: want`, func(c *Config) { c.RateLimit, c.RateWindow = 1, 0 }},
		{`--max-body 10: want 1024 to`, func(c *Config) { c.Limits.Body = 10 }},
		{`--max-batch-body 0: want 1024 to`, func(c *Config) { c.Limits.BatchBody = 0 }},
		{`--max-batch-items 1000001: want 1 to 1000000`, func(c *Config) { c.Limits.BatchItems = 1_000_001 }},
		{`--max-batch-reply -1: want 1024 to`, func(c *Config) { c.Limits.BatchReply = -1 }},
		{`--max-string 0: want 1 to`, func(c *Config) { c.Limits.String = 0 }},
		{`--max-array 65536: want 1 to 65535`, func(c *Config) { c.Limits.Array = 65_536 }},
		{`--max-nesting 3: want 4 to`, func(c *Config) { c.Limits.Nesting = 3 }},
		{`--max-header 100: want 1024 to`, func(c *Config) { c.Limits.Header = 100 }},
		{`--max-in-flight -1: want 0 to`, func(c *Config) { c.MaxInFlight = -1 }},
		{`--max-connections -1: want 0 to`, func(c *Config) { c.MaxConnections = -1 }},
		{`--body-memory 1048576: one request within`, func(c *Config) { c.BodyMemory = 1 << 20 }},
		{`--header-timeout 0s: want a duration`, func(c *Config) { c.Timeouts.Header = 0 }},
		{`--read-timeout -1s: want a duration`, func(c *Config) { c.Timeouts.Read = -time.Second }},
		{`--write-timeout 15ns: want a duration`, func(c *Config) { c.Timeouts.Write = 15 }},
		{`--write-timeout 15s begins with the body`, func(c *Config) { c.Timeouts.Write = 15 * time.Second }},
		{`--idle-timeout 25h0m0s: want a duration`, func(c *Config) { c.Timeouts.Idle = 25 * time.Hour }},
		{`--grace -1ns: want a duration`, func(c *Config) { c.Timeouts.Grace = -1 }},
		{`--drain-delay 21s is part of --grace 20s`, func(c *Config) { c.Timeouts.Drain = 21 * time.Second }},
	} {
		cfg := Default()
		c.change(&cfg)
		err := cfg.Validate()
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
		_, err = New(cfg)
		require.ErrorContains(t, err, c.want)
	}
}
