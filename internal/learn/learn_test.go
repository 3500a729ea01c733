package learn

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mxrest/internal/codec"
	"mxrest/internal/codec/codectest"
	"mxrest/internal/layoutfile"
)

// plant makes captures as a plant with a layout would.
type plant struct{ *codec.Layout }

// inLayout gives a value whose array elements are in the default layout's form in the form of the plant's.
func (p plant) inLayout(v codec.Value) codec.Value {
	if v.Type == codec.BooleanArray {
		list := booleans(&v)
		v.Elems = []byte{}
		for _, b := range list {
			v.Elems = p.AppendBooleanElem(v.Elems, b)
		}
	}
	return v
}

// capture captures a write of which everything is known.
func (p plant) capture(t require.TestingT, name string, w codec.Write) Capture {
	v := w.Value
	w.Value = p.inLayout(v)
	if v.Type.IsArray() {
		w.Handle.AttributeIndex = -1
	}
	body, err := p.EncodeWrite(&w)
	require.NoError(t, err)
	c := Capture{Name: name, Body: body, Value: v, Timestamped: &w.Timestamped, ClientToken: &w.ClientToken, WriteIndex: &w.WriteIndex}
	if w.Timestamped {
		c.FileTime = &w.FileTime
	}
	h := codec.AppendProjection(nil, &w.Handle)
	for i := range c.Handle {
		n := binary.LittleEndian.Uint16(h[2*i:])
		c.Handle[i] = &n
	}
	return c
}

func boolArray(list ...bool) codec.Value {
	v := codec.Value{Type: codec.BooleanArray, Count: len(list), Elems: []byte{}}
	for _, b := range list {
		v.Elems = std.AppendBooleanElem(v.Elems, b)
	}
	return v
}

func int32Array(list ...int32) codec.Value {
	v := codec.Value{Type: codec.Int32Array, Count: len(list), Elems: []byte{}}
	for _, n := range list {
		v.Elems = codec.AppendInt32Elem(v.Elems, n)
	}
	return v
}

func stringArray(t require.TestingT, list ...string) codec.Value {
	v := codec.Value{Type: codec.StringArray, Count: len(list)}
	for _, s := range list {
		var err error
		v.Elems, err = codec.AppendStringElem(v.Elems, []byte(s))
		require.NoError(t, err)
	}
	return v
}

// everything captures enough to settle every member: each kind, both Booleans, both tails with a token and an index that differ.
func (p plant) everything(t require.TestingT) []Capture {
	values := []codec.Value{
		{Type: codec.Boolean, Bits: 1}, {Type: codec.Boolean}, {Type: codec.Int32, Bits: 7}, {Type: codec.Float32, Bits: uint64(math.Float32bits(0.1))},
		{Type: codec.Float64, Bits: math.Float64bits(0.1)}, {Type: codec.String, Text: []byte("Hello")}, {Type: codec.DateTime, Bits: 116444736000000000},
		boolArray(true, false, true), int32Array(1, 2),
		{Type: codec.Float32Array, Count: 1, Elems: codec.AppendFloat32Elem(nil, 1)},
		{Type: codec.Float64Array, Count: 1, Elems: codec.AppendFloat64Elem(nil, 1)},
		stringArray(t, "a", ""), {Type: codec.DateTimeArray, Count: 1, Elems: codec.AppendDateTimeElem(nil, 1)},
	}
	var all []Capture
	for i, v := range values {
		w := codec.Write{Value: v, ClientToken: 0x01020304 + uint32(i), WriteIndex: 0x11121314 + int32(i), Timestamped: i == 3, FileTime: 0}
		if w.Timestamped {
			w.FileTime = 133480000000000000
		}
		all = append(all, p.capture(t, fmt.Sprintf("%d-%s", i, v.Type), w))
	}
	return all
}

// Captures made under twenty random layouts teach each of them back, whole, by way of a layout file.
func TestLearnTwentyLayouts(t *testing.T) {
	for seed := range 20 {
		want := codectest.Layout().Example(seed)
		res, err := Learn(codec.DefaultLayout(), plant{want}.everything(t))
		require.NoError(t, err)
		require.Empty(t, res.Contradictions, "%+v", want)
		require.Empty(t, res.Open)
		require.Len(t, res.Learned, codec.NumMembers)
		for m := range codec.Member(codec.NumMembers) {
			require.Equal(t, Value(want, m), Value(res.Layout, m), "%s", MemberName(m))
		}
		by := map[string][]string{}
		for _, x := range res.Learned {
			require.NotEmpty(t, x.Captures)
			by[MemberName(x.Member)] = []string{"a.json"}
		}
		file, err := layoutfile.Marshal(res.Layout, by)
		require.NoError(t, err)
		loaded, err := layoutfile.Parse(file)
		require.NoError(t, err, "%s", file)
		for m := range codec.Member(codec.NumMembers) {
			require.Equal(t, Value(want, m), Value(loaded, m), "%s", MemberName(m))
			require.Equal(t, codec.Learned, loaded.Standing[m], "%s", MemberName(m))
		}
	}
}

