package jsonin

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mxrest/internal/codec"
)

// outcome is what a test looks at of one entry.
type outcome struct {
	index, line int
	offset      int64
	id          string
	result      string // the body in hex, or the error
}

// collect reads a batch to its end.
func collect(t testing.TB, r io.Reader, form Form, limits Limits) (list []outcome, end error) {
	t.Helper()
	b := New(nil, limits).Batch(r, form, nil, nil)
	for {
		e, err := b.Next()
		if err != nil {
			again, same := b.Next()
			assert.Equal(t, err, same, "an error stays")
			assert.Same(t, e, again)
			return list, err
		}
		o := outcome{index: e.Index, line: e.Line, offset: e.Offset, id: string(e.ID)}
		if e.Err != nil {
			o.result = e.Err.Error()
		} else {
			body, err := codec.AppendWrite(nil, &e.Write)
			require.NoError(t, err)
			o.result = hex.EncodeToString(body)
		}
		list = append(list, o)
	}
}

// readers hands the same input over in every way a reader may.
func readers(in string) map[string]func() io.Reader {
	return map[string]func() io.Reader{
		"whole":     func() io.Reader { return strings.NewReader(in) },
		"one byte":  func() io.Reader { return iotest.OneByteReader(strings.NewReader(in)) },
		"half":      func() io.Reader { return iotest.HalfReader(strings.NewReader(in)) },
		"data+EOF":  func() io.Reader { return iotest.DataErrReader(strings.NewReader(in)) },
		"with gaps": func() io.Reader { return &gapReader{r: strings.NewReader(in)} },
	}
}

// gapReader returns nothing, without an error, before each read.
type gapReader struct {
	r   io.Reader
	gap bool
}

func (g *gapReader) Read(p []byte) (int, error) {
	if g.gap = !g.gap; g.gap {
		return 0, nil
	}
	return g.r.Read(p[:min(len(p), 7)])
}

func item(id string, value string) string {
	return `{"id":"` + id + `","handle":` + baseHandle + `,"type":"Int32","value":` + value + `}`
}

const outOfRange = "/value: 2147483648 is out of range (allowed: -2147483648..2147483647)"

func int32Body(v int32) string {
	return scalarBody("02" + hex.EncodeToString(codec.AppendInt32Elem(nil, v)))
}

func TestBatchLines(t *testing.T) {
	lines := []string{
		"# a comment", item("a", "1"), "", " \t\r", item("b", "2147483648"), "# {\"id\":", item("c", "3") + "\r", `{"id":"d","handle":{]`, `{"id":"e"}`, "", item("f", "-1"),
	}
	in := strings.Join(lines, "\n")
	at := func(n int) int64 { return int64(len(strings.Join(lines[:n], "\n")) + 1) }
	want := []outcome{
		{0, 2, at(1), "a", int32Body(1)},
		{1, 5, at(4), "b", outOfRange},
		{2, 7, at(6), "c", int32Body(3)},
		{3, 8, at(7), "d", `/handle: unexpected ']' at offset 20`},
		{4, 9, at(8), "e", "/handle: handle is missing (allowed: one of handle, handleBytes)"},
		{5, 11, at(10), "f", int32Body(-1)},
	}
	for _, ending := range []string{"", "\n", "\r\n", "\n\n#\n"} {
		for name, r := range readers(in + ending) {
			got, err := collect(t, r(), Lines, Limits{})
			assert.Equal(t, io.EOF, err, name)
			assert.Equal(t, want, got, name)
		}
	}
}

