package codec

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const baseHex = "37 0100" + projectionHex + "0000 02 78563412" + tailHex

// Every case of the write tests comes back, but for what a body does not carry.
func TestDecodeWrite(t *testing.T) {
	for _, c := range writeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			body := unhex(t, c.body)
			got, err := DecodeWrite(body)
			require.NoError(t, err)
			assert.Equal(t, c.w.Value.Type.Kind().Type(), got.Value.Type)
			assert.Equal(t, c.w.Value.Bits, got.Value.Bits)
			assert.Equal(t, c.w.Value.Count, got.Value.Count)
			if got.Value.Type == String {
				s, ok := AppendUTF8(nil, got.Value.Text)
				assert.True(t, ok)
				if !c.w.Value.UTF16 {
					assert.Equal(t, string(c.w.Value.Text), string(s))
				}
			}
			h := c.w.Handle
			h.GalaxyID, h.PlatformID, h.EngineID = 0, 0, 0
			assert.Equal(t, h, got.Handle)
			assert.Equal(t, [4]any{c.w.Timestamped, c.w.FileTime, c.w.ClientToken, c.w.WriteIndex},
				[4]any{got.Timestamped, got.FileTime, got.ClientToken, got.WriteIndex})
			again, err := std.AppendCapturedWrite(nil, &got)
			require.NoError(t, err)
			assert.Equal(t, body, again)
		})
	}
}

// Each prefix of a good body is refused, at an offset no further than its end, and so is the body with a byte more, just there.
func TestDecodeWriteTruncated(t *testing.T) {
	for _, c := range writeCases(t) {
		body := unhex(t, c.body)
		for n := range body {
			_, err := DecodeWrite(body[:n:n])
			var e *Error
			require.ErrorAs(t, err, &e, "%s cut to %d", c.name, n)
			require.LessOrEqual(t, e.Offset, n, "%s cut to %d", c.name, n)
			var m Message
			require.Error(t, std.Decode(&m, body[:n:n]), "%s cut to %d", c.name, n)
		}
		_, err := DecodeWrite(append(body[:len(body):len(body)], 0))
		requireError(t, err, ErrTrailing, "", len(body))
	}
}

func requireError(t *testing.T, err, want error, field string, off int) {
	t.Helper()
	require.ErrorIs(t, err, want)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, field, e.Field)
	assert.Equal(t, off, e.Offset)
}

func TestDecodeWriteRefuses(t *testing.T) {
	scalar := func(kind, value string) string { return "37 0100" + projectionHex + "0000" + kind + value + tailHex }
	arr := func(kind, value string) string { return "37 0100" + projectionHex + "ffff" + kind + value + tailHex }
	for _, c := range []struct {
		name, body string
		want       error
		field      string
		off        int
	}{
		{"empty", "", ErrEmpty, "", 0},
		{"other opcode", "38 0100", ErrOpcode, "command", 0},
		{"half a version", "37 01", ErrShort, "version", 1},
		{"other version", "37 0200" + projectionHex, ErrVersion, "version", 1},
		{"cut in the projection", "37 0100 0500 36d7 02", ErrShort, "primitive id", 7},
		{"no kind", "37 0100" + projectionHex + "0000", ErrShort, "kind", 17},
		{"kind ff", scalar("ff", "00"), ErrKind, "kind", 17},
		{"no value", "37 0100" + projectionHex + "0000 02", ErrShort, "value", 18},
		{"half a value", "37 0100" + projectionHex + "0000 02 7856", ErrShort, "value", 18},
		{"Boolean 01", scalar("01", "01"), ErrValue, "value", 18},
		{"outer length beyond", scalar("05", "10100000 0c000000 480065006c006c006f000000"), ErrLength, "outer length", 18},
		{"outer length of 4 GiB", scalar("05", "ffffffff fbffffff 0000"), ErrLength, "outer length", 18},
		{"outer length without terminator", scalar("05", "04000000 00000000"), ErrLength, "outer length", 18},
		{"byte length beyond", scalar("05", "10000000 0e000000 480065006c006c006f000000"), ErrLength, "byte length", 22},
		{"odd byte length", scalar("05", "07000000 03000000 4800 00"), ErrLength, "byte length", 22},
		{"no terminator", scalar("05", "06000000 02000000 4100"), ErrTerminator, "terminator", 26},
		{"array reserved", arr("42", "00000100 0000 04000000"), ErrReserved, "array reserved", 18},
		{"element width", arr("42", "00000000 0100 08000000 0000000000000000"), ErrWidth, "element width", 24},
		{"count ffff, three elements", arr("42", "00000000 ffff 04000000 010000000200000003000000"), ErrCountLeft, "element count", 22},
		{"strings, count ffff", arr("45", "00000000 ffff 00000000 02000000 0000"), ErrCountLeft, "element count", 22},
		{"element length beyond", arr("45", "00000000 0100 00000000 ff000000 0000"), ErrLength, "element byte length", 28},
		{"element length 0", arr("45", "00000000 0100 00000000 00000000 0000"), ErrLength, "element byte length", 28},
		{"element terminator", arr("45", "00000000 0100 00000000 02000000 0100"), ErrTerminator, "element terminator", 32},
		{"element neither true nor false", arr("41", "00000000 0200 02000000 ffff ff00"), ErrValue, "element", 30},
		{"discriminator 1", scalar2("0100 0000000000000000 00000000 00000000"), ErrTail, "discriminator", 22},
		{"normal with a time", scalar2("ffff 0100000000000000 00000000 00000000"), ErrTail, "filetime", 24},
		{"cut in the tail", scalar2("ffff 0000000000000000 0000"), ErrShort, "client token", 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeWrite(unhex(t, c.body))
			requireError(t, err, c.want, c.field, c.off)
		})
	}
}