// With any captures of any plant, however little is known of them: what is learned is true; the layout makes every body again and loads; each member is
// settled by the captures that are named and by no fewer of them.
func TestLearnProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plant{codectest.Layout().Draw(t, "layout")}
		var captures []Capture
		for i := range rapid.IntRange(1, 8).Draw(t, "captures") {
			w := codectest.WriteOf(t, std, codectest.Value(t, std))
			if rapid.Bool().Draw(t, "small") {
				w.ClientToken, w.WriteIndex = w.ClientToken%3, w.WriteIndex%3
			}
			c := p.capture(t, fmt.Sprint(i), w)
			forget(t, &c)
			captures = append(captures, c)
		}
		base := codec.DefaultLayout()
		if rapid.Bool().Draw(t, "another base") {
			base = codectest.Layout().Draw(t, "base")
		}
		res, err := Learn(base, captures)
		require.NoError(t, err)
		require.Empty(t, res.Contradictions)
		require.Equal(t, codec.NumMembers, len(res.Learned)+len(res.Open))
		for _, x := range res.Learned {
			require.Equal(t, Value(p.Layout, x.Member), Value(res.Layout, x.Member), "%s", MemberName(x.Member))
			require.Equal(t, codec.Learned, res.Layout.Standing[x.Member])
			some := pick(captures, x.Captures)
			require.True(t, settles(t, some, x.Member), "%s is settled by %v", MemberName(x.Member), x.Captures)
			for i := range some {
				less := slices.Delete(slices.Clone(some), i, i+1)
				require.False(t, len(less) > 0 && settles(t, less, x.Member), "%s is settled by fewer than %v", MemberName(x.Member), x.Captures)
			}
		}
		for _, x := range res.Open {
			require.NotEmpty(t, x.Why)
			if len(x.Candidates) > 0 {
				require.Contains(t, x.Candidates, Value(p.Layout, x.Member), "%s: the truth is among what is left", MemberName(x.Member))
			}
		}
	})
}

func settles(t require.TestingT, captures []Capture, m codec.Member) bool {
	res, err := Learn(codec.DefaultLayout(), captures)
	require.NoError(t, err)
	return slices.ContainsFunc(res.Learned, func(x Learned) bool { return x.Member == m })
}

func pick(captures []Capture, at []int) (out []Capture) {
	for _, i := range at {
		out = append(out, captures[i])
	}
	return out
}

// forget makes some of what is known of a capture unknown.
func forget(t *rapid.T, c *Capture) {
	if rapid.Bool().Draw(t, "token unknown") {
		c.ClientToken = nil
	}
	if rapid.Bool().Draw(t, "index unknown") {
		c.WriteIndex = nil
	}
	if rapid.Bool().Draw(t, "time unknown") {
		c.FileTime = nil
	}
	if c.FileTime == nil && rapid.Bool().Draw(t, "form unknown") {
		c.Timestamped = nil
	}
	for i := range c.Handle {
		if rapid.Bool().Draw(t, "id unknown") {
			c.Handle[i] = nil
		}
	}
}

// The base request's bytes with a token and an index: the tail is settled by that one capture, the arrays stay open.
func TestLearnOne(t *testing.T) {
	c := plant{codec.DefaultLayout()}.capture(t, "a", codec.Write{Value: codec.Value{Type: codec.Int32, Bits: 5}, ClientToken: 7, WriteIndex: 1})
	res, err := Learn(codec.DefaultLayout(), []Capture{c})
	require.NoError(t, err)
	var learned, open []string
	for _, x := range res.Learned {
		learned = append(learned, MemberName(x.Member))
		assert.Equal(t, []int{0}, x.Captures)
	}
	for _, x := range res.Open {
		open = append(open, MemberName(x.Member))
	}
	assert.ElementsMatch(t, []string{"command", "version", "kinds.Int32", "normalTail"}, learned)
	assert.Len(t, open, codec.NumMembers-4)
}

