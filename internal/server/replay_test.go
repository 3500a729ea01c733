package server

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

func TestDiff(t *testing.T) {
	_, url := start(t, Default())
	type difference struct {
		Path, State string
		Left, Right *struct {
			Offset int
			Value  any
		}
	}
	var d struct {
		Same        bool
		Differences int
		Left, Right struct {
			Message string
			Form    struct{ Name string }
		}
		Fields []difference
	}
	diff := func(left, right string) {
		t.Helper()
		res, text := call(t, "POST", url+"/v1/diff", `{"left":{"hex":"`+left+`"},"right":{"hex":"`+right+`"}}`, jsonType)
		require.Equal(t, 200, res.StatusCode, text)
		d.Fields = nil
		require.NoError(t, json.Unmarshal([]byte(text), &d))
	}
	of := func(path string) difference {
		for _, f := range d.Fields {
			if f.Path == path {
				return f
			}
		}
		t.Fatalf("%s is not there", path)
		return difference{}
	}
	diff(cases.BaseHex, cases.BaseHex)
	assert.True(t, d.Same)
	assert.Zero(t, d.Differences)
	assert.Len(t, d.Fields, 15)

	diff(cases.BaseHex, strings.Replace(cases.BaseHex, "78563412", "07000000", 1))
	assert.False(t, d.Same)
	assert.Equal(t, 1, d.Differences)
	v := of("value")
	assert.Equal(t, "differs", v.State)
	assert.Equal(t, 305419896.0, v.Left.Value)
	assert.Equal(t, 7.0, v.Right.Value)

	// An Int32 beside a String: the value stands in one of them each, and the tail is the same at another offset.
	diff(cases.BaseHex, cases.Body("05", "10000000"+"0c000000"+"480065006c006c006f000000"))
	assert.Equal(t, "leftOnly", of("value").State)
	assert.Equal(t, "rightOnly", of("value.text").State)
	assert.Equal(t, "differs", of("kind").State)
	tail := of("tail.clientToken")
	assert.Equal(t, "same", tail.State)
	assert.Equal(t, [2]int{32, 48}, [2]int{tail.Left.Offset, tail.Right.Offset})
	assert.Equal(t, 6, d.Differences)

	for body, pointer := range map[string]string{
		`{"left":{"hex":"3701"},"right":{"hex":"41"}}`: "/left/hex", `{"left":{"hex":"41"},"right":{"text":"ff 00"}}`: "/right/text",
		`{"left":{"hex":"41"},"right":{"hex":"4"}}`: "/right/hex", `{"left":{"hex":"41"}}`: "/right",
	} {
		res, text := call(t, "POST", url+"/v1/diff", body, jsonType)
		require.Equal(t, 422, res.StatusCode, text)
		assert.Equal(t, pointer, problem(t, res, text).Errors[0].Pointer, text)
	}
	res, text := call(t, "POST", url+"/v1/diff", `{"left":{"hex":"41"},"right":{"hex":"41"},"up":{}}`, jsonType)
	assert.Equal(t, 400, res.StatusCode, text)
}

