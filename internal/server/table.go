package server

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// table finds what is known of a path. All paths of this service are fixed or end in /*, so one map lookup is enough where chi's own
// pattern would have to be put together for each request.
type table struct {
	exact    map[string]*route
	prefixes []string // of patterns that end in /*, with the slash
	under    []*route
	other    *route // paths that nothing answers
}

func (t *table) find(path string) *route {
	if r, ok := t.exact[path]; ok {
		return r
	}
	for i, p := range t.prefixes {
		if strings.HasPrefix(path, p) {
			return t.under[i]
		}
	}
	return t.other
}

// readRoutes fills the table from the router's own list.
func (s *Server) readRoutes(routes chi.Routes) error {
	t := &table{exact: map[string]*route{}, other: &route{metrics: s.metrics.Route("unmatched"), weight: 1}}
	err := chi.Walk(routes, func(_, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		path := strings.TrimSuffix(pattern, "*")
		if len(path) < len(pattern) {
			if path == "/" {
				return nil // a catch-all: what it answers is "unmatched"
			}
			t.prefixes = append(t.prefixes, path)
			t.under = append(t.under, s.newRoute(pattern))
			return nil
		}
		if t.exact[path] == nil {
			t.exact[path] = s.newRoute(pattern)
		}
		return nil
	})
	s.table = t
	return err
}

func (s *Server) newRoute(pattern string) *route {
	r := &route{metrics: s.metrics.Route(pattern), weight: weightOthers}
	switch {
	case pattern == "/healthz" || pattern == "/readyz" || pattern == "/metrics":
		r.hot = true
	case strings.HasPrefix(pattern, "/v1/"):
		r.hot = true
		r.batch = strings.Contains(pattern, "/batch")
		switch pattern {
		case "/v1/write", "/v1/handle", "/v1/write/batch", "/v1/write/batch/results":
			r.weight = weightOctets
		}
	}
	return r
}

// What a byte of body may come to in memory while it is served, taken from the budget of --body-memory. Measured with a collector that
// runs all the time (GOGC=5): a write of an array of long texts peaks at 9 times its body (the body, the elements, the octets, and what
// growing left behind), a Float64 array at 4; the explanation of the same write at 66 times, since each element becomes a field with
// its offset, hex and value, held once as values and twice as JSON. Decoding peaks at 26 (long texts) to 57 times (Booleans).
const (
	weightOctets = 8
	weightOthers = 64
	weightReply  = 4 // of a held JSON reply (handlers.replyFactor)
)