func TestBatchList(t *testing.T) {
	parts := []string{" [\n", item("a", "1"), ",", item("b", "2147483648"), " , \r\n\t", item("c", "3"), ",", `{"id":"d","x":"]}\"\\","value":1}`, ",", `null`, ",", `"a,]"`, ",", `-5 `, ",", `[[1],{}]`, ",", `{"id":"d","value":"` + "\xff" + `"}`, ",", item("f", "-1"), "] \n"}
	in := strings.Join(parts, "")
	at := func(n int) int64 { return int64(len(strings.Join(parts[:n], ""))) }
	want := []outcome{
		{0, 0, at(1), "a", int32Body(1)},
		{1, 0, at(3), "b", outOfRange},
		{2, 0, at(5), "c", int32Body(3)},
		{3, 0, at(7), "d", fmt.Sprintf(`/x: unknown member "x" (allowed: %s) at offset %d`, strings.Join(writeNames, ", "), at(7)+10)},
		{4, 0, at(9), "", fmt.Sprintf("an object is needed here, not null at offset %d", at(9))},
		{5, 0, at(11), "", fmt.Sprintf("an object is needed here, not a string at offset %d", at(11))},
		{6, 0, at(13), "", fmt.Sprintf("an object is needed here, not a number at offset %d", at(13))},
		{7, 0, at(15), "", fmt.Sprintf("an object is needed here, not an array at offset %d", at(15))},
		{8, 0, at(17), "d", fmt.Sprintf("/value: invalid UTF-8: byte 0xff at offset %d", at(17)+19)},
		{9, 0, at(19), "f", int32Body(-1)},
	}
	for name, r := range readers(in) {
		got, err := collect(t, r(), List, Limits{})
		assert.Equal(t, io.EOF, err, name)
		assert.Equal(t, want, got, name)
	}
	for _, empty := range []string{"[]", " [ ] ", "[\n]\n"} {
		got, err := collect(t, strings.NewReader(empty), List, Limits{})
		assert.Equal(t, io.EOF, err)
		assert.Empty(t, got)
	}
}

// A List that is no JSON ends where that shows, with the items before it given out.
func TestBatchListBroken(t *testing.T) {
	one := item("a", "1")
	for _, c := range []struct {
		in     string
		good   int
		offset int
		says   string
	}{
		{"", 0, 0, "empty"},
		{"  ", 0, 2, "empty"},
		{one, 0, 0, "application/x-ndjson"},
		{one + "\n" + one, 0, 0, "application/x-ndjson"},
		{"\xef\xbb\xbf[" + one + "]", 0, 0, "byte order mark"},
		{"[" + one, 1, 1 + len(one), "ends before"},
		{"[", 0, 1, "ends before"},
		{"[" + one + ",", 1, 2 + len(one), "ends before"},
		{"[" + one + ",]", 1, 2 + len(one), "unexpected ']'"},
		{"[," + one + "]", 0, 1, "unexpected ','"},
		{"[" + one + ",," + one + "]", 1, 2 + len(one), "unexpected ','"},
		{"[" + one + " " + one + "]", 1, 2 + len(one), "unexpected '{'"},
		{"[" + one + "}", 1, 1 + len(one), "unexpected '}'"},
		{"[" + one + ",}", 1, 2 + len(one), "unexpected '}'"},
		{"[" + one + "]x", 1, 2 + len(one), "follows"},
		{"[" + one + "][]", 1, 2 + len(one), "follows"},
		{"[" + one + "," + one[:20], 1, 2 + len(one) + 20, "ends before"},
		{"[" + one + `,{"value":01}]`, 1, 2 + len(one) + 10, "leading zeros"},
		{"[" + one + `,{"value":01},` + one + "]", 1, 2 + len(one) + 10, "leading zeros"},
		{"[" + one + ",nul]", 1, 2 + len(one) + 3, "ends before"},
		{"[" + one + ",{\"a]", 1, 2 + len(one) + 4, "ends before"},
		{"[" + one + "," + strings.Repeat("[", 20000), 1, 2 + len(one) + MaxDepth, "deeper than 64"},
		{"[" + one + ",{]}]", 1, 2 + len(one) + 1, "unexpected ']'"},
		{"[" + one + ",'a']", 1, 2 + len(one), "double quotes"},
	} {
		for name, r := range readers(c.in) {
			got, err := collect(t, r(), List, Limits{})
			var e *Error
			if !assert.ErrorAs(t, err, &e, c.in) {
				continue
			}
			assert.True(t, e.Syntax && e.Broken)
			assert.Len(t, got, c.good, c.in)
			assert.EqualValues(t, c.offset, e.Offset, "%s %s: %v", name, c.in, e)
			assert.Contains(t, e.Reason, c.says, "%s %s", name, c.in)
		}
	}
}

