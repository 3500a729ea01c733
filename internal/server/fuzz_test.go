package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"mxrest/api"
	"mxrest/internal/cases"
	"mxrest/internal/handlers"
)

// FuzzOperations sends anything to every operation that takes a body: the answer is a success or one of the problems that a body can
// deserve, never a failure of the server.
func FuzzOperations(f *testing.F) {
	doc, err := openapi3.NewLoader().LoadFromData(api.YAML())
	if err != nil {
		f.Fatal(err)
	}
	all, err := readOperations(doc)
	if err != nil {
		f.Fatal(err)
	}
	var ops []*operation
	for _, byMethod := range all {
		for _, op := range byMethod {
			if len(op.consumes) > 0 {
				ops = append(ops, op)
			}
		}
	}
	for _, ex := range doc.Components.Examples {
		b, err := json.Marshal(ex.Value.Value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for i, c := range cases.All() { // some of them: all are sent by other tests, and the fuzzer runs its seeds first
		if i%8 == 0 && len(c.JSON) < 2000 {
			f.Add([]byte(c.JSON))
		}
	}
	cfg := Default()
	cfg.Listen = "127.0.0.1:0"
	s, err := New(cfg)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.ln.Close() })
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, op := range ops {
			for _, consumes := range op.consumes {
				r := httptest.NewRequest(op.method, op.path, strings.NewReader(string(body)))
				r.Header.Set("Content-Type", consumes)
				w := httptest.NewRecorder()
				s.http.Handler.ServeHTTP(w, r)
				switch w.Code {
				case http.StatusOK, http.StatusMultiStatus:
				case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
					var p handlers.Problem
					if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Detail == "" || p.Instance == "" {
						t.Fatalf("%s: %v: %s", op.id, err, w.Body)
					}
				default:
					t.Fatalf("%s: %d: %s", op.id, w.Code, w.Body)
				}
			}
		}
	})
}
