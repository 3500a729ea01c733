package handlers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckJSON(t *testing.T) {
	for _, good := range []string{`{}`, ` [1,2,{"a":"b"}] `, `null`, `"\ud83d\ude00"`, strings.Repeat("[", 64) + strings.Repeat("]", 64)} {
		require.Nil(t, CheckJSON([]byte(good), 64), good)
	}
	for _, c := range []struct {
		body    string
		pointer string
		offset  int64 // -1: none
	}{
		{"", "", -1},
		{" ", "", 1},
		{"{", "", 1},
		{`{"a":1}x`, "", 7},
		{`{"a":1} {}`, "", 8},
		{`{"a":1,"a":2}`, "/a", -1},
		{`{"a":{"b~/":1,"b~/":2}}`, "/a/b~0~1", -1},
		{`{"a":"` + "\xff\xfe" + `"}`, "/a", 6},
		{`["\ud83d"]`, "/0", 2},
		{`{"a":007}`, "", 6},
		{`{"a":+1}`, "/a", 5},
		{`{"a":NaN}`, "/a", 5},
		{strings.Repeat("[", 20000), strings.Repeat("/0", 64), 65},
	} {
		p := CheckJSON([]byte(c.body), 64)
		require.NotNil(t, p, c.body)
		require.Equal(t, 400, p.Status)
		require.Len(t, p.Errors, 1)
		require.Equal(t, c.pointer, p.Errors[0].Pointer, c.body)
		require.NotContains(t, p.Errors[0].Reason, "jsontext")
		if c.offset < 0 {
			require.Nil(t, p.Errors[0].Offset, c.body)
		} else {
			require.NotNil(t, p.Errors[0].Offset, c.body)
			require.Equal(t, c.offset, *p.Errors[0].Offset, c.body)
		}
	}
}
