package codec

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzDecode: no panic; what is accepted encodes to itself; what is refused is refused at an offset inside the body. A change of layout
// comes with the body, so that odd widths and orders are tried too.
func FuzzDecode(f *testing.F) {
	odd := DefaultLayout()
	odd.BooleanElementWidth, odd.ArrayReservedWidth, odd.ArrayElementWidthWidth = 1, 0, 1
	odd.BooleanElementTrue, odd.BooleanElementFalse = 1, 0
	odd.TimestampedTail = TailOrder{WriteIndex, FileTimeSlot, Discriminator, ClientToken}
	if err := odd.Validate(); err != nil {
		f.Fatal(err)
	}
	layouts := [2]*Layout{std, odd}
	seeds := []string{adviseHex, suspendHex, "0000508000", "41", "33 0100 02000000" + guidHex + recordHex + "07000000" + recordHex + "ffffffff",
		"32 0100 01000000" + guidHex + guidHex + "eb030004 00000000 4000 0000000000000000 05 08000000 04000000 4100 0000"}
	for _, c := range writeCases(f) {
		seeds = append(seeds, c.body)
	}
	for _, s := range seeds {
		f.Add(unhex(f, s), false)
		f.Add(unhex(f, s), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, other bool) {
		l := layouts[0]
		if other {
			l = layouts[1]
		}
		var m Message
		if err := l.Decode(&m, body); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(body) {
				t.Fatalf("refused with %v, no offset in a body of %d", err, len(body))
			}
			return
		}
		again, err := l.AppendMessage(nil, &m)
		if err != nil || !bytes.Equal(again, body) {
			t.Fatalf("encoded again: %x, %v", again, err)
		}
	})
}