// Token and index both 0 leave their order open; a second capture settles it, and the two are named.
func TestLearnTailTakesTwo(t *testing.T) {
	p := plant{codec.DefaultLayout()}
	write := func(token uint32, index int32) Capture {
		return p.capture(t, "x", codec.Write{Value: codec.Value{Type: codec.Boolean}, ClientToken: token, WriteIndex: index})
	}
	res, err := Learn(codec.DefaultLayout(), []Capture{write(0, 0)})
	require.NoError(t, err)
	for _, x := range res.Open {
		if x.Member == codec.MemberNormalTail {
			assert.Len(t, x.Candidates, 6, "the discriminator is first; the others stand in any order")
			assert.Contains(t, x.Why, "6 orders are left")
		}
	}
	res, err = Learn(codec.DefaultLayout(), []Capture{write(0, 0), write(5, 5), write(5, 0)})
	require.NoError(t, err)
	for _, x := range res.Learned {
		if x.Member == codec.MemberNormalTail {
			assert.Equal(t, []int{2}, x.Captures)
		}
	}
}

// Of a capture that is not known to be timestamped or not, the reading with more fixed bytes is chosen; both orders stay open.
func TestLearnUnknownForm(t *testing.T) {
	l := codec.DefaultLayout()
	l.NormalTail = codec.TailOrder{codec.ClientToken, codec.FileTimeSlot, codec.Discriminator, codec.WriteIndex}
	require.NoError(t, l.Validate())
	c := plant{l}.capture(t, "a", codec.Write{Value: codec.Value{Type: codec.Int32, Bits: 5}, ClientToken: 7, WriteIndex: 1})
	c.Timestamped = nil
	res, err := Learn(codec.DefaultLayout(), []Capture{c})
	require.NoError(t, err)
	assert.Equal(t, l.NormalTail, res.Layout.NormalTail)
	assert.Equal(t, codec.DefaultLayout().TimestampedTail, res.Layout.TimestampedTail)
	for _, x := range res.Learned {
		assert.NotEqual(t, codec.MemberNormalTail, x.Member)
	}
}

// A kind that is still open gives way when its number turns out to be another's.
func TestLearnOpenKindGivesWay(t *testing.T) {
	l := codec.DefaultLayout()
	l.Kinds[codec.KindInt32], l.Kinds[codec.KindString] = 0x05, 0x02
	require.NoError(t, l.Validate())
	res, err := Learn(codec.DefaultLayout(), []Capture{plant{l}.capture(t, "a", codec.Write{Value: codec.Value{Type: codec.Int32}})})
	require.NoError(t, err)
	assert.Equal(t, uint8(5), res.Layout.Kinds[codec.KindInt32])
	assert.Equal(t, codec.Configured, res.Layout.Standing[codec.MemberKind0+codec.Member(codec.KindString)])
	require.NoError(t, res.Layout.Validate())
}

