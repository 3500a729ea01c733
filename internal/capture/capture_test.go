package capture

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

const baseHex = "370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000"

func TestCapture(t *testing.T) {
	read := Reader{JSON: jsonin.New(nil, jsonin.Limits{}), Max: 1 << 20}
	root, err := jsonin.Parse([]byte(`{"id":"a","hex":"` + baseHex + `","type":"Int32","value":305419896,"timestamp":"1970-01-01T00:00:00Z","timestamped":true,` +
		`"clientToken":4294967295,"writeIndex":-1,"handle":{"galaxyId":1,"object":"TestChildObject","attributeId":-1,"attributeIndex":-1}}`))
	require.NoError(t, err)
	c, err := read.Capture(root, "file.json", nil)
	require.NoError(t, err)
	assert.Equal(t, "a", c.Name)
	assert.Equal(t, baseHex, hex.EncodeToString(c.Body))
	assert.Equal(t, codec.Value{Type: codec.Int32, Bits: 305419896}, c.Value)
	assert.Equal(t, uint16(0xd736), *c.Handle[1])
	assert.Equal(t, uint16(0xffff), *c.Handle[3])
	assert.Equal(t, uint16(0xffff), *c.Handle[6])
	assert.Nil(t, c.Handle[0])
	assert.Equal(t, int64(116444736000000000), *c.FileTime)
	assert.Equal(t, [2]any{uint32(4294967295), int32(-1)}, [2]any{*c.ClientToken, *c.WriteIndex})

	// What is left out is unknown, and the body may stand elsewhere.
	root, err = jsonin.Parse([]byte(`{"type":"BooleanArray","value":[true,false]}`))
	require.NoError(t, err)
	c, err = read.Capture(root, "file.json", []byte{1, 2})
	require.NoError(t, err)
	assert.Equal(t, "file.json", c.Name)
	assert.Equal(t, []byte{1, 2}, c.Body)
	assert.Equal(t, []byte{0xff, 0xff, 0, 0}, c.Value.Elems, "elements in the form of the default layout")
	assert.Nil(t, c.Timestamped)
	assert.Nil(t, c.ClientToken)
}

func TestCaptureRefuses(t *testing.T) {
	read := Reader{JSON: jsonin.New(nil, jsonin.Limits{}), Max: 1 << 20}
	for body, pointer := range map[string]string{
		`{"hex":"00","base64":"AA==","type":"Int32","value":1}`:                                   "/base64",
		`{"hex":"00","type":"Int32","value":1,"clientToken":4294967296}`:                          "/clientToken",
		`{"hex":"00","type":"Int32","value":1,"writeIndex":2147483648}`:                           "/writeIndex",
		`{"hex":"00","type":"Int32","value":1,"timestamped":1}`:                                   "/timestamped",
		`{"hex":"00","type":"Int32","value":1,"bits":"7fc00001"}`:                                 "/bits",
		`{"hex":"00","type":"Int32","value":1,"handle":{"attribute":""}}`:                         "/handle/attribute",
		`{"hex":"00","type":"Int32","value":1,"handle":{"attributeIndex":-2}}`:                    "/handle/attributeIndex",
		`{"hex":"00","type":"Int32","value":1,"handle":[]}`:                                       "/handle",
		`{"hex":"00","type":"Int32","value":1,"id":"` + strings.Repeat("x", 129) + `"}`:           "/id",
		`{"hex":"00","type":"Int32","value":1,"extra":1}`:                                         "/extra",
		`{"text":"zz","type":"Int32","value":1}`:                                                  "/text",
		`{"hex":"00","type":"Int32","value":1,"handle":{"attribute":"a","attributeSignature":1}}`: "/handle/attribute",
	} {
		root, err := jsonin.Parse([]byte(body))
		require.NoError(t, err)
		_, err = read.Capture(root, "x", nil)
		var e *jsonin.Error
		require.ErrorAs(t, err, &e, body)
		assert.Equal(t, pointer, e.Pointer, body)
	}
}
