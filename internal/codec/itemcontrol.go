package codec

import "mxrest/internal/codec/wire"

// Sizes of the item control bodies (confirmed).
const (
	AdviseSize   = 39
	UnadviseSize = 37
	// DefaultItemControlTail is the tail that captured bodies carry.
	DefaultItemControlTail = 3
	// messageVersion is the version of every message but the write, whose version is the layout's.
	messageVersion = 1
)

// ItemControl is an advise-supervisory or an unadvise (all confirmed).
//
//	+--------+---------+----------+--------------+------------+------+
//	| opcode | version | item id  | extra        | projection | tail |
//	| u8     | u16     | GUID, 16 | u16, advise  | 14 bytes   | u32  |
//	+--------+---------+----------+--------------+------------+------+
//	0        1         3          19             21 or 19     35 or 33
type ItemControl struct {
	Opcode uint8 // OpAdvise or OpUnadvise
	ItemID GUID
	Extra  uint16 // advise only; 0 in an unadvise
	Handle Handle
	Tail   uint32
}

// AppendItemControl appends c's body: 39 bytes for an advise, 37 for an unadvise. It fails with ErrOpcode for another opcode.
func AppendItemControl(dst []byte, c *ItemControl) ([]byte, error) {
	if c.Opcode != OpAdvise && c.Opcode != OpUnadvise {
		return dst, fail("encode", "opcode", -1, ErrOpcode)
	}
	// opcode
	dst = append(dst, c.Opcode)
	// version
	dst = wire.AppendU16(dst, messageVersion)
	// item correlation id
	dst = append(dst, c.ItemID[:]...)
	// extra
	if c.Opcode == OpAdvise {
		dst = wire.AppendU16(dst, c.Extra)
	}
	// handle projection
	dst = AppendProjection(dst, &c.Handle)
	// tail
	return wire.AppendU32(dst, c.Tail), nil
}

// DecodeItemControl reads an advise or an unadvise. It fails with ErrEmpty, ErrOpcode, ErrVersion, ErrShort or ErrTrailing.
func DecodeItemControl(src []byte) (c ItemControl, err error) {
	r := wire.NewReader(src)
	// opcode
	c.Opcode = r.U8()
	switch {
	case len(src) == 0:
		return c, fail("decode", "", 0, ErrEmpty)
	case c.Opcode != OpAdvise && c.Opcode != OpUnadvise:
		return c, fail("decode", "opcode", 0, ErrOpcode)
	}
	// version
	if err = readVersion(&r); err != nil {
		return c, err
	}
	// item correlation id
	if err = readGUID(&r, &c.ItemID, "item correlation id"); err != nil {
		return c, err
	}
	// extra
	if c.Opcode == OpAdvise {
		if c.Extra = r.U16(); r.Short() {
			return c, fail("decode", "extra", r.Off(), ErrShort)
		}
	}
	// handle projection
	if c.Handle = ReadProjection(&r); r.Short() {
		return c, shortProjection(&r)
	}
	// tail
	if c.Tail = r.U32(); r.Short() {
		return c, fail("decode", "tail", r.Off(), ErrShort)
	}
	return c, atEnd(&r)
}

// readVersion reads the u16 after the opcode, which is 1 in all messages.
func readVersion(r *wire.Reader) error {
	off := r.Off()
	if v := r.U16(); r.Short() {
		return fail("decode", "version", off, ErrShort)
	} else if v != messageVersion {
		return fail("decode", "version", off, ErrVersion)
	}
	return nil
}

// readGUID reads a GUID, named field in the error.
func readGUID(r *wire.Reader, g *GUID, field string) error {
	off := r.Off()
	b := r.Bytes(len(g))
	if b == nil {
		return fail("decode", field, off, ErrShort)
	}
	copy(g[:], b)
	return nil
}

// atEnd refuses bytes after the message.
func atEnd(r *wire.Reader) error {
	if r.Left() != 0 {
		return fail("decode", "", r.Off(), ErrTrailing)
	}
	return nil
}
