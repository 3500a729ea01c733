package server

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"mxrest/api"
	"mxrest/internal/cases"
)

const linesType = "Content-Type: application/x-ndjson"

// withID is a write with an id in front.
func withID(id, write string) string { return `{"id":"` + id + `",` + write[1:] }

// numbered is an Int32 write of n with its id, and numberedHex its body.
func numbered(n int) string { return withID(fmt.Sprint("n", n), cases.Write("Int32", fmt.Sprint(n))) }

func numberedHex(n int) string {
	return cases.Body("02", hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, uint32(n))))
}

// frames takes an octet reply of a batch apart.
func frames(t testing.TB, body string) (out []string) {
	t.Helper()
	b := []byte(body)
	for len(b) > 0 {
		require.GreaterOrEqual(t, len(b), 4)
		n := int(binary.LittleEndian.Uint32(b))
		require.GreaterOrEqual(t, len(b)-4, n)
		out = append(out, hex.EncodeToString(b[4:4+n]))
		b = b[4+n:]
	}
	return out
}

// three is section 9's batch: good, too large, good.
var three = []string{
	withID("a", cases.Base),
	withID("b", cases.Write("Int32", "2147483648")),
	withID("c", cases.Write("String", `"Hello"`)),
}

func asArray(items []string) string { return "[" + strings.Join(items, " ,\n") + "]" }

// asLines puts a blank line and a comment in front: item 0 stands on line 3.
func asLines(items []string) string { return "\n# a comment\n" + strings.Join(items, "\n") }

func TestBatchAllOrNothing(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		contentType string
		body        string
		line        int
	}{{jsonType, asArray(three), 0}, {linesType, asLines(three), 4}} {
		res, body := call(t, "POST", url+"/v1/write/batch", c.body, c.contentType)
		require.Equal(t, 422, res.StatusCode, body)
		p := problem(t, res, body)
		require.Equal(t, 1, *p.Total)
		require.Len(t, p.Errors, 1)
		e := p.Errors[0]
		require.Equal(t, 1, *e.Index)
		require.Equal(t, "b", *e.ID)
		require.Equal(t, "/value", e.Pointer)
		require.Equal(t, "-2147483648..2147483647", e.Limit)
		require.Contains(t, e.Reason, "2147483648")
		if c.line > 0 {
			require.Equal(t, c.line, *e.Line)
		} else {
			require.Nil(t, e.Line)
		}
	}
	for _, c := range [][2]string{{jsonType, asArray([]string{three[0], three[2]})}, {linesType, asLines([]string{three[0], three[2]}) + "\r\n\n# end"}} {
		res, body := call(t, "POST", url+"/v1/write/batch", c[1], c[0])
		require.Equal(t, 200, res.StatusCode, body)
		require.Equal(t, "application/octet-stream", res.Header.Get("Content-Type"))
		require.Equal(t, int64(len(body)), res.ContentLength)
		require.Equal(t, []string{cases.BaseHex, cases.Body("05", "100000000c000000480065006c006c006f000000")}, frames(t, body))
	}
}