// Wherever the input is cut in two, the items are the same.
func TestBatchEveryCut(t *testing.T) {
	lines := "#\n" + item("a", "1") + "\n\n" + `{"id":"b","type":1}` + "\r\n" + strings.Replace(item("c", `2`), "TestInt", `T\u0065stInt`, 1)
	list := "[" + strings.ReplaceAll(lines[2:], "\n", " ")
	list = strings.Replace(list, "}  {", "} , {", 1)
	list = strings.Replace(list, "}\r {", "},{", 1) + "]"
	for form, in := range map[Form]string{Lines: lines, List: list} {
		want, err := collect(t, strings.NewReader(in), form, Limits{})
		require.Equal(t, io.EOF, err)
		require.Len(t, want, 3)
		assert.Contains(t, want[1].result, "missing")
		for cut := range in {
			got, err := collect(t, io.MultiReader(strings.NewReader(in[:cut]), strings.NewReader(in[cut:])), form, Limits{})
			require.Equal(t, io.EOF, err)
			require.Equal(t, want, got, cut)
		}
		// And wherever it ends early, the whole items before are given out and nothing else.
		for cut := range in {
			got, err := collect(t, strings.NewReader(in[:cut]), form, Limits{})
			require.LessOrEqual(t, len(got), 3)
			if form == List {
				var e *Error
				require.ErrorAs(t, err, &e, cut)
				require.Equal(t, want[:len(got)], append([]outcome{}, got...), cut)
				require.EqualValues(t, cut, e.Offset)
			}
		}
	}
}

// A reader's error comes through as it is, after the whole items before it.
func TestBatchReadError(t *testing.T) {
	broken := errors.New("connection lost")
	for form, in := range map[Form]string{
		Lines: item("a", "1") + "\n" + item("b", "2"),
		List:  "[" + item("a", "1") + "," + item("b", "2")[:50],
	} {
		got, err := collect(t, io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)), form, Limits{})
		assert.Equal(t, broken, err)
		assert.Len(t, got, 1)
	}
	for _, in := range []string{"", "[", "[" + item("a", "1"), "[" + item("a", "1") + ",", "[" + item("a", "1") + "]"} {
		_, err := collect(t, io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)), List, Limits{})
		assert.Equal(t, broken, err, in)
	}
	_, err := collect(t, stuckReader{}, List, Limits{})
	assert.Equal(t, io.ErrNoProgress, err)
}

type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

func TestBatchMaxItem(t *testing.T) {
	one := item("a", "1")
	long := item("b", "2"+strings.Repeat(" ", 70_000))
	limits := Limits{MaxItem: len(one)}
	in := strings.Join([]string{one, one + "\r", one + " ", "#" + long, long, one + " ", one}, "\n")
	for name, r := range readers(in) {
		got, err := collect(t, r(), Lines, limits)
		assert.Equal(t, io.EOF, err)
		tooLong := fmt.Sprintf("the line is longer than %d bytes (allowed: 0..%[1]d bytes)", len(one))
		want := []string{int32Body(1), int32Body(1), tooLong, tooLong, tooLong, int32Body(1)}
		require.Len(t, got, len(want), name)
		for i := range want {
			assert.Equal(t, want[i], got[i].result, name)
		}
		assert.Equal(t, []int{1, 2, 3, 5, 6, 7}, []int{got[0].line, got[1].line, got[2].line, got[3].line, got[4].line, got[5].line})
	}
	got, err := collect(t, strings.NewReader(long), Lines, limits)
	assert.Equal(t, io.EOF, err)
	assert.Len(t, got, 1)

	for name, r := range readers("[" + one + "," + long + "," + one + "]") {
		got, err := collect(t, r(), List, limits)
		assert.Len(t, got, 1, name)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Contains(t, e.Error(), "the element is longer than "+strconv.Itoa(len(one))+" bytes")
		assert.EqualValues(t, 2+len(one), e.Offset)
	}
}

