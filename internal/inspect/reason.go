package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"

	"mxrest/internal/codec"
)

// Reason words why a body could not be read, with what stands there: the field it happened in (its name, "" for none), what is wrong, what would
// have been taken ("" where no limit was broken), and the offset. err is what codec's decoding returned for the body.
func Reason(l *codec.Layout, body []byte, err error) (field, reason, limit string, off int) {
	var e *codec.Error
	if !errors.As(err, &e) {
		return "", "the body cannot be read", "", 0
	}
	field, reason, off = e.Field, e.Err.Error(), max(e.Offset, 0)
	left := body[min(off, len(body)):]
	number := func(width int) uint64 { return uintOf(left[:min(width, len(left))]) }
	switch {
	case errors.Is(err, codec.ErrTrailing):
		reason = fmt.Sprintf("%s follow the end of the message", count(len(left), "byte"))
		if len(left) == 1 {
			reason = "1 byte follows the end of the message"
		}
		limit = fmt.Sprintf("%d bytes", off)
	case errors.Is(err, codec.ErrShort):
		reason = fmt.Sprintf("the body ends inside this field, after %s of it", count(len(left), "byte"))
		limit = "at least 1 byte more"
	case errors.Is(err, codec.ErrOpcode):
		reason = fmt.Sprintf("no known message of %s begins with 0x%02x", count(len(body), "byte"), number(1))
		limit = fmt.Sprintf("0x00, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x", codec.OpAdvise, codec.OpUnadvise, codec.OpSuspend, codec.OpStatus, codec.OpDataUpdate, l.Command)
	case errors.Is(err, codec.ErrEmpty):
		limit = "at least 1 byte"
	case errors.Is(err, codec.ErrTerminator):
		limit = "00 00"
	case errors.Is(err, codec.ErrReserved):
		limit = "0"
	case errors.Is(err, codec.ErrTail):
		limit = "-1 and 8 bytes of 0, or 0 and a FILETIME"
	case errors.Is(err, codec.ErrValue) && field == "value":
		limit = fmt.Sprintf("%02x, %02x", l.BooleanFalse, l.BooleanTrue)
	case errors.Is(err, codec.ErrValue):
		limit = fmt.Sprintf("%x, %x", booleanElement(l, false), booleanElement(l, true))
	case errors.Is(err, codec.ErrVersion):
		want := uint16(1)
		if off == 1 && body[0] == l.Command {
			want = l.Version
		}
		reason, limit = fmt.Sprintf("version %d is not known", number(2)), fmt.Sprint(want)
	case errors.Is(err, codec.ErrKind):
		reason = fmt.Sprintf("0x%02x is none of the twelve value kinds", number(1))
		for k, n := range l.Kinds {
			if k > 0 {
				limit += ", "
			}
			limit += fmt.Sprintf("0x%02x %s", n, codec.Kind(k))
		}
	case errors.Is(err, codec.ErrLength):
		verb := "follow"
		if len(left) == 5 {
			verb = "follows"
		}
		reason = fmt.Sprintf("a length of %d does not fit here: %s %s it", number(4), count(max(len(left)-4, 0), "byte"), verb)
		limit = fmt.Sprintf("at most %d, even, and the two lengths 4 apart", max(len(left)-4, 0))
	case errors.Is(err, codec.ErrCountLeft):
		reason = fmt.Sprintf("the count is %d, and the bytes left cannot hold so many elements", number(2))
		limit = fmt.Sprintf("what %s hold", count(max(len(left)-2, 0), "byte"))
	case errors.Is(err, codec.ErrRecords):
		reason, limit = fmt.Sprintf("the record count is %d", int32(number(4))), "1..2147483647"
	case errors.Is(err, codec.ErrWidth):
		reason = fmt.Sprintf("the element width is %d, which is not that of the kind", number(int(l.ArrayElementWidthWidth)))
	}
	return field, reason, limit, off
}

func booleanElement(l *codec.Layout, v bool) []byte { return l.AppendBooleanElem(nil, v) }

// UnknownMessage says what a body that begins like no known message may be, and what to do in either case: when it is frames, and when it is
// a write in another layout than the one in force.
func UnknownMessage(body []byte, frames, layout string) string {
	if areFrames(body) {
		return "The bytes read as frames: " + frames + "."
	}
	return "If it is a write of a plant whose layout is another: " + layout + "."
}

// areFrames tells whether bytes are frames from the first to the last.
func areFrames(b []byte) bool {
	some := false
	for len(b) >= 4 {
		n := binary.LittleEndian.Uint32(b)
		if n == 0 || uint64(n) > uint64(len(b)-4) {
			return false
		}
		b, some = b[4+n:], true
	}
	return some && len(b) == 0
}

// count writes a number of things: 1 byte, 2 bytes.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
