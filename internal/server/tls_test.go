package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// authority signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	a.cert, a.key = a.sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign signs template with the authority, or with itself while there is none.
func (a *authority) sign(t *testing.T, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return cert, key
}

// write puts a certificate for 127.0.0.1 and its key into files.
func (a *authority) write(t *testing.T, name, certFile, keyFile string) {
	t.Helper()
	cert, key := a.sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}})
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	writePEM(t, certFile, "CERTIFICATE", cert.Raw)
	writePEM(t, keyFile, "PRIVATE KEY", der)
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

// httpsClient trusts the authority; each request makes a new connection.
func httpsClient(c *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: c, DisableKeepAlives: true, ForceAttemptHTTP2: true}, Timeout: 20 * time.Second}
}

func TestTLS(t *testing.T) {
	ca, dir := newAuthority(t), t.TempDir()
	cfg := Default()
	cfg.TLSCert, cfg.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	ca.write(t, "one", cfg.TLSCert, cfg.TLSKey)
	s, _ := start(t, cfg)
	require.Equal(t, "https://"+s.Addr().String(), s.URL())
	client := httpsClient(&tls.Config{RootCAs: ca.pool()})
	served := func() string {
		res, err := client.Get(s.URL() + "/healthz")
		require.NoError(t, err)
		defer res.Body.Close()
		require.Equal(t, 200, res.StatusCode)
		require.Equal(t, "HTTP/2.0", res.Proto)
		return res.TLS.PeerCertificates[0].Subject.CommonName
	}
	require.Equal(t, "one", served())
	require.NotContains(t, metricsOf(t, s), "mxrest_tls_certificate_expiry_timestamp_seconds 0\n")

	ca.write(t, "two", cfg.TLSCert, cfg.TLSKey)
	s.Reload()
	require.Eventually(t, func() bool { return served() == "two" }, 10*time.Second, 5*time.Millisecond)

	require.NoError(t, os.WriteFile(cfg.TLSCert, []byte("broken"), 0o600))
	s.Reload()
	require.Eventually(t, func() bool {
		return strings.Contains(metricsOf(t, s), `mxrest_reloads_total{result="failed",what="certificate"} 1`)
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, "two", served(), "a broken file changes nothing")

	_, err := httpsClient(&tls.Config{RootCAs: ca.pool(), MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}).Get(s.URL() + "/healthz")
	require.Error(t, err, "nothing older than TLS 1.2")
	res, body := call(t, "GET", "http://"+s.Addr().String()+"/healthz", "")
	require.Equal(t, 400, res.StatusCode, "no plain HTTP on a TLS port")
	require.Equal(t, "This address speaks HTTPS. Send the request to https://.", problem(t, res, body).Detail)
}

func TestMutualTLS(t *testing.T) {
	ca, other, dir := newAuthority(t), newAuthority(t), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	cfg := Default()
	cfg.TLSCert, cfg.TLSKey, cfg.TLSClientCA = file("cert.pem"), file("key.pem"), file("ca.pem")
	ca.write(t, "server", cfg.TLSCert, cfg.TLSKey)
	writePEM(t, cfg.TLSClientCA, "CERTIFICATE", ca.cert.Raw)
	s, _ := start(t, cfg)
	get := func(a *authority) error {
		c := &tls.Config{RootCAs: ca.pool()}
		if a != nil {
			a.write(t, "client", file("c.pem"), file("k.pem"))
			pair, err := tls.LoadX509KeyPair(file("c.pem"), file("k.pem"))
			require.NoError(t, err)
			c.Certificates = []tls.Certificate{pair}
		}
		res, err := httpsClient(c).Get(s.URL() + "/healthz")
		if err == nil {
			res.Body.Close()
			require.Equal(t, 200, res.StatusCode)
		}
		return err
	}
	require.NoError(t, get(ca))
	require.Error(t, get(nil), "no certificate")
	require.Error(t, get(other), "a certificate of somebody else")

	writePEM(t, cfg.TLSClientCA, "CERTIFICATE", other.cert.Raw)
	s.Reload()
	require.Eventually(t, func() bool { return get(other) == nil }, 10*time.Second, 5*time.Millisecond)
	require.Error(t, get(ca), "the authority was replaced")
}

func TestTLSFilesAreCheckedAtStart(t *testing.T) {
	ca, dir := newAuthority(t), t.TempDir()
	cert, key, text := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "text")
	ca.write(t, "server", cert, key)
	require.NoError(t, os.WriteFile(text, []byte("text"), 0o600))
	for _, c := range []struct{ cert, key, ca, want string }{
		{cert, "", "", "--tls-cert and --tls-key: give both or neither"},
		{"", key, "", "--tls-cert and --tls-key: give both or neither"},
		{"", "", cert, "--tls-client-ca needs"},
		{cert, cert, "", "--tls-cert, --tls-key: "},
		{dir + "/none", key, "", "--tls-cert, --tls-key: "},
		{cert, key, text, "--tls-client-ca: no certificate"},
		{cert, key, dir + "/none", "--tls-client-ca: "},
	} {
		cfg := Default()
		cfg.Listen = "127.0.0.1:0"
		cfg.TLSCert, cfg.TLSKey, cfg.TLSClientCA = c.cert, c.key, c.ca
		_, err := New(cfg)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Writes, batches and streamed results work over HTTP/2 too, and so do answers to bodies that nobody reads.
func TestHTTP2(t *testing.T) {
	ca, dir := newAuthority(t), t.TempDir()
	cfg := Default()
	cfg.TLSCert, cfg.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	ca.write(t, "server", cfg.TLSCert, cfg.TLSKey)
	s, _ := start(t, cfg)
	client := httpsClient(&tls.Config{RootCAs: ca.pool()})
	post := func(path, contentType, accept, body string) (int, string) {
		req, err := http.NewRequest("POST", s.URL()+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Accept", accept)
		res, err := client.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		require.Equal(t, "HTTP/2.0", res.Proto)
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(b)
	}
	status, body := post("/v1/write", "application/json", "*/*", cases.Base)
	require.Equal(t, 200, status)
	require.Len(t, body, 40)
	const n = 3000
	lines := strings.Repeat(strings.ReplaceAll(cases.Base, "\n", "")+"\n", n)
	status, body = post("/v1/write/batch", "application/x-ndjson", "*/*", lines)
	require.Equal(t, 200, status)
	require.Len(t, body, n*44)
	status, body = post("/v1/write/batch/results", "application/x-ndjson", "application/x-ndjson", lines)
	require.Equal(t, 200, status)
	require.Equal(t, n+1, strings.Count(body, "\n"))
	status, _ = post("/v1/write", "text/plain", "*/*", strings.Repeat("x", 3<<20))
	require.Equal(t, 415, status)
	status, _ = post("/v1/write", "application/json", "*/*", strings.Repeat(" ", 5<<20))
	require.Equal(t, 413, status)
}
