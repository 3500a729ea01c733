package server

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientAddr(t *testing.T) {
	s := &Server{cfg: Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}}
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"a client by itself", "192.0.2.1:999", nil, "192.0.2.1"},
		{"a client that claims to be another", "192.0.2.1:999", []string{"198.51.100.7"}, "192.0.2.1"},
		{"behind a proxy", "10.0.0.1:999", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a claim passed on by the proxy", "10.0.0.1:999", []string{"1.1.1.1, 198.51.100.7"}, "198.51.100.7"},
		{"two proxies", "10.0.0.1:999", []string{"1.1.1.1, 198.51.100.7, 10.9.9.9"}, "198.51.100.7"},
		{"two headers", "10.0.0.1:999", []string{"1.1.1.1", "198.51.100.7,10.9.9.9"}, "198.51.100.7"},
		{"only proxies", "10.0.0.1:999", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"a proxy that says nothing", "10.0.0.1:999", nil, "10.0.0.1"},
		{"nonsense", "10.0.0.1:999", []string{"198.51.100.7, unknown"}, "10.0.0.1"},
		{"with ports", "10.0.0.1:999", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"IPv6", "[fd00::1]:999", []string{"2001:db8::5"}, "2001:db8::5"},
		{"IPv6 with a port", "[fd00::1]:999", []string{"[2001:db8::5]:4711"}, "2001:db8::5"},
		{"IPv6 in brackets", "[fd00::1]:999", []string{"[2001:db8::5]"}, "2001:db8::5"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:999", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header["X-Forwarded-For"] = c.forwarded
		require.Equal(t, c.want, s.clientAddr(r).String(), c.name)
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "@"
	require.False(t, s.clientAddr(r).IsValid(), "a Unix socket has no address")
}

func TestCallerIsANetworkForIPv6(t *testing.T) {
	s := &Server{}
	caller := func(addr string) string {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = addr
		return s.caller(httptest.NewRecorder(), r)
	}
	require.Equal(t, caller("[2001:db8:1:2::1]:1"), caller("[2001:db8:1:2:ffff::9]:2"))
	require.NotEqual(t, caller("[2001:db8:1:2::1]:1"), caller("[2001:db8:1:3::1]:1"))
	require.Equal(t, "192.0.2.1", caller("192.0.2.1:1"))
}
