package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGate(t *testing.T) {
	list := []Scenario{
		{Name: "encode Int32", Write: true},
		{Name: "encode Int32, fresh buffer", Write: true, Allocs: 1},
		{Name: "decode", Group: InCodec},
		{Name: "handler", Group: InHandler, Allocs: Ungated},
		{Name: rowBare, Group: InRequest, Allocs: Ungated},
		{Name: rowWrite, Group: InRequest, Allocs: Ungated},
	}
	good := []Row{{}, {Allocs: 1}, {}, {Allocs: 100}, {Allocs: 20, Bytes: 2000}, {Allocs: 24.001, Bytes: 2512}}
	g := judge(list, good)
	assert.True(t, g.Holds)
	assert.Empty(t, g.Failures)
	assert.NotNil(t, g.Failures, "an empty list in JSON, not null")

	for _, c := range []struct {
		name string
		at   int
		row  Row
		want string
	}{
		{"a hundredth of an allocation", 0, Row{Allocs: 0.01}, "encode Int32: 0.0100 allocs/op, 0 allowed"},
		{"the reference's gate", 0, Row{Allocs: 5}, "encode Int32: 5.0000 allocs/op, the reference allows less than 5"},
		{"two for the fresh buffer", 1, Row{Allocs: 2}, "encode Int32, fresh buffer: 2.0000 allocs/op, 1 allowed"},
		{"decoding", 2, Row{Allocs: 1}, "decode: 1.0000 allocs/op, 0 allowed"},
		{"a request", 5, Row{Allocs: 25, Bytes: 2000}, "request, POST /v1/write, Int32: 5.0000 allocs/op more than a bare handler, 4 allowed"},
		{"a request's bytes", 5, Row{Allocs: 20, Bytes: 2513}, "request, POST /v1/write, Int32: 513.0 bytes/op more than a bare handler, 512 allowed"},
	} {
		rows := append([]Row(nil), good...)
		rows[c.at] = c.row
		g := judge(list, rows)
		assert.False(t, g.Holds, c.name)
		assert.Equal(t, []string{c.want}, g.Failures, c.name)
	}
}

// The counts are those of the loop and of nothing else.
func TestCount(t *testing.T) {
	for _, objects := range []int{0, 1, 3} {
		var keep [3]*[64]byte
		loop := func(n int) error {
			for range n {
				for i := range objects {
					keep[i] = new([64]byte)
				}
			}
			clear(keep[:])
			return nil
		}
		f, err := countLeast(loop)
		assert.NoError(t, err)
		assert.InDelta(t, float64(objects), f.Allocs, 0.05, "other goroutines of the test may allocate a little")
		assert.InDelta(t, float64(64*objects), f.Bytes, 20)
		assert.InDelta(t, float64(objects), f.Frees, 0.05)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", 48: "48", 26.0001: "26", 1060.01: "1060.01", 0.5: "0.5", 100: "100", 0.0002: "0"} {
		assert.Equal(t, want, number(x))
	}
}
