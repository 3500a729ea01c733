package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Readers of lines that follow Unicode end a line at U+0085, U+2028 and U+2029 too: no answer in NDJSON may hold them as they are.
func TestLinesEndAtLineFeedsOnly(t *testing.T) {
	_, url := start(t, Default())
	const text = "a\u0085b\u2028c\u2029d"
	write := `{"id":"` + text + `","handleBytes":"010001000200050036d702009b000a003eda0000","type":"String","value":"` + text + `"}`
	_, body := call(t, "POST", url+"/v1/write", write, "Content-Type: application/json")

	const ndjson = "Content-Type: application/x-ndjson"
	_, results := call(t, "POST", url+"/v1/write/batch/results", write, ndjson, "Accept: application/x-ndjson")
	_, faults := call(t, "POST", url+"/v1/write/batch/results", strings.Replace(write, `"String"`, `"Int32"`, 1), ndjson, "Accept: application/x-ndjson")
	frame := string([]byte{byte(len(body)), 0, 0, 0}) + body
	_, decoded := call(t, "POST", url+"/v1/decode/batch", frame, octetType)
	for _, answer := range []string{results, faults, decoded} {
		require.False(t, strings.ContainsAny(answer, "\u0085\u2028\u2029"), answer)
	}
	var result struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(results, "\n", 2)[0]), &result))
	require.Equal(t, text, result.ID)
	var line struct {
		Decoded struct{ Write struct{ Value string } }
	}
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(decoded, "\n", 2)[0]), &line))
	require.Equal(t, text, line.Decoded.Write.Value)
}