func TestBatchResults(t *testing.T) {
	_, url := start(t, Default())
	check := func(results []api.BatchResult, line int32) {
		require.Len(t, results, 3)
		for i, r := range results {
			require.Equal(t, int32(i), r.Index)
			require.Equal(t, string("abc"[i]), *r.Id)
			if line > 0 {
				require.Equal(t, line+int32(i), *r.Line)
			}
		}
		octets, err := base64.StdEncoding.DecodeString(*results[0].Base64)
		require.NoError(t, err)
		require.Equal(t, cases.BaseHex, hex.EncodeToString(octets))
		require.Equal(t, int32(40), *results[0].Length)
		require.Equal(t, int32(422), results[1].Status)
		require.Nil(t, results[1].Base64)
		require.Equal(t, "/value", (*results[1].Errors)[0].Pointer)
		require.Equal(t, "-2147483648..2147483647", *(*results[1].Errors)[0].Limit)
		octets, err = base64.StdEncoding.DecodeString(*results[2].Base64)
		require.NoError(t, err)
		require.Equal(t, cases.Body("05", "100000000c000000480065006c006c006f000000"), hex.EncodeToString(octets))
	}
	for _, c := range []struct {
		contentType, body string
		line              int32
	}{{jsonType, asArray(three), 0}, {linesType, asLines(three), 3}} {
		res, body := call(t, "POST", url+"/v1/write/batch/results", c.body, c.contentType)
		require.Equal(t, 207, res.StatusCode, body)
		require.Equal(t, "application/json", res.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(body, `{"count":3,"succeeded":2,"failed":1,"results":[`), body)
		var all api.BatchResults
		require.NoError(t, json.Unmarshal([]byte(body), &all))
		check(all.Results, c.line)

		res, body = call(t, "POST", url+"/v1/write/batch/results", c.body, c.contentType, "Accept: application/x-ndjson")
		require.Equal(t, 200, res.StatusCode, body)
		require.Equal(t, "application/x-ndjson", res.Header.Get("Content-Type"))
		lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
		require.Len(t, lines, 4)
		results := make([]api.BatchResult, 3)
		for i := range results {
			require.NoError(t, json.Unmarshal([]byte(lines[i]), &results[i]))
		}
		check(results, c.line)
		require.JSONEq(t, `{"count":3,"succeeded":2,"failed":1}`, lines[3])
	}
	res, body := call(t, "POST", url+"/v1/write/batch/results", "["+cases.Base+"]", jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	require.True(t, strings.HasPrefix(body, `{"count":1,"succeeded":1,"failed":0,`))
}

func TestBatchEmptyAndBroken(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		contentType, body string
		status            int
	}{
		{jsonType, "[]", 200}, {jsonType, " [ ] ", 200}, {linesType, "", 200}, {linesType, "\n# nothing\n\n", 200},
		{jsonType, "", 400}, {jsonType, "null", 400}, {jsonType, "{}", 400}, {jsonType, cases.Base, 400}, {jsonType, "[" + cases.Base, 400},
		{jsonType, "[" + cases.Base + ",]", 400}, {jsonType, "[" + cases.Base + "]x", 400}, {jsonType, "[" + cases.Base + " " + cases.Base + "]", 400},
		{jsonType, "[" + strings.Repeat("[", 20000), 400}, {jsonType, "[" + cases.Base + `,{"type":"\ud83d"}]`, 422},
		{jsonType, "[" + cases.Base + ",5]", 422}, {jsonType, "[" + cases.Base + `,{"type":"Int32",,}]`, 400},
		{linesType, "{", 422}, {linesType, "[" + cases.Base + "]", 422}, {linesType, cases.Base + cases.Base, 422},
	} {
		res, body := call(t, "POST", url+"/v1/write/batch", c.body, c.contentType)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", clipped(c.body), body)
		if c.status == 200 {
			require.Empty(t, body)
			require.Equal(t, "0", res.Header.Get("Content-Length"))
			continue
		}
		problem(t, res, body)
	}
	res, body := call(t, "POST", url+"/v1/write/batch/results", "[]", jsonType)
	require.Equal(t, 200, res.StatusCode)
	require.JSONEq(t, `{"count":0,"succeeded":0,"failed":0,"results":[]}`, body)
}

func TestBatchListsAHundred(t *testing.T) {
	_, url := start(t, Default())
	items := make([]string, 250)
	for i := range items {
		items[i] = cases.Write("Int32", "true")
		if i%2 == 1 {
			items[i] = cases.Base
		}
	}
	res, body := call(t, "POST", url+"/v1/write/batch", asArray(items), jsonType)
	require.Equal(t, 422, res.StatusCode)
	p := problem(t, res, body)
	require.Equal(t, 125, *p.Total)
	require.Len(t, p.Errors, 100)
	require.Equal(t, 198, *p.Errors[99].Index)
	require.Contains(t, p.Detail, "125 of 250")
}

