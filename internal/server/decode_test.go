package server

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
	"mxrest/internal/handlers"
)

const octetType = "Content-Type: application/octet-stream"

// decodedBody is what the tests look at of a decode answer.
type decodedBody struct {
	ID      string
	Message string
	Form    struct {
		Name    string
		Certain bool
		Others  []string
		Note    string
	}
	Length int
	Exact  bool
	Hex    string
	Fields []struct {
		Name, Path, Hex, Text, How, Bits, Standing string
		Offset, Length                             int
		Value                                      any
	}
	Write           json.RawMessage
	Reason          string
	ItemControl     json.RawMessage
	OperationStatus struct {
		Success bool
		Meaning string
	}
	Records []struct {
		Status struct {
			OK                                       bool
			CategoryName, DetectedByName, DetailText string
			Detail                                   int
		}
		Value json.RawMessage
		Type  string
	}
	Names struct{ Object, Attribute struct{ Matches bool } }
}

func decodeOctets(t *testing.T, url, hexBody string) (*http.Response, decodedBody, string) {
	t.Helper()
	b, err := hex.DecodeString(hexBody)
	require.NoError(t, err)
	res, text := call(t, "POST", url+"/v1/decode", string(b), octetType)
	var d decodedBody
	if res.StatusCode == 200 {
		require.NoError(t, json.Unmarshal([]byte(text), &d), text)
	}
	return res, d, text
}

// Every write of the case table: its body decodes to JSON that makes the same body.
func TestCasesRoundTrip(t *testing.T) {
	_, url := start(t, Default())
	n := 0
	for _, c := range cases.All() {
		if c.Hex == "" {
			continue
		}
		n++
		res, d, text := decodeOctets(t, url, c.Hex)
		require.Equal(t, 200, res.StatusCode, "%s: %s", c.Name, clipped(text))
		assert.True(t, d.Exact, c.Name)
		assert.Equal(t, c.Hex, d.Hex, c.Name)
		off := 0
		for _, f := range d.Fields {
			require.Equal(t, off, f.Offset, "%s: %s", c.Name, f.Path)
			off += f.Length
		}
		require.Equal(t, len(c.Hex)/2, off, c.Name)
		require.NotEmpty(t, d.Write, "%s: %s", c.Name, d.Reason)
		res, body := call(t, "POST", url+"/v1/write", string(d.Write), jsonType)
		require.Equal(t, 200, res.StatusCode, "%s: %s: %s", c.Name, d.Write, clipped(body))
		assert.Equal(t, c.Hex, hex.EncodeToString([]byte(body)), "%s: %s", c.Name, d.Write)
	}
	require.Greater(t, n, 40)
}

