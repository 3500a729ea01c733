package server

import (
	"net"
	"net/http"
)

// connState counts connections, and closes one at once that is over --max-connections: its descriptor and its goroutine would be taken
// from those that are served.
func (s *Server) connState(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if n, limit := s.metrics.Connections.Add(1), int64(s.cfg.MaxConnections); limit > 0 && n > limit {
			s.metrics.ConnectionsRefused.Add(1)
			_ = c.Close() // net/http sees the read fail and ends as with any client that went away
		}
	case http.StateClosed, http.StateHijacked:
		s.metrics.Connections.Add(-1)
	}
}