func TestReplay(t *testing.T) {
	_, url := start(t, Default())
	// Nothing in this body but the value is as the layout has it: command, version, kind and tail are another plant's.
	captured := "990700" + cases.BaseHex[6:34] + "77" + "78563412" + "0102030405060708090a0b0c0d0e0f101112"
	replay := func(capture, rest string) (int, string) {
		res, text := call(t, "POST", url+"/v1/replay", `{"capture":{"hex":"`+capture+`"},`+rest+`}`, jsonType)
		return res.StatusCode, text
	}
	var got struct {
		Message string
		Bodies  []struct {
			ID, Hex string
			Changed []struct {
				Name, Hex, Was string
				Offset         int
			}
		}
	}
	status, text := replay(captured, `"type":"Int32","value":305419896,"changes":[{"id":"a","value":7},{"value":-1},{"handleBytes":"`+strings.Repeat("0", 40)+`"}]`)
	require.Equal(t, 200, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.Empty(t, got.Message)
	require.Len(t, got.Bodies, 3)
	assert.Equal(t, strings.Replace(captured, "78563412", "07000000", 1), got.Bodies[0].Hex)
	assert.Equal(t, "a", got.Bodies[0].ID)
	assert.Equal(t, "78563412", got.Bodies[0].Changed[0].Was)
	assert.Equal(t, strings.Replace(captured, "78563412", "ffffffff", 1), got.Bodies[1].Hex)
	assert.Equal(t, "990700"+strings.Repeat("0", 28)+captured[34:], got.Bodies[2].Hex)

	status, text = replay(cases.BaseHex, `"type":"Int32","value":305419896,"changes":[{"clientToken":16909060,"writeIndex":-2}]`)
	require.Equal(t, 200, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.Equal(t, "normalWrite", got.Message)
	assert.Equal(t, cases.BaseHex[:64]+"04030201"+"feffffff", got.Bodies[0].Hex)

	for _, c := range []struct {
		capture, rest string
		status        int
		pointer       string
		reason        string
	}{
		{captured, `"type":"Int32","value":7,"changes":[{"value":1}]`, 422, "/value", "at offset 18 stands 78563412, as Int32 305419896; the stated value would be 07000000"},
		{captured, `"type":"String","value":"x","changes":[{"value":"y"}]`, 422, "/value", "a write of the stated value has 48 bytes, the body has 40"},
		{captured, `"type":"Int32","value":305419896,"changes":[{"clientToken":1}]`, 422, "/changes/0/clientToken", "not known"},
		{captured, `"type":"Int32","value":305419896,"changes":[{"value":1},{"value":"x"}]`, 422, "/changes/1/value", ""},
		{captured, `"type":"Int32","value":305419896,"changes":[{"id":"x"}]`, 422, "/changes/0", "changes nothing"},
		{captured, `"type":"Int32","value":305419896,"changes":[]`, 422, "/changes", ""},
		{cases.BaseHex, `"type":"Int32","value":305419896,"changes":[{"timestamp":"2024-01-01T00:00:00Z"}]`, 422, "/changes/0/timestamp", "normal write"},
		{cases.BaseHex, `"type":"Int32","value":305419896,"changes":[{"value":1,"bits":"7fc00001"}]`, 422, "/changes/0/bits", ""},
		{"3701", `"type":"Int32","value":1,"changes":[{"value":1}]`, 422, "/capture/hex", "2 bytes"},
		{cases.BaseHex, `"type":"Int32","value":305419896,"changes":[{"value":1,"value":2}]`, 400, "/changes/0/value", ""},
		{cases.BaseHex, `"type":"Int32","value":305419896,"changes":[{"Value":1}]`, 400, "/changes/0/Value", ""},
	} {
		res, text := call(t, "POST", url+"/v1/replay", `{"capture":{"hex":"`+c.capture+`"},`+c.rest+`}`, jsonType)
		require.Equal(t, c.status, res.StatusCode, "%s: %s", c.rest, text)
		e := problem(t, res, text).Errors[0]
		assert.Equal(t, c.pointer, e.Pointer, text)
		assert.Contains(t, e.Reason, c.reason, text)
	}
}

// A layout that is learned over HTTP is loaded by a server, which then shows it as learned and encodes the captures' bytes.
func TestLearnOverHTTP(t *testing.T) {
	_, url := start(t, Default())
	captured := "380200" + cases.BaseHex[6:34] + "12" + "78563412" + "07000000" + "0000000000000000" + "ffff" + "01000000"
	body := `{"captures":[{"id":"one","hex":"` + captured + `","type":"Int32","value":305419896,"timestamped":false,"clientToken":7,"writeIndex":1,` +
		`"handle":{"objectId":5,"object":"TestChildObject","attribute":"TestInt","attributeIndex":0}}]}`
	res, text := call(t, "POST", url+"/v1/layout/learn", body, jsonType)
	require.Equal(t, 200, res.StatusCode, text)
	var got struct {
		Found   bool
		Layout  json.RawMessage
		Members []struct {
			Name      string
			Value     any
			Standing  string
			SettledBy []string
		}
		Open           []struct{ Name, Why string }
		Contradictions []struct {
			Captures []string
			Member   string
			Offset   int
			Reason   string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.True(t, got.Found)
	require.Len(t, got.Members, 4)
	for _, m := range got.Members {
		assert.Equal(t, "learned", m.Standing)
		assert.Equal(t, []string{"one"}, m.SettledBy)
	}
	assert.Empty(t, got.Contradictions)

	file := filepath.Join(t.TempDir(), "layout.json")
	require.NoError(t, os.WriteFile(file, got.Layout, 0o600))
	cfg := Default()
	cfg.LayoutFile = file
	_, url2 := start(t, cfg)
	res, text = call(t, "POST", url2+"/v1/write", cases.Write("Int32", "305419896", `"clientToken":7`, `"writeIndex":1`), jsonType)
	require.Equal(t, 200, res.StatusCode, text)
	assert.Equal(t, captured, hex.EncodeToString([]byte(text)))
	_, text = call(t, "GET", url2+"/v1/layout", "")
	assert.Contains(t, text, `"standing":"learned"`)
	_, text = call(t, "POST", url2+"/v1/write/explain", cases.Write("Int32", "305419896"), jsonType)
	assert.Contains(t, text, `"value":56,"text":"0x38","standing":"learned"`)
	assert.Contains(t, text, `"learned":22`)

	res, text = call(t, "POST", url+"/v1/layout/learn", strings.Replace(body, `]}`, `,{"hex":"`+cases.BaseHex+`","type":"Int32","value":305419896}]}`, 1), jsonType)
	require.Equal(t, 200, res.StatusCode, text)
	got.Layout = nil
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.False(t, got.Found)
	assert.Empty(t, got.Layout)
	require.NotEmpty(t, got.Contradictions)
	assert.Equal(t, []string{"one", "1"}, got.Contradictions[0].Captures)
	assert.Equal(t, "command", got.Contradictions[0].Member)

	for body, pointer := range map[string]string{
		`{"captures":[]}`: "/captures",
		`{}`:              "/captures",
		`{"captures":[{"type":"Int32","value":1}]}`:                                                                                  "/captures/0/hex",
		`{"captures":[{"hex":"00","value":1}]}`:                                                                                      "/captures/0/type",
		`{"captures":[{"hex":"00","type":"int32","value":1}]}`:                                                                       "/captures/0/type",
		`{"captures":[{"hex":"00","type":"Int32"}]}`:                                                                                 "/captures/0/value",
		`{"captures":[{"hex":"00","type":"Int32","value":1.5}]}`:                                                                     "/captures/0/value",
		`{"captures":[{"hex":"00","type":"Int32","value":1,"handle":{"object":"a","objectSignature":1}}]}`:                           "/captures/0/handle/object",
		`{"captures":[{"hex":"00","type":"Int32","value":1,"timestamped":false,"timestamp":"2024-01-01T00:00:00Z"}]}`:                "/captures/0/timestamped",
		`{"captures":[{"hex":"00","type":"Int32","value":1,"handle":{"platformId":65536}}]}`:                                         "/captures/0/handle/platformId",
		`{"captures":[{"hex":"00","type":"Int32","value":1},{"hex":"00","type":"Int32","value":1,"timestamp":"2023-02-29T00:00Z"}]}`: "/captures/1/timestamp",
	} {
		res, text := call(t, "POST", url+"/v1/layout/learn", body, jsonType)
		require.Equal(t, 422, res.StatusCode, "%s: %s", body, text)
		assert.Equal(t, pointer, problem(t, res, text).Errors[0].Pointer, "%s: %s", body, text)
	}
}