func TestDecodeMessages(t *testing.T) {
	_, url := start(t, Default())
	const advise = "1f010033221100554477668899aabbccddeeff0000050036d702009b000a003eda000003000000"
	_, d, _ := decodeOctets(t, url, advise)
	assert.Equal(t, "adviseSupervisory", d.Message)
	res, body := call(t, "POST", url+"/v1/item-control", string(d.ItemControl), jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	assert.Equal(t, advise, hex.EncodeToString([]byte(body)))

	_, d, _ = decodeOctets(t, url, "0000508000")
	assert.Equal(t, "operationStatus", d.Message)
	assert.True(t, d.OperationStatus.Success)
	assert.Equal(t, "write complete", d.OperationStatus.Meaning)
	for _, code := range []string{"00", "41", "ef"} {
		_, d, _ = decodeOctets(t, url, code)
		assert.Equal(t, "completionCode", d.Message)
		assert.False(t, d.OperationStatus.Success)
		assert.Equal(t, "unknown", d.OperationStatus.Meaning)
	}

	const guid, rec = "33221100554477668899aabbccddeeff", "c000" + "00803ed5deb19d01" + "02"
	update := "33010002000000" + guid + "00000080" + rec + "07000000" + "eb030004" + rec + "ffffffff"
	require.Len(t, update, 2*61)
	_, d, _ = decodeOctets(t, url, update)
	assert.Equal(t, "dataUpdate", d.Message)
	require.Len(t, d.Records, 2)
	assert.Equal(t, "7", string(d.Records[0].Value))
	assert.True(t, d.Records[0].Status.OK)
	s := d.Records[1].Status
	assert.False(t, s.OK)
	assert.Equal(t, "ConfigurationError", s.CategoryName)
	assert.Equal(t, "RequestingLmx", s.DetectedByName)
	assert.Equal(t, 1003, s.Detail)

	_, d, _ = decodeOctets(t, url, "2d0100cd2aeeeeb276064fb4585ca02df7a8930100050001000200010069000a004792000003000000")
	assert.Equal(t, "suspend", d.Message)
}

// A client that reads -0 as an integer, as Python's json does, loses the sign; it keeps that of -0.0.
func TestDecodeShowsNegativeZeroAsAFloat(t *testing.T) {
	_, url := start(t, Default())
	const head = "370100050036d702009b000a003eda"
	const tail = "ffff00000000000000000000000000000000"
	for body, want := range map[string]string{
		head + "0000" + "03" + "00000080" + tail:                                            "-0.0",
		head + "0000" + "04" + "0000000000000080" + tail:                                    "-0.0",
		head + "ffff" + "43" + "00000000" + "0200" + "04000000" + "0000008000000000" + tail: "[-0.0,0]",
	} {
		_, d, raw := decodeOctets(t, url, body)
		require.True(t, d.Exact, raw)
		var w struct{ Value json.RawMessage }
		require.NoError(t, json.Unmarshal(d.Write, &w))
		require.Equal(t, want, string(w.Value))
	}
}

// What JSON cannot say has no write, and a reason.
func TestDecodeSaysWhyThereIsNoWrite(t *testing.T) {
	_, url := start(t, Default())
	for reason, body := range map[string]string{
		"lone surrogate":          cases.Body("05", "0800000004000000"+"3dd8"+"0000"),
		"years 1601 to 9999":      cases.Body("06", "ffffffffffffffff"),
		"element 1: the text has": cases.Body("45", "00000000"+"0200"+"00000000"+"020000000000"+"04000000"+"00de"+"0000"),
		"attribute index":         strings.Replace(cases.BaseHex, "3eda0000", "3edaffff", 1),
	} {
		res, d, text := decodeOctets(t, url, body)
		require.Equal(t, 200, res.StatusCode, text)
		assert.Empty(t, d.Write)
		assert.Contains(t, d.Reason, reason)
		assert.True(t, d.Exact)
	}
}

// A broken body: the offset, the reason, the fields before it.
func TestDecodeBroken(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		body   string
		off    int64
		fields int
		reason string
	}{
		{cases.BaseHex + "00", 40, 15, "1 byte follows"},
		{strings.Replace(cases.BaseHex, "3eda000002", "3eda0000ff", 1), 17, 9, "0xff is none of the twelve"},
		{cases.Body("42", "00000000"+"ffff"+"04000000"+"010000000200000003000000"), 22, 11, "65535"},
		{"370200" + cases.BaseHex[6:], 1, 1, "version 2"},
		{"ff00", 0, 0, "begins with 0xff"},
		{"", 0, 0, "empty"},
	} {
		res, _, text := decodeOctets(t, url, c.body)
		require.Equal(t, 422, res.StatusCode, text)
		p := problem(t, res, text)
		require.Len(t, p.Errors, 1)
		assert.Equal(t, c.off, *p.Errors[0].Offset, text)
		assert.Contains(t, p.Errors[0].Reason, c.reason)
		fields, _ := p.Fields.([]any)
		assert.Len(t, fields, c.fields, text)
	}
	base, err := hex.DecodeString(cases.BaseHex)
	require.NoError(t, err)
	for n := range base {
		res, _, text := decodeOctets(t, url, cases.BaseHex[:2*n])
		require.Equal(t, 422, res.StatusCode, "cut to %d: %s", n, text)
	}
}

func TestDecodeNames(t *testing.T) {
	_, url := start(t, Default())
	base, _ := hex.DecodeString(cases.BaseHex)
	_, text := call(t, "POST", url+"/v1/decode?object=TESTCHILDOBJECT&attribute=Other", string(base), octetType)
	var d decodedBody
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	assert.True(t, d.Names.Object.Matches)
	assert.False(t, d.Names.Attribute.Matches)
	assert.Contains(t, string(d.Write), `"object":"TESTCHILDOBJECT"`)
	assert.Contains(t, string(d.Write), `"attributeSignature":55870`)
}