// scalar2 is the base body with another tail.
func scalar2(tail string) string {
	return "37 0100" + projectionHex + "0000 02 78563412" + tail
}

// A body is named by its first byte and its length.
func TestIdentify(t *testing.T) {
	for body, want := range map[string]MessageKind{
		"37": MessageWrite, "1f": MessageAdvise, "21": MessageUnadvise, "2d": MessageSuspend, "32": MessageSubscriptionStatus, "33": MessageDataUpdate,
		"00": MessageCompletion, "41": MessageCompletion, "ef": MessageCompletion, "05": MessageCompletion,
		"0000508000": MessageOperationStatus, "0000": MessageOperationStatus, "000000000000": MessageOperationStatus,
	} {
		got, err := std.Identify(unhex(t, body))
		require.NoError(t, err, body)
		assert.Equal(t, want, got, body)
	}
	for _, body := range []string{"4100000000", "ff00", "38ff"} {
		_, err := std.Identify(unhex(t, body))
		requireError(t, err, ErrOpcode, "opcode", 0)
	}
	_, err := std.Identify(nil)
	requireError(t, err, ErrEmpty, "", 0)

	// With 0x41 as its command, a write cut to one byte is no completion code.
	l := DefaultLayout()
	l.Command = 0x41
	require.NoError(t, l.Validate())
	var m Message
	err = l.Decode(&m, []byte{0x41})
	requireError(t, err, ErrShort, "version", 1)
}

const (
	guidText   = "00112233-4455-6677-8899-aabbccddeeff"
	guidHex    = "33221100554477668899aabbccddeeff"
	adviseHex  = "1f 0100" + guidHex + "0000" + projectionHex + "0000 03000000"
	suspendHex = "2d 0100 cd2aeeeeb276064fb4585ca02df7a893 01000500010002000100 6900 0a00 4792 0000 03000000"
)

func TestItemControl(t *testing.T) {
	id, err := ParseGUID([]byte(guidText))
	require.NoError(t, err)
	h := testHandle
	h.GalaxyID, h.PlatformID, h.EngineID = 0, 0, 0
	for _, c := range []struct {
		body string
		want ItemControl
		size int
	}{
		{adviseHex, ItemControl{Opcode: OpAdvise, ItemID: id, Handle: h, Tail: 3}, AdviseSize},
		{"1f 0100" + guidHex + "0102" + projectionHex + "0000 ffffffff", ItemControl{Opcode: OpAdvise, ItemID: id, Extra: 0x0201, Handle: h, Tail: math.MaxUint32}, AdviseSize},
		{"21 0100" + guidHex + projectionHex + "0000 03000000", ItemControl{Opcode: OpUnadvise, ItemID: id, Handle: h, Tail: 3}, UnadviseSize},
	} {
		body := unhex(t, c.body)
		require.Len(t, body, c.size)
		got, err := DecodeItemControl(body)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
		again, err := AppendItemControl(nil, &got)
		require.NoError(t, err)
		assert.Equal(t, body, again)
		truncated(t, body, func(b []byte) error { _, err := DecodeItemControl(b); return err })
	}
	for name, body := range map[string]string{"opcode": "20 0100", "version": "1f 0200"} {
		_, err := DecodeItemControl(unhex(t, body))
		require.Error(t, err, name)
	}
	_, err = AppendItemControl(nil, &ItemControl{Opcode: 0x20})
	assert.ErrorIs(t, err, ErrOpcode)
}

