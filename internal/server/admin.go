package server

import "net/http"

// adminRoutes is the handler of --admin-listen.
func (s *Server) adminRoutes() http.Handler {
	return http.NewServeMux()
}
