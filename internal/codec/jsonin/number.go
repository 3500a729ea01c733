package jsonin

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// digits reads the decimal digits that stand at i, eight at a step: their value, modulo 2^64, and where they end.
func digits(b []byte, i int) (v uint64, end int) {
	for i+8 <= len(b) {
		d := binary.LittleEndian.Uint64(b[i:]) ^ ones*'0'
		// The high bit of each byte that is no digit. A carry may mark bytes after the first true one, never before it.
		if stop := (d + ones*(0x80-10) | d) & highs; stop != 0 {
			n := bits.TrailingZeros64(stop) &^ 7
			d = eightDigits(d << (64 - n))
			if v != 0 {
				d += v * powers10[n/8]
			}
			return d, i + n/8
		}
		v = v*1e8 + eightDigits(d)
		i += 8
	}
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		v = v*10 + uint64(b[i]-'0')
	}
	return v, i
}

var powers10 = [8]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// eightDigits is the number whose digits are the bytes of d, the lowest byte first: neighbours become numbers of two digits, of four, of eight.
func eightDigits(d uint64) uint64 {
	d = d*10 + d>>8
	const pairs = 0x000000ff000000ff
	return uint64(uint32(((d&pairs)*(100+1e6<<32) + (d>>16&pairs)*(1+1e4<<32)) >> 32))
}

// integer reads an integer from lo to hi: digits with an optional minus sign, no fraction, no exponent, no leading zeros.
func (f *fast) integer(lo, hi int64) (int64, bool) {
	b, start := f.b, f.i
	negative := start < len(b) && b[start] == '-'
	if negative {
		start++
	}
	u, i := digits(b, start)
	// Eighteen digits fit an int64, and no bound needs more than ten.
	n := i - start
	if n == 0 || n > 18 || (b[start] == '0' && n > 1) {
		return 0, false
	}
	if i < len(b) {
		if c := b[i]; c == '.' || c|0x20 == 'e' {
			return 0, false
		}
	}
	v := int64(u)
	if negative {
		v = -v
	}
	f.i = i
	return v, v >= lo && v <= hi
}

// maxFloatText is the longest number that the fast path hands to strconv: a string that short stays on the stack.
const maxFloatText = 32

// float reads a JSON number, or the name of one that JSON cannot say, as the bits of a Float64 (wide) or a Float32.
func (f *fast) float(wide bool) (uint64, bool) {
	b, i := f.b, f.i
	if i < len(b) && b[i] == '"' {
		name, ok := f.text()
		if !ok {
			return 0, false
		}
		return nonFinite(name, wide)
	}
	// The grammar of a number, with its digits gathered into mantissa * 10^exp10 on the way.
	start := i
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	var mantissa uint64
	digits := 0
	whole := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		digits++
	}
	if i == whole || (b[whole] == '0' && i-whole > 1) {
		return 0, false
	}
	exp10 := 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			digits++
		}
		if i == point {
			return 0, false
		}
		exp10 = point - i
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		minus := false
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			minus = b[i] == '-'
			i++
		}
		e, first := 0, i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			e = min(e*10+int(b[i]-'0'), 10_000) // far beyond any float
		}
		if i == first {
			return 0, false
		}
		if minus {
			e = -e
		}
		exp10 += e
	}
	f.i = i
	if digits <= 19 { // mantissa did not overflow
		if v, ok := exact(mantissa, exp10, negative, wide); ok {
			return v, true
		}
	}
	if i-start > maxFloatText {
		return 0, false
	}
	if wide {
		v, err := strconv.ParseFloat(string(b[start:i]), 64)
		return math.Float64bits(v), err == nil
	}
	v, err := strconv.ParseFloat(string(b[start:i]), 32)
	narrow := math.Float32bits(float32(v))
	return uint64(narrow), err == nil && belowFloat32Infinity(b[start:i], narrow)
}

// exact is mantissa * 10^exp10 where one rounding gives the right answer: both factors are exact in the float's own width, so that
// their product or quotient is rounded once. Most numbers that people write are such.
func exact(mantissa uint64, exp10 int, negative, wide bool) (uint64, bool) {
	if wide {
		if mantissa > 1<<53 || exp10 < -22 || exp10 > 22 {
			return 0, false
		}
		v := float64(mantissa)
		if exp10 < 0 {
			v /= powers64[-exp10]
		} else {
			v *= powers64[exp10]
		}
		if negative {
			v = -v
		}
		return math.Float64bits(v), true
	}
	if mantissa > 1<<24 || exp10 < -10 || exp10 > 10 {
		return 0, false
	}
	v := float32(mantissa)
	if exp10 < 0 {
		v /= powers32[-exp10]
	} else {
		v *= powers32[exp10]
	}
	if negative {
		v = -v
	}
	return uint64(math.Float32bits(v)), true
}

// The powers of ten that are exact: 5^22 < 2^53, 5^10 < 2^24.
var (
	powers64 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	powers32 = [...]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}
)