func TestDecodeText(t *testing.T) {
	_, url := start(t, Default())
	for _, c := range []struct {
		body, form string
		certain    bool
	}{
		{`{"hex":"0000508000"}`, "hex", true},
		{`{"base64":"AABQgAA="}`, "base64", true},
		{`{"text":"00 00 50 80 00"}`, "spacedHex", true},
		{`{"text":"{ 0x00, 0x00, 0x50, 0x80, 0x00 }"}`, "cArray", true},
		{`{"text":"0000   00 00 50 80 00                                    ..P..\n"}`, "wireshark", true},
		{`{"text":"00000000: 0000 5080 00                             ..P.."}`, "xxd", true},
		{`{"text":"0000  00 00 50 80 00"}`, "wireshark", false},
	} {
		res, text := call(t, "POST", url+"/v1/decode/text", c.body, jsonType)
		require.Equal(t, 200, res.StatusCode, text)
		var d decodedBody
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		assert.Equal(t, "operationStatus", d.Message, c.body)
		assert.Equal(t, c.form, d.Form.Name, c.body)
		assert.Equal(t, c.certain, d.Form.Certain, c.body)
	}
	for _, c := range []struct {
		body    string
		status  int
		pointer string
	}{
		{`{"hex":"000"}`, 422, "/hex"},
		{`{"hex":"00 00"}`, 422, "/hex"},
		{`{"base64":"AABQgAA"}`, 422, "/base64"},
		{`{"text":"00 0"}`, 422, "/text"},
		{`{"text":""}`, 422, "/text"},
		{`{"hex":"00","text":"00"}`, 422, "/text"},
		{`{"hex":"37"}`, 422, "/hex"},
		{`{}`, 422, "/hex"},
		{`{"hex":"00","object":""}`, 422, "/object"},
		{`{"hex":null}`, 422, "/hex"},
		{`{"hex":"00","hex":"00"}`, 400, "/hex"},
		{`{"Hex":"00"}`, 400, "/Hex"},
		{`{"hex":"00"}x`, 400, ""},
		{`[]`, 400, ""},
		{`null`, 400, ""},
		{`{"text":"\ud83d"}`, 400, ""},
		{"{\"text\":\"\xff\"}", 400, ""},
	} {
		res, text := call(t, "POST", url+"/v1/decode/text", c.body, jsonType)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", c.body, text)
		p := problem(t, res, text)
		if c.pointer != "" {
			require.NotEmpty(t, p.Errors, c.body)
			assert.Equal(t, c.pointer, p.Errors[0].Pointer, c.body)
		}
	}
}

// lineOf is one line of a streamed decode answer, or its summary.
type lineOf struct {
	Index, Line, Status, Count, Succeeded, Failed int
	ID                                            string
	Decoded                                       *decodedBody
	Problem                                       *handlers.Problem
}

func linesOf(t *testing.T, text string) (all []lineOf) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l lineOf
		require.NoError(t, json.Unmarshal([]byte(line), &l), line)
		all = append(all, l)
	}
	return all
}

func frame(hexBody string) string {
	b, _ := hex.DecodeString(hexBody)
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(b)))) + string(b)
}

func TestDecodeBatch(t *testing.T) {
	_, url := start(t, Default())
	res, text := call(t, "POST", url+"/v1/decode/batch", frame(cases.BaseHex)+frame("ff00")+frame("")+frame("41"), octetType)
	require.Equal(t, 200, res.StatusCode, text)
	assert.Equal(t, "application/x-ndjson", res.Header.Get("Content-Type"))
	all := linesOf(t, text)
	require.Len(t, all, 5)
	assert.Equal(t, cases.BaseHex, all[0].Decoded.Hex)
	assert.Equal(t, 422, all[1].Status)
	assert.NotEmpty(t, all[1].Problem.Instance)
	assert.Equal(t, 422, all[2].Status)
	assert.Equal(t, 3, all[3].Index)
	assert.Equal(t, "completionCode", all[3].Decoded.Message)
	assert.Equal(t, [3]int{4, 2, 2}, [3]int{all[4].Count, all[4].Succeeded, all[4].Failed})

	// What ends the input early is the last line, or the answer when it is the first.
	res, text = call(t, "POST", url+"/v1/decode/batch", frame("41")+"\x05\x00\x00\x00\x00", octetType)
	require.Equal(t, 200, res.StatusCode)
	all = linesOf(t, text)
	require.Len(t, all, 3)
	assert.Equal(t, 422, all[1].Status)
	assert.Contains(t, all[1].Problem.Detail, "after 1 of the frame's 5 bytes")
	res, text = call(t, "POST", url+"/v1/decode/batch", "\x05\x00\x00", octetType)
	assert.Equal(t, 422, res.StatusCode, text)
	res, text = call(t, "POST", url+"/v1/decode/batch", "\xff\xff\xff\xff", octetType)
	assert.Equal(t, 413, res.StatusCode, text)
	res, text = call(t, "POST", url+"/v1/decode/batch", "", octetType)
	assert.Equal(t, 200, res.StatusCode)
	assert.Equal(t, "{\"count\":0,\"succeeded\":0,\"failed\":0}\n", text)
}

