package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddr is the address of who sent the request: the peer, or, behind a trusted proxy, the last address in X-Forwarded-For that
// is not a trusted proxy itself. Addresses to the left of it are the client's own claim and never looked at.
func (s *Server) clientAddr(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := ap.Addr().Unmap()
	if !s.trusted(addr) {
		return addr
	}
	lists := r.Header["X-Forwarded-For"]
	for i := len(lists) - 1; i >= 0; i-- {
		for rest := lists[i]; rest != ""; {
			var last string
			if c := strings.LastIndexByte(rest, ','); c >= 0 {
				rest, last = rest[:c], rest[c+1:]
			} else {
				rest, last = "", rest
			}
			next, err := parseHop(strings.TrimSpace(last))
			if err != nil {
				return addr // what a trusted proxy wrote cannot be read: its own address is the last sure one
			}
			addr = next
			if !s.trusted(addr) {
				return addr
			}
		}
	}
	return addr
}

// parseHop reads an address with or without a port; some proxies write one.
func parseHop(s string) (netip.Addr, error) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return a.Unmap(), err
}

func (s *Server) trusted(a netip.Addr) bool {
	for _, p := range s.cfg.TrustedProxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
