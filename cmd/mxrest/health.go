package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"
)

// healthCmd asks a running server whether it is ready; it is the image's health check, where there is no curl.
type healthCmd struct {
	URL     string        `arg:"" optional:"" env:"MXREST_HEALTH_URL" help:"What to ask; /readyz where it has no path. Without it: /readyz of the server that the MXREST_* variables of this environment start, on its admin listener when it has one."`
	Timeout time.Duration `default:"3s" placeholder:"TIME" help:"How long to wait for the answer (${default})."`
}

// Help is shown below the flags.
func (healthCmd) Help() string {
	return `Exit code 0: ready. 1: not, and stderr says why.

Examples:
  mxrest health
  mxrest health https://mxrest.example.com/readyz
  HEALTHCHECK CMD ["/mxrest", "health"]         in a Dockerfile`
}

func (c *healthCmd) Run(e *env) error {
	target := c.URL
	if target == "" {
		target = ownURL(os.Getenv)
	}
	u, err := url.Parse(target)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || c.Timeout <= 0 {
		return usageError{fmt.Errorf("%q is no http or https URL: write such as http://127.0.0.1:8080", target)}
	}
	if u.Path == "" || u.Path == "/" { // the page is there, and says 200 also of a server that stops
		u.Path = "/readyz"
		target = u.String()
	}
	ctx, cancel := context.WithTimeout(e.ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return usageError{err}
	}
	client := &http.Client{
		Transport: &http.Transport{
			// The server's certificate names it as its callers know it, not as 127.0.0.1. What is asked on loopback is only whether it
			// answers, and nothing secret is sent; any other host is verified.
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: loopback(u.Hostname())}, // #nosec G402 -- see above
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("the answer is a redirect") },
	}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s says %s", target, res.Status)
	}
	_, err = fmt.Fprintln(e.stdout, "ready")
	return err
}

// ownURL is where the server that these variables start can be asked from the same machine.
func ownURL(getenv func(string) string) string {
	scheme, listen := "http", getenv("MXREST_ADMIN_LISTEN")
	if listen == "" {
		if listen = getenv("MXREST_LISTEN"); listen == "" {
			listen = "127.0.0.1:8080"
		}
		if getenv("MXREST_TLS_CERT") != "" {
			scheme = "https"
		}
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen // the caller says what is wrong with it
	}
	if a, err := netip.ParseAddr(host); host == "" || err == nil && a.IsUnspecified() {
		host = "127.0.0.1"
		if err == nil && a.Is6() {
			host = "::1"
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/readyz"
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}