// TestBatchSizes sends many sizes in many cuts: what breaks a handler that writes while it reads breaks at some of them.
func TestBatchSizes(t *testing.T) {
	_, url := start(t, Default())
	for _, n := range []int{1, 999, 1000, 1600, 2000, 2500, 3000, 10_000} {
		var lines, array, want bytes.Buffer
		array.WriteByte('[')
		for i := range n {
			if i > 0 {
				array.WriteByte(',')
			}
			array.WriteString(numbered(i))
			lines.WriteString(numbered(i) + "\n")
			body, _ := hex.DecodeString(numberedHex(i))
			want.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(body))))
			want.Write(body)
		}
		array.WriteByte(']')
		for _, form := range []struct{ contentType, body string }{{jsonType, array.String()}, {linesType, lines.String()}} {
			for _, cut := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader} {
				req, err := http.NewRequest(http.MethodPost, url+"/v1/write/batch", cut(strings.NewReader(form.body)))
				require.NoError(t, err)
				req.Header.Set("Content-Type", strings.TrimPrefix(form.contentType, "Content-Type: "))
				res, err := http.DefaultClient.Do(req)
				require.NoError(t, err)
				got, err := io.ReadAll(res.Body)
				res.Body.Close()
				require.NoError(t, err)
				require.Equal(t, 200, res.StatusCode)
				require.True(t, bytes.Equal(want.Bytes(), got), "%d items", n)
			}
			res, body := call(t, "POST", url+"/v1/write/batch/results", form.body, form.contentType, "Accept: application/x-ndjson")
			require.Equal(t, 200, res.StatusCode)
			got := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
			require.Len(t, got, n+1)
			for _, i := range []int{0, n / 2, n - 1} {
				require.Contains(t, got[i], fmt.Sprintf(`{"index":%d,`, i))
				require.Contains(t, got[i], fmt.Sprintf(`"id":"n%d"`, i))
				octets, _ := hex.DecodeString(numberedHex(i))
				require.Contains(t, got[i], `"base64":"`+base64.StdEncoding.EncodeToString(octets)+`"`)
			}
			require.JSONEq(t, fmt.Sprintf(`{"count":%d,"succeeded":%d,"failed":0}`, n, n), got[n])
		}
	}
}

// TestBatchInEveryCut sends a small batch in single bytes.
func TestBatchInEveryCut(t *testing.T) {
	_, url := start(t, Default())
	for _, form := range []struct{ contentType, body string }{{"application/json", asArray([]string{numbered(1), numbered(2)})}, {"application/x-ndjson", asLines([]string{numbered(1), numbered(2)})}} {
		req, err := http.NewRequest(http.MethodPost, url+"/v1/write/batch", iotest.OneByteReader(strings.NewReader(form.body)))
		require.NoError(t, err)
		req.Header.Set("Content-Type", form.contentType)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		require.NoError(t, err)
		require.Equal(t, []string{numberedHex(1), numberedHex(2)}, frames(t, string(got)))
	}
}

func TestBatchLimits(t *testing.T) {
	cfg := Default()
	cfg.Limits.BatchItems = 3
	cfg.Limits.BatchReply = 1024
	cfg.Limits.BatchBody = 20_000
	_, url := start(t, cfg)
	four := asArray([]string{cases.Base, cases.Base, cases.Base, cases.Base})
	long := asArray([]string{cases.Write("String", `"`+strings.Repeat("x", 600)+`"`)})
	huge := asArray([]string{cases.Base}) + strings.Repeat(" ", 20_000)
	for _, path := range []string{"/v1/write/batch", "/v1/write/batch/results"} {
		for _, body := range []string{four, long, huge} {
			res, got := call(t, "POST", url+path, body, jsonType)
			require.Equal(t, 413, res.StatusCode, got)
			require.NotEmpty(t, problem(t, res, got).Errors[0].Limit)
		}
	}
	// Streamed, there is no reply to hold, and the limit on items is said in the last result.
	res, got := call(t, "POST", url+"/v1/write/batch/results", long, jsonType, "Accept: application/x-ndjson")
	require.Equal(t, 200, res.StatusCode, got)
	res, got = call(t, "POST", url+"/v1/write/batch/results", four, jsonType, "Accept: application/x-ndjson")
	require.Equal(t, 413, res.StatusCode, got)
	problem(t, res, got)
}

