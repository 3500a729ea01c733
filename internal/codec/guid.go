package codec

import "encoding/hex"

// GUID is a correlation id as it stands in a body, in .NET's byte order: the first three groups little-endian, the last eight
// bytes as written (confirmed).
type GUID [16]byte

// guidOrder gives, for each byte of the text form, its place in the body.
var guidOrder = [16]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// String is the usual text form, 00112233-4455-6677-8899-aabbccddeeff.
func (g GUID) String() string {
	var b [36]byte
	return string(g.AppendText(b[:0]))
}

// AppendText appends the text form to dst.
func (g GUID) AppendText(dst []byte) []byte {
	const digits = "0123456789abcdef"
	for i, at := range guidOrder {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, digits[g[at]>>4], digits[g[at]&15])
	}
	return dst
}

// ParseGUID reads the text form: 32 hex digits in groups of 8, 4, 4, 4 and 12 with hyphens between, nothing around them. It
// fails with ErrGUID.
func ParseGUID(s []byte) (g GUID, err error) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return GUID{}, ErrGUID
	}
	n := 0
	for i, at := range guidOrder {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			n++ // the hyphen
		}
		if _, err := hex.Decode(g[at:at+1], s[n:n+2]); err != nil {
			return GUID{}, ErrGUID
		}
		n += 2
	}
	return g, nil
}