func TestContradictions(t *testing.T) {
	p := plant{codec.DefaultLayout()}
	other := codec.DefaultLayout()
	other.Command, other.Version = 0x38, 2
	other.Kinds[codec.KindInt32] = 0x12
	other.BooleanElementTrue = 0x0001
	other.ArrayReservedWidth, other.ArrayElementWidthWidth = 6, 2
	other.NormalTail = codec.TailOrder{codec.Discriminator, codec.FileTimeSlot, codec.WriteIndex, codec.ClientToken}
	require.NoError(t, other.Validate())
	tweak := func(change func(*codec.Layout)) plant {
		l := codec.DefaultLayout()
		change(l)
		require.NoError(t, l.Validate())
		return plant{l}
	}
	i32 := func(n uint64) codec.Write {
		return codec.Write{Value: codec.Value{Type: codec.Int32, Bits: n}, ClientToken: 7, WriteIndex: 1}
	}
	good := p.capture(t, "good", i32(1))
	for _, c := range []struct {
		name     string
		captures []Capture
		want     []int
		member   string
		off      int
		reason   string
	}{
		{"command", []Capture{good, good, tweak(func(l *codec.Layout) { l.Command = 0x38 }).capture(t, "b", i32(1))}, []int{0, 2}, "command", 0, "0x37 in good and 0x38 in b"},
		{"version", []Capture{good, tweak(func(l *codec.Layout) { l.Version = 2 }).capture(t, "b", i32(1))}, []int{0, 1}, "version", 1, "0x0001 in good and 0x0002"},
		{"kind", []Capture{good, tweak(func(l *codec.Layout) { l.Kinds[codec.KindInt32] = 0x12 }).capture(t, "b", i32(1))}, []int{0, 1}, "kinds.Int32", 17, "0x02 in good and 0x12"},
		{"two kinds, one number", []Capture{good, tweak(func(l *codec.Layout) { l.Kinds[codec.KindInt32], l.Kinds[codec.KindFloat32] = 0x12, 0x02 }).capture(t, "b", codec.Write{Value: codec.Value{Type: codec.Float32}})},
			[]int{0, 1}, "kinds.Float32", 17, "0x02 stands for Int32 in good and for Float32 in b"},
		{"true", []Capture{p.capture(t, "a", codec.Write{Value: codec.Value{Type: codec.Boolean, Bits: 1}}),
			tweak(func(l *codec.Layout) { l.BooleanTrue = 1 }).capture(t, "b", codec.Write{Value: codec.Value{Type: codec.Boolean, Bits: 1}})}, []int{0, 1}, "booleanTrue", 18, "0xff in a and 0x01 in b"},
		{"true is false", []Capture{p.capture(t, "a", codec.Write{Value: codec.Value{Type: codec.Boolean, Bits: 1}}),
			tweak(func(l *codec.Layout) { l.BooleanTrue, l.BooleanFalse = 0, 0xff }).capture(t, "b", codec.Write{Value: codec.Value{Type: codec.Boolean}})}, []int{0, 1}, "booleanFalse", 18, "both 0xff"},
		{"array header", []Capture{good, p.capture(t, "a", codec.Write{Value: int32Array(1)}),
			tweak(func(l *codec.Layout) { l.ArrayReservedWidth, l.ArrayElementWidthWidth = 6, 2 }).capture(t, "b", codec.Write{Value: int32Array(1)})}, []int{1, 2}, "arrayHeader", 18, "b fits 6 reserved bytes"},
		{"element true", []Capture{p.capture(t, "a", codec.Write{Value: boolArray(true)}),
			tweak(func(l *codec.Layout) { l.BooleanElementTrue = 1 }).capture(t, "b", codec.Write{Value: boolArray(true)})}, []int{0, 1}, "booleanElementTrue", 18, "ffff in a and 0100 in b"},
		{"tail", []Capture{good, tweak(func(l *codec.Layout) { l.NormalTail = other.NormalTail }).capture(t, "b", i32(1))}, []int{0, 1}, "normalTail", 22, "b fits discriminator, filetime, writeIndex, clientToken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Learn(codec.DefaultLayout(), c.captures)
			require.NoError(t, err)
			require.Nil(t, res.Layout)
			require.NotEmpty(t, res.Contradictions)
			x := res.Contradictions[0]
			assert.Equal(t, c.want, x.Captures)
			assert.Equal(t, c.member, x.Member)
			assert.Equal(t, c.off, x.Offset)
			assert.Contains(t, x.Reason, c.reason)
		})
	}

	// A single capture that is not what was said of it.
	one := func(name string, change func(*Capture), off int, reason string) {
		c := p.capture(t, name, i32(1))
		change(&c)
		res, err := Learn(codec.DefaultLayout(), []Capture{good, c})
		require.NoError(t, err)
		require.Len(t, res.Contradictions, 1, name)
		assert.Equal(t, []int{1}, res.Contradictions[0].Captures, name)
		assert.Equal(t, off, res.Contradictions[0].Offset, name)
		assert.Contains(t, res.Contradictions[0].Reason, reason)
	}
	n := uint16(9)
	one("value", func(c *Capture) { c.Value.Bits = 2 }, 18, "01000000 stands there")
	one("handle", func(c *Capture) { c.Handle[3] = &n }, 9, "handle.attributeId is said to be 9")
	one("short", func(c *Capture) { c.Body = c.Body[:30] }, 30, "30 bytes")
	one("opcode", func(c *Capture) { c.Body = append([]byte{0x33}, c.Body[1:]...) }, 0, "0x33 begins another message")
	one("token", func(c *Capture) { token := uint32(99); c.ClientToken = &token }, 22, "in no order")
	one("type", func(c *Capture) { c.Value = codec.Value{Type: codec.Boolean} }, 18, "37 bytes")
	one("array", func(c *Capture) { c.Value = int32Array(1) }, 18, "no header")
}

func TestLearnNothing(t *testing.T) {
	_, err := Learn(codec.DefaultLayout(), nil)
	assert.Error(t, err)
}

// A thousand captures are learned from in no time that anybody would notice: those that show the same count once.
func TestLearnMany(t *testing.T) {
	p := plant{codectest.Layout().Example(7)}
	var all []Capture
	for len(all) < 1000 {
		all = append(all, p.everything(t)...)
	}
	res, err := Learn(codec.DefaultLayout(), all[:1000])
	require.NoError(t, err)
	require.Empty(t, res.Open)
}
