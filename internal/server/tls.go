package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

// tlsFiles serves the newest certificate and client authority that loaded well.
type tlsFiles struct {
	cert, key, clientCA string
	current             atomic.Pointer[tls.Config]
	expiry              func(unix int64)
}

// load reads all files again, or changes nothing.
func (t *tlsFiles) load() error {
	pair, err := tls.LoadX509KeyPair(t.cert, t.key)
	if err != nil {
		return fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	c := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"h2", "http/1.1"},
		Certificates: []tls.Certificate{pair},
	}
	if t.clientCA != "" {
		pem, err := os.ReadFile(t.clientCA)
		if err != nil {
			return fmt.Errorf("--tls-client-ca: %w", err)
		}
		c.ClientCAs = x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("--tls-client-ca: no certificate in %s", t.clientCA)
		}
		c.ClientAuth = tls.RequireAndVerifyClientCert
	}
	t.current.Store(c)
	if pair.Leaf != nil {
		t.expiry(pair.Leaf.NotAfter.Unix())
	}
	return nil
}

// config is what the listener is given: each handshake asks for the newest. Session tickets would let a client resume a session that
// an authority since removed had admitted, so with mutual TLS there are none.
func (t *tlsFiles) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			return t.current.Load(), nil
		},
		SessionTicketsDisabled: t.clientCA != "",
	}
}

func (c *Config) checkTLS() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return errors.New("--tls-cert and --tls-key: give both or neither")
	case c.TLSClientCA != "" && c.TLSCert == "":
		return errors.New("--tls-client-ca needs --tls-cert and --tls-key")
	}
	return nil
}
