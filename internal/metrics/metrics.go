// Package metrics counts what the service does, for Prometheus.
//
// Every series that a request touches is found before the request comes, or at the latest the first time: counting is a few atomic
// additions and allocates nothing. Labels come from closed sets (route patterns of this program, methods, status codes, value types,
// problem kinds), so that series do not grow with what callers send.
package metrics

import (
	"net/http"
	"runtime"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Set is all series of one server, in a registry of its own, so that several servers can live in one process (tests).
type Set struct {
	reg     *prometheus.Registry
	handler http.Handler

	list []Description

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytesIn  *prometheus.CounterVec
	bytesOut *prometheus.CounterVec
	errors   *prometheus.CounterVec
	writes   []prometheus.Counter
	reloads  *prometheus.CounterVec

	// InFlight is the number of requests being served, whatever their route.
	InFlight atomic.Int64
	// Connections is the number of open connections of the API listener.
	Connections atomic.Int64
	// ConnectionsRefused counts connections closed at once because there were too many.
	ConnectionsRefused atomic.Uint64
	// Panics counts panics in handlers.
	Panics atomic.Uint64
	// Ready is 1 while the server takes new work.
	Ready atomic.Int64
	// CertExpiry is the end of the served certificate's validity in Unix seconds, 0 without TLS.
	CertExpiry atomic.Int64
}

// buckets reach from a hot write (tens of microseconds) to a batch of a million.
var buckets = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// New makes a Set. types are the value types' names in the order that Writes counts them by.
func New(version string, types []string) *Set {
	m := &Set{reg: prometheus.NewRegistry()}
	m.handler = promhttp.HandlerFor(m.reg, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	m.requests = m.counter("mxrest_http_requests_total", "HTTP requests answered.", "method", "route", "code")
	m.bytesIn = m.counter("mxrest_http_request_bytes_total", "Bytes of request bodies read.", "method", "route")
	m.bytesOut = m.counter("mxrest_http_response_bytes_total", "Bytes of reply bodies sent.", "method", "route")
	m.errors = m.counter("mxrest_errors_total", "Requests answered with a problem, by the problem's kind.", "kind")
	m.reloads = m.counter("mxrest_reloads_total", "Reloads of key and certificate files, by result.", "what", "result")
	took := Description{"mxrest_http_request_duration_seconds", "histogram", []string{"method", "route"},
		"Time from the end of the headers to the end of the handler."}
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: took.Name, Help: took.Help, Buckets: buckets}, took.Labels)
	m.register(took, m.duration)

	writes := m.counter("mxrest_writes_encoded_total", "Write bodies encoded, each item of a batch counted, by value type.", "type")
	for _, t := range types {
		m.writes = append(m.writes, writes.WithLabelValues(t))
	}
	m.gauge("mxrest_http_in_flight", "Requests being served.", func() float64 { return float64(m.InFlight.Load()) })
	m.gauge("mxrest_http_connections", "Open connections of the API listener.", func() float64 { return float64(m.Connections.Load()) })
	m.count("mxrest_http_connections_refused_total", "Connections closed at once because --max-connections was reached.", m.ConnectionsRefused.Load)
	m.count("mxrest_panics_total", "Panics in handlers, each answered with a 500.", m.Panics.Load)
	m.gauge("mxrest_ready", "1 while the server takes new work, 0 while it stops.", func() float64 { return float64(m.Ready.Load()) })
	m.gauge("mxrest_tls_certificate_expiry_timestamp_seconds", "End of the served certificate's validity, 0 without TLS.",
		func() float64 { return float64(m.CertExpiry.Load()) })

	build := Description{"mxrest_build_info", "gauge", []string{"goversion", "version"}, "Always 1; the labels say what runs."}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: build.Name, Help: build.Help}, build.Labels)
	info.WithLabelValues(runtime.Version(), version).Set(1)
	m.register(build, info)
	m.reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Description says what a metric is; docs/operations.md is written from these.
type Description struct {
	Name, Type string
	Labels     []string
	Help       string
}

// List describes every metric whose name begins with mxrest_, in the order of registration.
func (m *Set) List() []Description { return m.list }

func (m *Set) register(d Description, c prometheus.Collector) {
	m.list = append(m.list, d)
	m.reg.MustRegister(c)
}

func (m *Set) counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.register(Description{name, "counter", labels, help}, c)
	return c
}

func (m *Set) gauge(name, help string, f func() float64) {
	m.register(Description{name, "gauge", nil, help}, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, f))
}

func (m *Set) count(name, help string, f func() uint64) {
	m.register(Description{name, "counter", nil, help},
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(f()) }))
}

// WatchPool shows a buffer pool's own counters.
func (m *Set) WatchPool(gets, puts, drops, news func() uint64) {
	m.count("mxrest_pool_gets_total", "Buffers taken from the pool.", gets)
	m.count("mxrest_pool_puts_total", "Buffers put back into the pool.", puts)
	m.count("mxrest_pool_drops_total", "Buffers left to the garbage collector because they grew too large or their reply failed.", drops)
	m.count("mxrest_pool_news_total", "Buffers made because the pool had none.", news)
}

// WatchBudget shows the memory budget's own counters.
func (m *Set) WatchBudget(size, used func() int64, refused func() uint64) {
	m.gauge("mxrest_body_memory_limit_bytes", "The budget of --body-memory, 0 when it has no end.", func() float64 { return float64(size()) })
	m.gauge("mxrest_body_memory_used_bytes", "Bytes that large bodies and held replies take of the budget.", func() float64 { return float64(used()) })
	m.count("mxrest_body_memory_refused_total", "Requests refused because the budget was used up.", refused)
}

// Writes counts n encoded writes of the value type at index t of New's types; an index out of range is left out.
func (m *Set) Writes(t, n int) {
	if m != nil && uint(t) < uint(len(m.writes)) {
		m.writes[t].Add(float64(n))
	}
}

// Error counts one request answered with a problem of this kind. Errors are not the hot path: the series is looked up.
func (m *Set) Error(kind string) {
	if m != nil {
		m.errors.WithLabelValues(kind).Inc()
	}
}

// Reload counts a reload of what ("keys", "certificate").
func (m *Set) Reload(what string, err error) {
	if m == nil {
		return
	}
	result := "ok"
	if err != nil {
		result = "failed"
	}
	m.reloads.WithLabelValues(what, result).Inc()
}

// Handler answers GET /metrics.
func (m *Set) Handler() http.Handler { return m.handler }