func TestDecodeTextBatch(t *testing.T) {
	_, url := start(t, Default())
	const lines = "Content-Type: application/x-ndjson"
	in := `{"id":"a","hex":"0000508000"}` + "\n\n# a comment\r\n" + `{"id":"b","hex":"370"}` + "\r\n" + `{` + "\n" + `{"id":"c","text":"0x41"}`
	res, text := call(t, "POST", url+"/v1/decode/text/batch", in, lines)
	require.Equal(t, 200, res.StatusCode, text)
	all := linesOf(t, text)
	require.Len(t, all, 5)
	assert.Equal(t, "a", all[0].ID)
	assert.Equal(t, 1, all[0].Line)
	assert.Equal(t, [2]any{4, "b"}, [2]any{all[1].Line, all[1].ID})
	assert.Equal(t, 422, all[1].Status)
	assert.Equal(t, "/hex", all[1].Problem.Errors[0].Pointer)
	assert.Equal(t, [2]int{5, 400}, [2]int{all[2].Line, all[2].Status})
	assert.Equal(t, [2]any{6, "c"}, [2]any{all[3].Line, all[3].ID})
	assert.Equal(t, [3]int{4, 2, 2}, [3]int{all[4].Count, all[4].Succeeded, all[4].Failed})
}

// Answers come while the input pauses, and ten thousand frames go through whole.
func TestDecodeBatchStreams(t *testing.T) {
	_, url := start(t, Default())
	in, out := io.Pipe()
	req, err := http.NewRequest("POST", url+"/v1/decode/batch", in)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/octet-stream")
	go func() { _, _ = io.WriteString(out, frame("41")) }()
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, first, "completionCode")
	const n = 10_000
	go func() {
		for range n {
			if _, err := io.WriteString(out, frame(cases.BaseHex)); err != nil {
				return
			}
		}
		out.Close()
	}()
	for i := range n {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line, fmt.Sprintf(`{"index":%d,"status":200,`, i+1)), clipped(line))
	}
	last, err := lines.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "{\"count\":10001,\"succeeded\":10001,\"failed\":0}\n", last)
}

func TestItemControl(t *testing.T) {
	_, url := start(t, Default())
	const id = `"itemCorrelationId":"00112233-4455-6677-8899-aabbccddeeff"`
	post := func(body string) (*http.Response, string) {
		return call(t, "POST", url+"/v1/item-control", body, jsonType)
	}
	res, body := post(`{"operation":"advise",` + id + `,"handle":` + cases.Handle + `}`)
	require.Equal(t, 200, res.StatusCode, body)
	assert.Equal(t, "1f010033221100554477668899aabbccddeeff0000050036d702009b000a003eda000003000000", hex.EncodeToString([]byte(body)))
	res, body = post(`{"operation":"unadvise",` + id + `,"handleBytes":"` + cases.HandleHex + `","tail":4294967295}`)
	require.Equal(t, 200, res.StatusCode, body)
	assert.Equal(t, "21010033221100554477668899aabbccddeeff050036d702009b000a003eda0000ffffffff", hex.EncodeToString([]byte(body)))
	res, body = call(t, "POST", url+"/v1/item-control/explain", `{"operation":"advise",`+id+`,"extra":258,"handle":`+cases.Handle+`}`, jsonType)
	require.Equal(t, 200, res.StatusCode, body)
	assert.Contains(t, body, "CRC-16/ARC of testint in UTF-16LE")
	assert.Contains(t, body, `"length":39`)
	for _, c := range []struct {
		body    string
		status  int
		pointer string
	}{
		{`{"operation":"advice",` + id + `,"handleBytes":"` + cases.HandleHex + `"}`, 422, "/operation"},
		{`{` + id + `,"handleBytes":"` + cases.HandleHex + `"}`, 422, "/operation"},
		{`{"operation":"advise","handleBytes":"` + cases.HandleHex + `"}`, 422, "/itemCorrelationId"},
		{`{"operation":"advise","itemCorrelationId":"x","handleBytes":"` + cases.HandleHex + `"}`, 422, "/itemCorrelationId"},
		{`{"operation":"advise",` + id + `}`, 422, "/handle"},
		{`{"operation":"advise",` + id + `,"handleBytes":"` + cases.HandleHex + `","handle":` + cases.Handle + `}`, 422, "/handleBytes"},
		{`{"operation":"unadvise",` + id + `,"handleBytes":"` + cases.HandleHex + `","extra":0}`, 422, "/extra"},
		{`{"operation":"advise",` + id + `,"handleBytes":"` + cases.HandleHex + `","extra":65536}`, 422, "/extra"},
		{`{"operation":"advise",` + id + `,"handleBytes":"` + cases.HandleHex + `","tail":-1}`, 422, "/tail"},
		{`{"operation":"advise",` + id + `,"handleBytes":"` + cases.HandleHex + `","tail":1.0}`, 422, "/tail"},
		{`{"operation":"advise",` + id + `,"handleBytes":"` + cases.HandleHex + `","Tail":1}`, 400, "/Tail"},
	} {
		res, text := post(c.body)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", c.body, text)
		p := problem(t, res, text)
		require.NotEmpty(t, p.Errors, text)
		assert.Equal(t, c.pointer, p.Errors[0].Pointer, text)
	}
}
