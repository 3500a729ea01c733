package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// tracing sends a span a request to an OpenTelemetry collector. It is on when the environment has any variable OTEL_*: otlp.go reads where
// to send, the SDK the sampler, batches and resource. Nothing of it runs otherwise.
type tracing struct {
	provider *sdktrace.TracerProvider
}

// startTracing gives nil when the environment does not ask for traces.
func (s *Server) startTracing(environ []string) (*tracing, error) {
	env := map[string]string{}
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); strings.HasPrefix(k, "OTEL_") && v != "" {
			env[k] = v
		}
	}
	exporter := env["OTEL_TRACES_EXPORTER"]
	if len(env) == 0 || strings.EqualFold(env["OTEL_SDK_DISABLED"], "true") || exporter == "none" {
		return nil, nil
	}
	if exporter != "" && exporter != "otlp" {
		return nil, fmt.Errorf("OTEL_TRACES_EXPORTER %q: mxrest sends traces by otlp, or none", exporter)
	}
	exp, err := newOTLP(env)
	if err != nil {
		return nil, err
	}
	attrs := []attribute.KeyValue{attribute.String("service.version", s.cfg.Version)}
	if env["OTEL_SERVICE_NAME"] == "" && !strings.Contains(env["OTEL_RESOURCE_ATTRIBUTES"], "service.name=") {
		attrs = append(attrs, attribute.String("service.name", "mxrest"))
	}
	res, err := resource.Merge(resource.Default(), resource.NewSchemaless(attrs...))
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { s.log.Warn("tracing", "err", err) }))
	return &tracing{sdktrace.NewTracerProvider(sdktrace.WithBatcher(exp), sdktrace.WithResource(res))}, nil
}

// trace wraps everything else, so that a span is the whole request. Probes and scrapes have no spans.
func (s *Server) trace(next http.Handler) http.Handler {
	if s.tracing == nil {
		return next
	}
	return otelhttp.NewHandler(next, "mxrest",
		otelhttp.WithTracerProvider(s.tracing.provider),
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})),
		otelhttp.WithFilter(func(r *http.Request) bool {
			return !slices.Contains([]string{"/healthz", "/readyz", "/metrics"}, r.URL.Path)
		}),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string {
			return method(r.Method) + " " + s.table.find(r.URL.Path).metrics.Pattern()
		}))
}

// traceID is the id of the request's trace for the logs, "" without one.
func traceID(ctx context.Context) string {
	if sc := trace.SpanContextFromContext(ctx); sc.HasTraceID() {
		return sc.TraceID().String()
	}
	return ""
}