// Sizes around which servers of this kind have broken, as lines and as a list, in odd pieces.
func TestBatchSizes(t *testing.T) {
	for _, n := range []int{1, 999, 1000, 1600, 2000, 2500, 3000, 10_000, 100_000} {
		for _, form := range []Form{Lines, List} {
			b := New(nil, Limits{}).Batch(&generator{n: n, form: form}, form, nil, nil)
			var body []byte
			i := 0
			for ; ; i++ {
				e, err := b.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil || e.Err != nil || e.Index != i || e.Value.Bits != uint64(i) || string(e.ID) != strconv.Itoa(i) {
					t.Fatalf("%d of %d: %+v, %v", i, n, e, err)
				}
				if body, err = codec.AppendWrite(body[:0], &e.Write); err != nil || len(body) != 40 {
					t.Fatal(err)
				}
			}
			require.Equal(t, n, i)
		}
	}
}

// generator is a batch of n Int32 writes, made as it is read.
type generator struct {
	n, i int
	form Form
	rest []byte
	buf  []byte
	end  bool
}

func (g *generator) Read(p []byte) (int, error) {
	for len(g.rest) == 0 {
		if g.end {
			return 0, io.EOF
		}
		b := g.buf[:0]
		if g.i == 0 && g.form == List {
			b = append(b, '[')
		}
		if g.i < g.n {
			b = append(b, `{"id":"`...)
			b = strconv.AppendInt(b, int64(g.i), 10)
			b = append(b, `","handle":`...)
			b = append(b, baseHandle...)
			b = append(b, `,"type":"Int32","value":`...)
			b = strconv.AppendInt(b, int64(g.i), 10)
			b = append(b, '}')
			if g.i++; g.form == Lines {
				b = append(b, '\n')
			} else if g.i < g.n {
				b = append(b, ',')
			}
		} else {
			if g.form == List {
				b = append(b, ']')
			}
			g.end = true
		}
		g.buf, g.rest = b, b
	}
	n := 0
	for n < len(p) && len(g.rest) > 0 {
		k := copy(p[n:], g.rest)
		g.rest = g.rest[k:]
		n += k
	}
	return n, nil
}

func FuzzBatchCut(f *testing.F) {
	f.Add("["+item("a", "1")+","+item("b", "2")+"]", 5, true)
	f.Add(item("a", "1")+"\n#\n\r\n"+item("b", "[]"), 9, false)
	f.Add(`[{"a":"]\"}"},[[]],1]`, 3, true)
	f.Fuzz(func(t *testing.T, in string, piece int, list bool) {
		form := Lines
		if list {
			form = List
		}
		want, wantErr := collect(t, strings.NewReader(in), form, Limits{MaxItem: 4096})
		got, err := collect(t, &pieceReader{bytes.NewReader([]byte(in)), max(1, piece&63)}, form, Limits{MaxItem: 4096})
		require.Equal(t, want, got)
		require.Equal(t, wantErr, err)
	})
}

type pieceReader struct {
	r io.Reader
	n int
}

func (p *pieceReader) Read(b []byte) (int, error) { return p.r.Read(b[:min(p.n, len(b))]) }

// A batch guesses that an item has the type of the one before: items of every type after every other read as they do alone.
func TestBatchOfAllTypes(t *testing.T) {
	values := map[string]string{
		"Boolean": "true", "Int32": "-5", "Float32": "1.5", "Float64": "2.5", "String": `"é"`, "DateTime": `"2024-01-01T00:00:00Z"`, "ElapsedTime": "7",
		"InternationalizedString": `"ä"`, "BooleanArray": "[true]", "Int32Array": "[1,2]", "Float32Array": "[0.5]", "Float64Array": "[0.5]", "StringArray": `["a"]`,
		"DateTimeArray": `["2024-01-01T00:00:00Z"]`,
	}
	var lines []string
	for first, v1 := range values {
		for second, v2 := range values {
			lines = append(lines, typedWrite(first, v1), typedWrite(second, v2))
		}
	}
	for form, text := range map[Form]string{Lines: strings.Join(lines, "\n"), List: "[" + strings.Join(lines, ",") + "]"} {
		d := New(nil, Limits{})
		batch := d.Batch(strings.NewReader(text), form, nil, nil)
		for i, line := range lines {
			e, err := batch.Next()
			require.NoError(t, err)
			require.Nil(t, e.Err, line)
			var want Item
			_, err = d.Item(&want, []byte(line), nil)
			require.NoError(t, err)
			require.Equal(t, plain(want), plain(e.Item), "%d %s", i, line)
		}
		_, err := batch.Next()
		require.ErrorIs(t, err, io.EOF)
	}
}
