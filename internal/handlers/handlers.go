package handlers

import (
	"mxrest/api"
	"mxrest/internal/bench"
	"mxrest/internal/budget"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/metrics"
)

// Limits bound what one request may make the service hold or walk.
type Limits struct {
	Body       int64 // bytes of a body that is held whole; more: 413
	BatchBody  int64 // bytes of a batch, which is read as a stream; more: 413
	BatchItems int   // items of a batch; more: 413
	BatchReply int64 // bytes of an octet-stream batch reply, held until every item is good; more: 413
	String     int   // bytes of one JSON string; more: 422
	Array      int   // elements of one array value, at most 65,535; more: 422
	Nesting    int   // levels of JSON; more: 400
}

// Config is what the operations work with.
type Config struct {
	Layout            *codec.Layout // nil: the default layout
	Limits            Limits
	Version, Revision string         // of the build
	Ready             func() bool    // what /readyz says; nil: always ready
	Metrics           *metrics.Set   // nil: nothing is counted
	Bench             *bench.Runner  // nil: /bench answers 503
	Budget            *budget.Budget // bytes that replies which are held may take over all requests; nil: no end
}

// API implements the operations of the document. Its methods have the names of the operationIds; each stands in a file of
// its own. Make it with New.
type API struct {
	api.Unimplemented // the page, Swagger UI and /metrics, which package server mounts itself

	cfg    Config
	layout *codec.Layout
	json   *jsonin.Decoder

	stdJSON *jsonin.Decoder // of the default layout, for captures to learn from

	layoutFromFile bool // even of a file that replaces nothing
}

// New prepares the operations.
func New(cfg Config) *API {
	fromFile := cfg.Layout != nil
	if !fromFile {
		cfg.Layout = codec.DefaultLayout()
	}
	limits := jsonin.Limits{MaxText: cfg.Limits.String, MaxElements: cfg.Limits.Array, MaxItem: int(cfg.Limits.Body), MaxDepth: cfg.Limits.Nesting}
	return &API{cfg: cfg, layout: cfg.Layout, json: jsonin.New(cfg.Layout, limits), stdJSON: jsonin.New(nil, limits), layoutFromFile: fromFile}
}
