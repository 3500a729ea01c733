package codec

import (
	"strconv"

	"mxrest/internal/codec/wire"
)

// OperationStatusSize is the length of an operation status in bytes (confirmed).
const OperationStatusSize = 5

// WriteComplete is the status word of a write that is complete, when the completion is 0 (confirmed).
const WriteComplete = 0x8050

// OperationStatus answers an operation (confirmed): two bytes of 0, a status word u16, a completion u8.
type OperationStatus struct {
	Word       uint16
	Completion uint8
}

// Complete tells whether s says that a write is complete; no other status has a proven meaning.
func (s OperationStatus) Complete() bool { return s.Word == WriteComplete && s.Completion == 0 }

// DecodeOperationStatus reads exactly five bytes. It fails with ErrEmpty, ErrOpcode, ErrReserved, ErrShort or ErrTrailing.
func DecodeOperationStatus(src []byte) (s OperationStatus, err error) {
	r := wire.NewReader(src)
	// reserved
	b := r.Bytes(2)
	switch {
	case len(src) == 0:
		return s, fail("decode", "", 0, ErrEmpty)
	case src[0] != 0:
		return s, fail("decode", "reserved", 0, ErrOpcode)
	case b == nil:
		return s, fail("decode", "reserved", 0, ErrShort)
	case b[1] != 0:
		return s, fail("decode", "reserved", 0, ErrReserved)
	}
	// status word
	if s.Word = r.U16(); r.Short() {
		return s, fail("decode", "status word", r.Off(), ErrShort)
	}
	// completion
	if s.Completion = r.U8(); r.Short() {
		return s, fail("decode", "completion", r.Off(), ErrShort)
	}
	return s, atEnd(&r)
}

// AppendOperationStatus appends s's five bytes.
func AppendOperationStatus(dst []byte, s *OperationStatus) []byte {
	return append(dst,
		// reserved
		0, 0,
		// status word
		byte(s.Word), byte(s.Word>>8),
		// completion
		s.Completion)
}

// PackedStatus is the status of a subscription record (confirmed): bit 31 success; bits 27 to 24 category; 23 to 20 detected by; 15 to 0
// detail, an i16; the others reserved.
type PackedStatus uint32

// OK is bit 31.
func (s PackedStatus) OK() bool { return s>>31 != 0 }

// Category is bits 27 to 24.
func (s PackedStatus) Category() uint8 { return uint8(s>>24) & 15 }

// DetectedBy is bits 23 to 20.
func (s PackedStatus) DetectedBy() uint8 { return uint8(s>>20) & 15 }

// Detail is bits 15 to 0.
func (s PackedStatus) Detail() int16 { return int16(s) }

// Reserved are the bits that have no meaning: 30 to 28 and 19 to 16.
func (s PackedStatus) Reserved() uint32 { return uint32(s) & 0x700f0000 }

var (
	categories = [...]string{"Ok", "Pending", "Warning", "CommunicationError", "ConfigurationError", "OperationalError",
		"SecurityError", "SoftwareError", "OtherError"}
	detectors = [...]string{"RequestingLmx", "RespondingLmx", "RequestingNmx", "RespondingNmx",
		"RequestingAutomationObject", "RespondingAutomationObject"}
	details = [...]string{"success", "request timed out", "platform communication error", "invalid platform id", "invalid engine id",
		"engine communication error", "invalid reference", "no galaxy repository", "invalid object id"}
)

// CategoryName is the category in words, a number where none is known.
func (s PackedStatus) CategoryName() string { return nameOrNumber(categories[:], int(s.Category())) }

// DetectedByName says who detected it in words, a number where none is known.
func (s PackedStatus) DetectedByName() string { return nameOrNumber(detectors[:], int(s.DetectedBy())) }

// DetailName is the detail in words, a number where none is known.
func (s PackedStatus) DetailName() string { return nameOrNumber(details[:], int(s.Detail())) }

func nameOrNumber(names []string, n int) string {
	if n >= 0 && n < len(names) {
		return names[n]
	}
	return strconv.Itoa(n)
}

// Quality is the quality of a subscription record; its low byte is OPC DA's QQSSSSLL (confirmed).
type Quality uint16

// Major is the upper two of the low byte's bits in words: good, uncertain or bad; "unknown" for the fourth value, which OPC DA leaves out.
func (q Quality) Major() string { return [...]string{"bad", "uncertain", "unknown", "good"}[q>>6&3] }

// Substatus is bits 5 to 2.
func (q Quality) Substatus() uint8 { return uint8(q>>2) & 15 }

// Limit is bits 1 to 0: 0 not limited, 1 low, 2 high, 3 constant.
func (q Quality) Limit() uint8 { return uint8(q) & 3 }

// String is the quality in words, such as "good, local override".
func (q Quality) String() string {
	s := q.Major()
	switch {
	case q&0xfc == 0xd8:
		s += ", local override"
	case q.Substatus() != 0:
		s += ", substatus " + strconv.Itoa(int(q.Substatus()))
	}
	switch q.Limit() {
	case 1:
		s += ", low limited"
	case 2:
		s += ", high limited"
	case 3:
		s += ", constant"
	}
	return s
}