// truncated checks that each prefix of a good body is refused inside it, and a byte more just behind it.
func truncated(t *testing.T, body []byte, decode func([]byte) error) {
	t.Helper()
	for n := range body {
		var e *Error
		require.ErrorAs(t, decode(body[:n:n]), &e, "cut to %d", n)
		require.LessOrEqual(t, e.Offset, n)
	}
	requireError(t, decode(append(body[:len(body):len(body)], 0)), ErrTrailing, "", len(body))
}

func TestGUID(t *testing.T) {
	g, err := ParseGUID([]byte("00112233-4455-6677-8899-AABBCCDDEEFF"))
	require.NoError(t, err)
	assert.Equal(t, GUID(unhex(t, guidHex)), g)
	assert.Equal(t, guidText, g.String())
	for _, s := range []string{"", "00112233445566778899aabbccddeeff", "{00112233-4455-6677-8899-aabbccddeeff}", "0011223-34455-6677-8899-aabbccddeeff",
		"00112233-4455-6677-8899-aabbccddeefg", "00112233-4455-6677-8899-aabbccddee-f"} {
		_, err := ParseGUID([]byte(s))
		assert.ErrorIs(t, err, ErrGUID, s)
	}
}

func TestSuspend(t *testing.T) {
	body := unhex(t, suspendHex)
	require.Len(t, body, SuspendSize)
	got, err := DecodeSuspend(body)
	require.NoError(t, err)
	assert.Equal(t, int16(105), got.AttributeID)
	assert.Equal(t, int16(10), got.PropertyID)
	assert.Equal(t, uint16(0x9247), got.AttributeSignature)
	assert.Equal(t, int16(0), got.AttributeIndex)
	assert.Equal(t, uint32(3), got.Tail)
	assert.Equal(t, unhex(t, "01000500010002000100"), got.Unknown[:])
	assert.Equal(t, "eeee2acd-76b2-4f06-b458-5ca02df7a893", got.ItemID.String())
	assert.Equal(t, body, AppendSuspend(nil, &got))
	truncated(t, body, func(b []byte) error { _, err := DecodeSuspend(b); return err })
}

func TestOperationStatus(t *testing.T) {
	body := unhex(t, "0000508000")
	got, err := DecodeOperationStatus(body)
	require.NoError(t, err)
	assert.Equal(t, OperationStatus{Word: 0x8050}, got)
	assert.True(t, got.Complete())
	truncated(t, body, func(b []byte) error { _, err := DecodeOperationStatus(b); return err })
	for _, other := range []string{"0000508001", "0000000000", "0000518000"} {
		got, err := DecodeOperationStatus(unhex(t, other))
		require.NoError(t, err)
		assert.False(t, got.Complete(), other)
	}
	_, err = DecodeOperationStatus(unhex(t, "0001508000"))
	requireError(t, err, ErrReserved, "reserved", 0)

	var m Message
	require.NoError(t, std.Decode(&m, []byte{0x41}))
	assert.Equal(t, uint8(0x41), m.Completion)
}

func TestPackedStatus(t *testing.T) {
	s := PackedStatus(0x040003eb)
	assert.False(t, s.OK())
	assert.Equal(t, "ConfigurationError", s.CategoryName())
	assert.Equal(t, "RequestingLmx", s.DetectedByName())
	assert.Equal(t, int16(1003), s.Detail())
	assert.Equal(t, "1003", s.DetailName())
	s = 0x83510008
	assert.True(t, s.OK())
	assert.Equal(t, "CommunicationError", s.CategoryName())
	assert.Equal(t, "RespondingAutomationObject", s.DetectedByName())
	assert.Equal(t, "invalid object id", s.DetailName())
	assert.Equal(t, uint32(0x00010000), s.Reserved())
	assert.Equal(t, "15", PackedStatus(0x0f000000).CategoryName())
	assert.Equal(t, "6", PackedStatus(0x00600000).DetectedByName())
	assert.Equal(t, "-1", PackedStatus(0xffff).DetailName())
}

