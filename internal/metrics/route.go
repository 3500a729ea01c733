package metrics

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// methods are the label values of method; anything else is "other".
var methods = [...]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "other"}

func methodIndex(m string) int {
	for i := range len(methods) - 1 {
		if methods[i] == m {
			return i
		}
	}
	return len(methods) - 1
}

// Route holds the series of one route pattern.
type Route struct {
	set     *Set
	pattern string
	by      [len(methods)]atomic.Pointer[routeMethod]
}

// routeMethod holds the series of one method of a route, made when the first such request ends.
type routeMethod struct {
	method   string
	duration prometheus.Observer
	in, out  prometheus.Counter
	codes    [600]atomic.Pointer[prometheus.Counter]
}

// Route gives the counters for a pattern. Call it once a pattern, before serving.
func (m *Set) Route(pattern string) *Route { return &Route{set: m, pattern: pattern} }

// Pattern is the label value.
func (r *Route) Pattern() string { return r.pattern }

// Done counts one answered request.
func (r *Route) Done(method string, code int, in, out int64, took time.Duration) {
	i := methodIndex(method)
	rm := r.by[i].Load()
	if rm == nil {
		rm = r.open(i)
	}
	rm.duration.Observe(took.Seconds())
	rm.in.Add(float64(in))
	rm.out.Add(float64(out))
	if code < 100 || code >= len(rm.codes) {
		code = 0
	}
	c := rm.codes[code].Load()
	if c == nil {
		c = rm.open(r, code)
	}
	(*c).Inc()
}

// open and routeMethod.open may run twice at once: both find the same series in the registry, and either result is right.
func (r *Route) open(i int) *routeMethod {
	m := methods[i]
	rm := &routeMethod{
		method:   m,
		duration: r.set.duration.WithLabelValues(m, r.pattern),
		in:       r.set.bytesIn.WithLabelValues(m, r.pattern),
		out:      r.set.bytesOut.WithLabelValues(m, r.pattern),
	}
	r.by[i].Store(rm)
	return rm
}

func (rm *routeMethod) open(r *Route, code int) *prometheus.Counter {
	c := r.set.requests.WithLabelValues(rm.method, r.pattern, strconv.Itoa(code))
	rm.codes[code].Store(&c)
	return &c
}
