package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// series counts the lines of the exposition that are samples.
func series(text string) int {
	n := 0
	for _, l := range strings.Split(text, "\n") {
		if l != "" && l[0] != '#' {
			n++
		}
	}
	return n
}

func TestMetricsOverHTTP(t *testing.T) {
	s, url := start(t, Default())
	for range 3 {
		res, _ := call(t, "POST", url+"/v1/write", cases.Base, jsonType)
		require.Equal(t, 200, res.StatusCode)
	}
	batch := "[" + cases.Base + "," + cases.Base + "]"
	res, _ := call(t, "POST", url+"/v1/write/batch", batch, jsonType)
	require.Equal(t, 200, res.StatusCode)
	res, _ = call(t, "POST", url+"/v1/write", "{", jsonType)
	require.Equal(t, 400, res.StatusCode)
	settled(t, s)
	got := metricsOf(t, s)
	for _, line := range []string{
		`mxrest_http_requests_total{code="200",method="POST",route="/v1/write"} 3`,
		`mxrest_http_requests_total{code="400",method="POST",route="/v1/write"} 1`,
		`mxrest_http_requests_total{code="200",method="POST",route="/v1/write/batch"} 1`,
		fmt.Sprintf(`mxrest_http_request_bytes_total{method="POST",route="/v1/write"} %d`, 3*len(cases.Base)+1),
		fmt.Sprintf(`mxrest_http_request_bytes_total{method="POST",route="/v1/write/batch"} %d`, len(batch)),
		`mxrest_http_response_bytes_total{method="POST",route="/v1/write/batch"} 88`,
		`mxrest_http_request_duration_seconds_count{method="POST",route="/v1/write"} 4`,
		`mxrest_writes_encoded_total{type="Int32"} 5`,
		`mxrest_errors_total{kind="syntax"} 1`,
		`mxrest_http_in_flight 0`,
		`mxrest_ready 1`,
	} {
		require.Contains(t, got, line+"\n")
	}
	require.Contains(t, got, "mxrest_pool_gets_total ")
}

// What callers make up, paths, methods, names, ids, adds no series after the first of its kind.
func TestSeriesDoNotGrowWithWhatCallersSend(t *testing.T) {
	s, url := start(t, Default())
	send := func(i int) {
		call(t, "GET", fmt.Sprintf("%s/nothing/%d", url, i), "", fmt.Sprintf("X-Request-Id: id-%d", i))
		call(t, fmt.Sprintf("BREW%d", i), url+"/v1/write", "")
		call(t, "POST", url+"/v1/write", strings.ReplaceAll(cases.Base, "TestInt", fmt.Sprintf("Name%d", i)), jsonType)
		call(t, "GET", fmt.Sprintf("%s/docs/%d", url, i), "")
		call(t, "GET", fmt.Sprintf("%s/assets/%d", url, i), "")
	}
	send(0)
	settled(t, s)
	before := series(metricsOf(t, s))
	for i := 1; i < 20; i++ {
		send(i)
	}
	settled(t, s)
	require.Equal(t, before, series(metricsOf(t, s)))
}
