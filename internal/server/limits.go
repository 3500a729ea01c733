package server

import (
	"net/http"
	"net/netip"

	"github.com/go-chi/cors"
	"github.com/go-chi/httprate"

	"mxrest/internal/handlers"
)

// cors answers preflights and marks replies for the origins listed; without a list browsers of other origins get nothing.
func (s *Server) cors(next http.Handler) http.Handler {
	if len(s.cfg.CORSOrigins) == 0 {
		return next
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: s.cfg.CORSOrigins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost},
		AllowedHeaders: []string{"Accept", "Authorization", "Content-Type", handlers.RequestIDHeader},
		ExposedHeaders: []string{"Content-Length", "Retry-After", "WWW-Authenticate", handlers.RequestIDHeader},
		MaxAge:         600,
	})(next)
}

// limitRate answers 429 to whoever sends more API requests than allowed: a key where keys are asked for, an address otherwise.
func (s *Server) limitRate(next http.Handler) http.Handler {
	if s.cfg.RateLimit == 0 {
		return next
	}
	limiter := httprate.NewRateLimiter(s.cfg.RateLimit, s.cfg.RateWindow)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if guarded(r.URL.Path) && limiter.OnLimit(w, r, s.caller(w, r)) {
			handlers.WriteProblem(w, r, handlers.NewProblem(handlers.KindRateLimited,
				"More requests came from this caller than the server's rate limit allows. Send again after the seconds in Retry-After."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// caller is what the rate limit counts by. One IPv6 customer has a /64 at least, so that is one caller.
func (s *Server) caller(w http.ResponseWriter, r *http.Request) string {
	if x := transitOf(w); x != nil && x.key != "" {
		return "key " + x.key
	}
	a := s.clientAddr(r)
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			a = p.Addr()
		}
	}
	if a == (netip.Addr{}) {
		return r.RemoteAddr
	}
	return a.String()
}

// limitInFlight answers 503 to API requests beyond the limit, at once: who waits in line holds memory and gets a late answer.
func (s *Server) limitInFlight(next http.Handler) http.Handler {
	limit := int64(s.cfg.MaxInFlight)
	if limit == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !guarded(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		defer s.apiInFlight.Add(-1)
		if s.apiInFlight.Add(1) > limit {
			handlers.WriteProblem(w, r, busy("The server is serving as many requests as it may at once."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// busy is the 503 of a server that could serve the request, but not now.
func busy(detail string) *handlers.Problem {
	return handlers.NewProblem(handlers.KindOverloaded, detail+" Send it again after the seconds in Retry-After.").WithHeader("Retry-After", "1")
}
