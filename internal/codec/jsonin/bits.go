package jsonin

import (
	"encoding/binary"
	"strconv"

	"mxrest/internal/codec"
)

// nanForm is what a NaN looks like in a float's width.
type nanForm struct {
	digits             int
	exponent, fraction uint64
}

var (
	nan32 = nanForm{8, 0xff << 23, 1<<23 - 1}
	nan64 = nanForm{16, 0x7ff << 52, 1<<52 - 1}
)

func (f nanForm) is(bits uint64) bool { return bits&f.exponent == f.exponent && bits&f.fraction != 0 }

// BitsNode reads the member bits, which says which of the many NaNs a value is: beside a Float32 or a Float64 a string of hex digits, beside an
// array of them a list of {index, bits}. v was read by [Decoder.ValueNode]; its elements are changed in place.
func BitsNode(v *codec.Value, n Node) error {
	switch v.Type {
	case codec.Float32:
		return nan32.scalar(v, n)
	case codec.Float64:
		return nan64.scalar(v, n)
	case codec.Float32Array:
		return nan32.elements(v, n)
	case codec.Float64Array:
		return nan64.elements(v, n)
	}
	return n.Fail("bits stands beside a Float32, a Float64 or an array of them only", "")
}

func (f nanForm) scalar(v *codec.Value, n Node) error {
	bits, err := f.read(n)
	if err != nil {
		return err
	}
	if !f.is(v.Bits) {
		return n.Fail(`bits stands beside the value "NaN" only`, f.limit())
	}
	v.Bits = bits
	return nil
}

func (f nanForm) limit() string { return strconv.Itoa(f.digits) + " hex digits of a NaN" }

// read reads the hex digits of a NaN.
func (f nanForm) read(n Node) (uint64, error) {
	if n.Kind() != String {
		return 0, n.Wrong("a string of hex digits", f.limit())
	}
	text := unquote(nil, n.raw)
	bits, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != f.digits {
		return 0, n.Fail(typed(n.raw)+" is not "+strconv.Itoa(f.digits)+" hex digits", f.limit())
	}
	if !f.is(bits) {
		return 0, n.Fail(typed(n.raw)+" are not the bits of a NaN", f.limit())
	}
	return bits, nil
}

// elements reads the bits of single elements, each named once.
func (f nanForm) elements(v *codec.Value, n Node) error {
	if n.Kind() != Array {
		return n.Wrong("an array of index and bits", "")
	}
	width := f.digits / 2
	seen := map[int64]bool{}
	return n.Elements(codec.MaxElements, func(_ int, e Node) error {
		m, err := e.Members("index", "bits")
		if err != nil {
			return err
		}
		for i, name := range []string{"index", "bits"} {
			if !m[i].Present() {
				return e.Missing(name, "")
			}
		}
		if v.Count == 0 {
			return m[0].Fail(typed(m[0].raw)+" names no element: the array is empty", "")
		}
		at, err := m[0].Int(0, int64(v.Count-1))
		if err != nil {
			return err
		}
		if seen[at] {
			return m[0].Fail("element "+typed(m[0].raw)+" is named twice", "each element once")
		}
		seen[at] = true
		bits, err := f.read(m[1])
		if err != nil {
			return err
		}
		elem := v.Elems[int(at)*width:][:width]
		var have [8]byte
		copy(have[:], elem)
		if !f.is(binary.LittleEndian.Uint64(have[:])) {
			return m[0].Fail("element "+typed(m[0].raw)+` is not "NaN", so it has no bits of its own`, "")
		}
		binary.LittleEndian.PutUint64(have[:], bits)
		copy(elem, have[:])
		return nil
	})
}