// TestResultsStreamWhileInputPauses sends a line and waits for its result before the next.
func TestResultsStreamWhileInputPauses(t *testing.T) {
	_, url := start(t, Default())
	pr, pw := io.Pipe()
	req, err := http.NewRequest(http.MethodPost, url+"/v1/write/batch/results", pr)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-ndjson")
	req.Header.Set("Accept", "application/x-ndjson")
	go func() { _, _ = io.WriteString(pw, numbered(0)+"\n") }()
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for i := range 20 {
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), fmt.Sprintf(`"id":"n%d"`, i))
		_, err = io.WriteString(pw, numbered(i+1)+"\n")
		require.NoError(t, err)
	}
	pw.Close()
	require.True(t, lines.Scan())
	require.True(t, lines.Scan())
	require.JSONEq(t, `{"count":21,"succeeded":21,"failed":0}`, lines.Text())
}

// TestBatchTakesMoreThanABody: what is read as a stream has a limit of its own, far above that of a body that is held.
func TestBatchTakesMoreThanABody(t *testing.T) {
	cfg := Default()
	cfg.Limits.Body = 10_000
	_, url := start(t, cfg)
	items := make([]string, 1000)
	for i := range items {
		items[i] = numbered(i)
	}
	res, body := call(t, "POST", url+"/v1/write/batch", asArray(items), jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	require.Len(t, frames(t, body), 1000)
}

// TestCasesInABatch holds every case against its result in a batch: the same octets, the same refusal.
func TestCasesInABatch(t *testing.T) {
	_, url := start(t, Default())
	var lines, elements []string
	var inLines, inArray []cases.Case
	for _, c := range cases.All() {
		if strings.ContainsAny(c.JSON, "\n") || strings.TrimSpace(c.JSON) == "" {
			continue
		}
		inLines, lines = append(inLines, c), append(lines, c.JSON)
		if json.Valid([]byte(c.JSON)) {
			inArray, elements = append(inArray, c), append(elements, c.JSON)
		}
	}
	require.Greater(t, len(inArray), 300)
	check := func(want []cases.Case, body string) {
		got := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
		require.Len(t, got, len(want)+1)
		for i, c := range want {
			var r api.BatchResult
			require.NoError(t, json.Unmarshal([]byte(got[i]), &r))
			require.Equal(t, c.Status, int(r.Status), "%s: %s", c.Name, clipped(got[i]))
			if c.Hex != "" {
				octets, err := base64.StdEncoding.DecodeString(*r.Base64)
				require.NoError(t, err)
				require.Equal(t, c.Hex, hex.EncodeToString(octets), c.Name)
				continue
			}
			e := (*r.Errors)[0]
			if c.Status == 422 || c.Pointer != "" {
				require.Equal(t, c.Pointer, e.Pointer, c.Name)
			}
			require.Contains(t, e.Reason, c.Reason, c.Name)
			if c.Limit != "" {
				require.Contains(t, *e.Limit, c.Limit, c.Name)
			}
			if c.Offset > 0 && want[0].JSON == lines[0] && len(want) == len(lines) {
				require.Equal(t, c.Offset, *e.Offset, "%s: an offset in a line counts from its start", c.Name)
			}
		}
	}
	res, body := call(t, "POST", url+"/v1/write/batch/results", strings.Join(lines, "\n"), linesType, "Accept: application/x-ndjson")
	require.Equal(t, 200, res.StatusCode, clipped(body))
	check(inLines, body)
	res, body = call(t, "POST", url+"/v1/write/batch/results", asArray(elements), jsonType, "Accept: application/x-ndjson")
	require.Equal(t, 200, res.StatusCode, clipped(body))
	check(inArray, body)
}

// TestBatchWithFullValidation: items are judged one by one whatever --validate says.
func TestBatchWithFullValidation(t *testing.T) {
	cfg := Default()
	cfg.ValidateFull = true
	_, url := start(t, cfg)
	res, body := call(t, "POST", url+"/v1/write/batch/results", asArray(three), jsonType)
	require.Equal(t, 207, res.StatusCode, body)
	res, body = call(t, "POST", url+"/v1/write/batch", asLines(three), linesType)
	require.Equal(t, 422, res.StatusCode, body)
	require.Equal(t, "b", *problem(t, res, body).Errors[0].ID)
}

func TestAcceptOfBatches(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct{ path, accept, says string }{
		{"/v1/write/batch", "application/json", "use POST /v1/write/batch/results"},
		{"/v1/write/batch", "application/x-ndjson", "use POST /v1/write/batch/results"},
		{"/v1/write/batch/results", "application/octet-stream", "use POST /v1/write/batch."},
		{"/v1/write/batch/results", "text/csv", "no operation gives this"},
	} {
		res, body := call(t, "POST", url+c.path, "[]", jsonType, "Accept: "+c.accept)
		require.Equal(t, 406, res.StatusCode)
		require.Contains(t, problem(t, res, body).Detail, c.says)
	}
}

// Every answer about an item names it by its id, also where the item is against the rules, and where the id is empty.
func TestIDsComeBack(t *testing.T) {
	_, url := start(t, Default())
	const handle = `"handleBytes":"010001000200050036d702009b000a003eda0000","type":"Int32"`
	for _, c := range []struct{ item, want string }{
		{`{"id":"early",` + handle + `,"value":1,"zz":1}`, `"id":"early"`},
		{`{` + handle + `,"value":1,"value":2,"id":"late"}`, `"id":"late"`},
		{`{"id":"s",` + handle + `,"value":"\ud800"}`, `"id":"s"`},
		{`{"id":"b",` + handle + `,"value":+1}`, `"id":"b"`},
		{`{"id":"",` + handle + `,"value":1.5}`, `"id":""`},
		{`{"id":"",` + handle + `,"value":1}`, `"id":""`},
		{`{` + handle + `,"value":1.5}`, ``},
	} {
		for _, path := range []string{"/v1/write/batch", "/v1/write/batch/results"} {
			res, body := call(t, "POST", url+path, c.item+"\n", "Content-Type: application/x-ndjson")
			if path == "/v1/write/batch" && res.StatusCode == 200 {
				continue
			}
			if c.want == "" {
				require.NotContains(t, body, `"id"`)
			} else {
				require.Contains(t, body, c.want, c.item)
			}
		}
	}
	res, body := call(t, "POST", url+"/v1/decode/text/batch", `{"id":"x","hex":"00","hex":"01"}`, "Content-Type: application/x-ndjson")
	require.Equal(t, 200, res.StatusCode)
	require.Contains(t, body, `"id":"x"`)
	// One or many of the same is named where the other type is asked for.
	for path, want := range map[string]string{
		"/v1/decode/batch": "application/json: use POST /v1/decode.",
		"/v1/write":        "application/json: use POST /v1/write/explain.",
	} {
		res, body := call(t, "POST", url+path, "x", "Accept: application/json", "Content-Type: "+map[string]string{"/v1/decode/batch": "application/octet-stream", "/v1/write": "application/json"}[path])
		require.Equal(t, 406, res.StatusCode, body)
		require.Contains(t, problem(t, res, body).Detail, want)
	}
	res, body = call(t, "POST", url+"/v1/decode", "x", "Accept: application/x-ndjson", octetType)
	require.Equal(t, 406, res.StatusCode, body)
	require.Contains(t, problem(t, res, body).Detail, "application/x-ndjson: use POST /v1/decode/batch.")
}
