package codec

import (
	"encoding/binary"

	"mxrest/internal/codec/wire"
)

// SuspendSize is the length of the one suspend body that was captured.
const SuspendSize = 41

// Suspend is a suspend body as one capture shows it. It is decoded only: ten of its bytes have no known meaning.
//
//	+--------+---------+----------+----------+-----------+----------+-----------+-------+------+
//	| opcode | version | item id  | unknown  | attribute | property | attribute | index | tail |
//	| 0x2d   | u16     | GUID, 16 | 10 bytes | id i16    | id i16   | sig u16   | i16   | u32  |
//	+--------+---------+----------+----------+-----------+----------+-----------+-------+------+
//	0        1         3          19         29          31         33          35      37
type Suspend struct {
	ItemID             GUID
	Unknown            [10]byte
	AttributeID        int16
	PropertyID         int16
	AttributeSignature uint16
	AttributeIndex     int16
	Tail               uint32
}

// DecodeSuspend reads a suspend body of exactly 41 bytes. It fails with ErrEmpty, ErrOpcode, ErrVersion, ErrShort or ErrTrailing.
func DecodeSuspend(src []byte) (s Suspend, err error) {
	r := wire.NewReader(src)
	// opcode
	if op := r.U8(); len(src) == 0 {
		return s, fail("decode", "", 0, ErrEmpty)
	} else if op != OpSuspend {
		return s, fail("decode", "opcode", 0, ErrOpcode)
	}
	// version
	if err = readVersion(&r); err != nil {
		return s, err
	}
	// item correlation id
	if err = readGUID(&r, &s.ItemID, "item correlation id"); err != nil {
		return s, err
	}
	// unknown
	b := r.Bytes(len(s.Unknown))
	if b == nil {
		return s, fail("decode", "unknown", r.Off(), ErrShort)
	}
	copy(s.Unknown[:], b)
	// attribute id, property id, attribute signature, attribute index
	b = r.Bytes(8)
	if b == nil {
		i := r.Left() / 2
		return s, fail("decode", [...]string{"attribute id", "property id", "attribute signature", "attribute index"}[i], r.Off()+2*i, ErrShort)
	}
	s.AttributeID = int16(binary.LittleEndian.Uint16(b))
	s.PropertyID = int16(binary.LittleEndian.Uint16(b[2:]))
	s.AttributeSignature = binary.LittleEndian.Uint16(b[4:])
	s.AttributeIndex = int16(binary.LittleEndian.Uint16(b[6:]))
	// tail
	if s.Tail = r.U32(); r.Short() {
		return s, fail("decode", "tail", r.Off(), ErrShort)
	}
	return s, atEnd(&r)
}

// AppendSuspend appends s's body. It serves to show that decoding loses nothing; no operation makes suspends.
func AppendSuspend(dst []byte, s *Suspend) []byte {
	// opcode
	dst = append(dst, OpSuspend)
	// version
	dst = wire.AppendU16(dst, messageVersion)
	// item correlation id
	dst = append(dst, s.ItemID[:]...)
	// unknown
	dst = append(dst, s.Unknown[:]...)
	// attribute id, property id, attribute signature, attribute index
	dst = wire.AppendU16(dst, uint16(s.AttributeID))
	dst = wire.AppendU16(dst, uint16(s.PropertyID))
	dst = wire.AppendU16(dst, s.AttributeSignature)
	dst = wire.AppendU16(dst, uint16(s.AttributeIndex))
	// tail
	return wire.AppendU32(dst, s.Tail)
}
