package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// otlp sends spans to a collector by OTLP over HTTP, in its JSON form (opentelemetry-proto 1.x, "JSON Protobuf Encoding"). The SDK's own
// exporter would do the same, but links gRPC: a tenth of the whole program for one POST now and then.
type otlp struct {
	url     string
	headers http.Header
	gzip    bool
	client  *http.Client
}

// newOTLP reads the variables OTEL_EXPORTER_OTLP_…; those with TRACES_ win. The error names the variable.
func newOTLP(env map[string]string) (*otlp, error) {
	get := func(name string) (variable, value string) {
		if v := env["OTEL_EXPORTER_OTLP_TRACES_"+name]; v != "" {
			return "OTEL_EXPORTER_OTLP_TRACES_" + name, v
		}
		return "OTEL_EXPORTER_OTLP_" + name, env["OTEL_EXPORTER_OTLP_"+name]
	}
	if k, v := get("PROTOCOL"); v != "" && v != "http/protobuf" && v != "http/json" {
		return nil, fmt.Errorf("%s %q: mxrest sends traces by http/json (port 4318 of most collectors)", k, v)
	}
	k, compression := get("COMPRESSION")
	if compression != "" && compression != "none" && compression != "gzip" {
		return nil, fmt.Errorf("%s %q: want gzip or none", k, compression)
	}
	o := &otlp{gzip: compression == "gzip", url: "http://localhost:4318/v1/traces", headers: http.Header{}, client: &http.Client{Timeout: 10 * time.Second}}
	if k, v := get("ENDPOINT"); v != "" {
		u, err := url.Parse(v)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("%s: want a URL such as http://collector:4318", k)
		}
		if !strings.Contains(k, "TRACES") {
			u = u.JoinPath("v1/traces")
		}
		o.url = u.String()
	}
	if k, v := get("TIMEOUT"); v != "" {
		ms, err := strconv.ParseInt(v, 10, 32)
		if err != nil || ms <= 0 {
			return nil, fmt.Errorf("%s %q: want milliseconds", k, v)
		}
		o.client.Timeout = time.Duration(ms) * time.Millisecond
	}
	k, list := get("HEADERS")
	for _, pair := range strings.Split(list, ",") {
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); name != "" && ok && err == nil {
			o.headers.Add(name, value)
		} else if strings.TrimSpace(pair) != "" {
			return nil, fmt.Errorf("%s: want name=value pairs with commas between", k)
		}
	}
	if k, file := get("CERTIFICATE"); file != "" {
		pem, err := os.ReadFile(file) // #nosec G304 -- the operator names the file
		roots := x509.NewCertPool()
		if err != nil || !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: no certificate can be read from %s", k, file)
		}
		o.client.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}}
	}
	return o, nil
}

// ExportSpans sends one batch. What a collector does not take is lost, as the SDK logs: requests never wait for it.
func (o *otlp) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := json.Marshal(exportOf(spans))
	if err != nil {
		return err
	}
	header := o.headers.Clone()
	if o.gzip {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(body) // memory takes all
		_ = z.Close()
		body = packed.Bytes()
		header.Set("Content-Encoding", "gzip")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	res, err := o.client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the URL, which may hold a password
		}
		return fmt.Errorf("%d spans not sent: %w", len(spans), err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%d spans not taken: the collector says %s", len(spans), res.Status)
	}
	return nil
}

// Shutdown has nothing to give back.
func (o *otlp) Shutdown(context.Context) error { return nil }

// The messages of opentelemetry/proto/trace/v1 as far as spans of a server use them. 64-bit numbers are strings, ids hex.
type (
	otlpExport struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource   otlpAttributes `json:"resource"`
		ScopeSpans []otlpScope    `json:"scopeSpans"`
	}
	otlpAttributes struct {
		Attributes []otlpKV `json:"attributes"`
	}
	otlpScope struct {
		Scope struct {
			Name    string `json:"name"`
			Version string `json:"version,omitempty"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID      string      `json:"traceId"`
		SpanID       string      `json:"spanId"`
		ParentSpanID string      `json:"parentSpanId,omitempty"`
		TraceState   string      `json:"traceState,omitempty"`
		Name         string      `json:"name"`
		Kind         int         `json:"kind"`
		Start        string      `json:"startTimeUnixNano"`
		End          string      `json:"endTimeUnixNano"`
		Attributes   []otlpKV    `json:"attributes,omitempty"`
		Status       *otlpStatus `json:"status,omitempty"`
	}
	otlpStatus struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
	otlpKV struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// exportOf puts spans of one provider, and so of one resource, into a message: one scope for each instrumentation.
func exportOf(spans []sdktrace.ReadOnlySpan) otlpExport {
	res := otlpResource{Resource: otlpAttributes{otlpKVs(spans[0].Resource().Attributes())}}
	at := map[string]int{}
	for _, s := range spans {
		name := s.InstrumentationScope().Name
		i, ok := at[name]
		if !ok {
			i = len(res.ScopeSpans)
			at[name] = i
			res.ScopeSpans = append(res.ScopeSpans, otlpScope{})
			res.ScopeSpans[i].Scope.Name, res.ScopeSpans[i].Scope.Version = name, s.InstrumentationScope().Version
		}
		out := otlpSpan{
			TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(),
			TraceState: s.SpanContext().TraceState().String(), Name: s.Name(),
			Kind:       int(s.SpanKind()), // the numbers are the same
			Start:      strconv.FormatInt(s.StartTime().UnixNano(), 10),
			End:        strconv.FormatInt(s.EndTime().UnixNano(), 10),
			Attributes: otlpKVs(s.Attributes()),
		}
		if p := s.Parent(); p.HasSpanID() {
			out.ParentSpanID = p.SpanID().String()
		}
		switch st := s.Status(); st.Code {
		case codes.Ok:
			out.Status = &otlpStatus{Code: 1}
		case codes.Error:
			out.Status = &otlpStatus{Code: 2, Message: st.Description}
		}
		res.ScopeSpans[i].Spans = append(res.ScopeSpans[i].Spans, out)
	}
	return otlpExport{[]otlpResource{res}}
}

func otlpKVs(kvs []attribute.KeyValue) []otlpKV {
	out := make([]otlpKV, 0, len(kvs))
	for _, kv := range kvs {
		v := map[string]any{"stringValue": kv.Value.String()} // lists too: what a server's spans and resources hold of them is for reading
		switch kv.Value.Type() {
		case attribute.BOOL:
			v = map[string]any{"boolValue": kv.Value.AsBool()}
		case attribute.INT64:
			v = map[string]any{"intValue": strconv.FormatInt(kv.Value.AsInt64(), 10)}
		case attribute.FLOAT64:
			v = map[string]any{"doubleValue": kv.Value.AsFloat64()}
		}
		out = append(out, otlpKV{string(kv.Key), v})
	}
	return out
}
