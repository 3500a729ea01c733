package handlers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/codec/jsonin"
)

func TestCheckJSON(t *testing.T) {
	deep := strings.Repeat("[", jsonin.MaxDepth) + strings.Repeat("]", jsonin.MaxDepth)
	for _, good := range []string{`{}`, ` [1,2,{"a":"b"}] `, `null`, `"\ud83d\ude00"`, deep} {
		require.Nil(t, CheckJSON([]byte(good), jsonin.MaxDepth), good)
	}
	for _, c := range []struct {
		body   string
		offset int64
	}{
		{"", 0}, {" ", 1}, {"{", 1}, {`{"a":1}x`, 7}, {`{"a":1} {}`, 8}, {`{"a":"` + "\xff\xfe" + `"}`, 6}, {`["\ud83d"]`, 2},
		{`{"a":007}`, 6}, {`{"a":+1}`, 5}, {`{"a":NaN}`, 5}, {"[" + deep + "]", jsonin.MaxDepth},
	} {
		p := CheckJSON([]byte(c.body), jsonin.MaxDepth)
		require.NotNil(t, p, c.body)
		require.Equal(t, 400, p.Status)
		require.Len(t, p.Errors, 1)
		require.NotContains(t, p.Errors[0].Reason, "jsontext")
		require.Equal(t, c.offset, *p.Errors[0].Offset, c.body)
	}
	for body, pointer := range map[string]string{`{"a":1,"a":2}`: "/a", `{"a":{"b~/":1,"b~/":2}}`: "/a/b~0~1"} {
		require.Equal(t, pointer, CheckJSON([]byte(body), jsonin.MaxDepth).Errors[0].Pointer, body)
	}
}
