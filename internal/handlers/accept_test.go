package handlers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNegotiate(t *testing.T) {
	octets := []string{"application/octet-stream"}
	jsonOnly := []string{"application/json"}
	results := []string{"application/json", "application/x-ndjson"}
	for _, c := range []struct {
		accept   []string
		produces []string
		want     int
	}{
		{nil, octets, 0},
		{[]string{""}, octets, 0},
		{[]string{" , "}, octets, 0},
		{[]string{"*/*"}, octets, 0},
		{[]string{"application/*"}, octets, 0},
		{[]string{"APPLICATION/Octet-Stream"}, octets, 0},
		{[]string{"application/octet-stream;v=1"}, octets, 0},
		{[]string{"application/problem+json"}, octets, 0},
		{[]string{"application/problem+json;q=0.5"}, octets, 0},
		{[]string{"text/html, */*;q=0.1"}, octets, 0},
		{[]string{"application/json, text/plain, */*"}, octets, 0},                               // axios
		{[]string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, octets, 0}, // browsers
		{[]string{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"}, octets, 0},            // old Java
		{[]string{"text/html", "application/octet-stream"}, octets, 0},                           // two header lines
		{[]string{`text/html;x="a,b;q=0", application/octet-stream`}, octets, 0},                 // quoted comma
		{[]string{"application/octet-stream;q=0.001"}, octets, 0},                                // smallest weight
		{[]string{"application/*;q=0, application/octet-stream"}, octets, 0},                     // the specific range decides
		{[]string{"text/html"}, octets, -1},                                                      //
		{[]string{"application/json"}, octets, -1},                                               //
		{[]string{"application/problem+json, application/json"}, octets, -1},                     // names more than an error type
		{[]string{"application/problem+json;q=0"}, octets, -1},                                   //
		{[]string{"*/*;q=0"}, octets, -1},                                                        //
		{[]string{"*/*;q=0.000"}, octets, -1},                                                    //
		{[]string{"*/*, application/octet-stream;q=0"}, octets, -1},                              //
		{[]string{"text/*"}, octets, -1},                                                         //
		{[]string{"application/octet"}, octets, -1},                                              //
		{[]string{"application/octet-stream"}, jsonOnly, -1},                                     //
		{[]string{"application/json"}, jsonOnly, 0},                                              //
		{nil, results, 0},                                                                          //
		{[]string{"*/*"}, results, 0},                                                              //
		{[]string{"application/*"}, results, 0},                                                    //
		{[]string{"application/problem+json"}, results, 0},                                         //
		{[]string{"application/x-ndjson"}, results, 1},                                             //
		{[]string{"application/x-ndjson, */*"}, results, 1},                                        // named beats covered
		{[]string{"application/x-ndjson, application/json"}, results, 0},                           // both named: the document's order
		{[]string{"application/x-ndjson, application/json;q=0.9"}, results, 1},                     //
		{[]string{"application/x-ndjson;q=0.2, application/json;q=0.9"}, results, 0},               //
		{[]string{"application/x-ndjson, application/json, application/problem+json"}, results, 0}, //
		{[]string{"application/json;q=0, */*"}, results, 1},                                        //
	} {
		require.Equal(t, c.want, Negotiate(c.accept, c.produces), "%q of %q", c.accept, c.produces)
	}
}

func TestNegotiateAllocs(t *testing.T) {
	accept := []string{"text/html, */*;q=0.1"}
	produces := []string{"application/octet-stream"}
	require.Zero(t, testing.AllocsPerRun(100, func() { Negotiate(accept, produces) }))
}

func TestAcceptedTypes(t *testing.T) {
	require.Equal(t, []string{"text/html", "application/json"}, AcceptedTypes([]string{"Text/HTML;q=0.3, */*;q=0", "application/json"}))
}