func TestQuality(t *testing.T) {
	for q, want := range map[Quality]string{0xc0: "good", 0x40: "uncertain", 0: "bad", 0xd8: "good, local override", 0x80: "unknown",
		0x04: "bad, substatus 1", 0xc3: "good, constant", 0xd9: "good, local override, low limited", 0x56: "uncertain, substatus 5, high limited"} {
		assert.Equal(t, want, q.String(), "%02x", uint16(q))
	}
}

const recordHex = "00000080 c000 00803ed5deb19d01 02"

func TestDataUpdate(t *testing.T) {
	body := unhex(t, "33 0100 02000000"+guidHex+recordHex+"07000000"+recordHex+"ffffffff")
	require.Len(t, body, 61)
	s, err := DecodeSubscription(body)
	require.NoError(t, err)
	assert.Equal(t, guidText, s.OperationID.String())
	assert.Equal(t, int32(2), s.Count)
	var rec Record
	rs := s.Records()
	require.True(t, rs.Next(&rec))
	assert.Equal(t, Record{Status: 0x80000000, Quality: 0xc0, FileTime: 116444736000000000, Value: Value{Type: Int32, Bits: 7}}, rec)
	require.True(t, rs.Next(&rec))
	assert.Equal(t, uint64(0xffffffff), rec.Value.Bits)
	assert.False(t, rs.Next(&rec))
	truncated(t, body, func(b []byte) error { _, err := DecodeSubscription(b); return err })
}

func TestSubscriptionStatus(t *testing.T) {
	record := "eb030004 00000000 4000 0000000000000000 05 08000000 04000000 4100 0000"
	body := unhex(t, "32 0100 01000000"+guidHex+guidHex+record)
	s, err := DecodeSubscription(body)
	require.NoError(t, err)
	assert.Equal(t, guidText, s.ItemID.String())
	rs := s.Records()
	var rec Record
	require.True(t, rs.Next(&rec))
	assert.Equal(t, Record{Status: 0x040003eb, Quality: 0x40, Value: Value{Type: String, UTF16: true, Text: []byte{0x41, 0}}}, rec)
	truncated(t, body, func(b []byte) error { _, err := DecodeSubscription(b); return err })
}

func TestSubscriptionRefuses(t *testing.T) {
	head := func(count string) string { return "33 0100" + count + guidHex }
	for _, c := range []struct {
		name, body string
		want       error
		off, good  int
	}{
		{"count 0", head("00000000"), ErrRecords, 3, 0},
		{"count -1", head("ffffffff") + recordHex + "07000000", ErrRecords, 3, 0},
		{"count beyond", head("ffffff7f") + recordHex + "07000000", ErrShort, 42, 1},
		{"count too small", head("01000000") + recordHex + "07000000" + recordHex + "07000000", ErrTrailing, 42, 1},
		{"unknown kind", head("02000000") + recordHex + "07000000" + "00000080 c000 00803ed5deb19d01 99", ErrKind, 56, 1},
		{"version", "33 0200 01000000", ErrVersion, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := DecodeSubscription(unhex(t, c.body))
			require.ErrorIs(t, err, c.want)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.off, e.Offset)
			assert.Equal(t, c.good, s.Good(), "the records before it are still there")
			rs, n := s.Records(), 0
			for rec := (Record{}); rs.Next(&rec); {
				assert.Equal(t, uint64(7), rec.Value.Bits)
				n++
			}
			assert.Equal(t, c.good, n)
		})
	}
}

// Where the two orders put the discriminator in different places, a tail can fit both: it is normal.
func TestAmbiguousTail(t *testing.T) {
	l := DefaultLayout()
	l.TimestampedTail = TailOrder{FileTimeSlot, ClientToken, WriteIndex, Discriminator}
	require.NoError(t, l.Validate())
	w := Write{Value: Value{Type: Boolean}}
	body, err := l.EncodeWrite(&w)
	require.NoError(t, err)
	assert.True(t, l.AmbiguousTail(body[len(body)-TailSize:]))
	got, err := l.DecodeWrite(body)
	require.NoError(t, err)
	assert.False(t, got.Timestamped)
	assert.False(t, std.AmbiguousTail(body[len(body)-TailSize:]))
}

func TestErrorsAreWorded(t *testing.T) {
	_, err := DecodeWrite(unhex(t, baseHex+"00"))
	assert.Equal(t, "decode at offset 40: bytes follow the end of the message", err.Error())
	assert.True(t, errors.Is(err, ErrTrailing))
}
