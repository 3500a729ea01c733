//go:build deps

package main

import (
	_ "github.com/alecthomas/kong"
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/go-chi/cors"
	_ "github.com/go-chi/httprate"
	_ "github.com/go-json-experiment/json"
	_ "github.com/oapi-codegen/nethttp-middleware"
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/stretchr/testify/require"
	_ "github.com/swaggest/swgui/v5emb"
	_ "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	_ "go.opentelemetry.io/otel/sdk/trace"
	_ "go.yaml.in/yaml/v3"
	_ "pgregory.net/rapid"
)
