package codec

import "mxrest/internal/codec/wire"

// Subscription is a subscription status (0x32) or a data update (0x33). All but the value's bytes is confirmed; that a data update's
// record has the first status word is derived.
//
//	+--------+---------+---------+--------------+-------------------+---------+
//	| opcode | version | records | operation id | item id           | records |
//	| u8     | u16     | i32     | GUID, 16     | GUID, 0x32 only   | …       |
//	+--------+---------+---------+--------------+-------------------+---------+
//	0        1         3         7              23                  23 or 39
//
// and a record is
//
//	+--------+---------------+---------+----------+------+-------+
//	| status | detail status | quality | FILETIME | kind | value |
//	| i32    | i32, 0x32     | u16     | i64      | u8   | n     |
//	+--------+---------------+---------+----------+------+-------+
type Subscription struct {
	Opcode      uint8 // OpStatus or OpDataUpdate
	OperationID GUID
	ItemID      GUID  // 0x32 only
	Count       int32 // how many records the body states

	good    int    // how many were read: Count, unless decoding failed
	records []byte // those, as they stand in the body
	layout  *Layout
}

// Record is one item of a subscription message.
type Record struct {
	Status   PackedStatus
	Detail   PackedStatus // 0x32 only
	Quality  Quality
	FileTime int64
	Value    Value
}

// DecodeSubscription reads a body in the default layout; see Layout.DecodeSubscription.
func DecodeSubscription(src []byte) (Subscription, error) { return std.DecodeSubscription(src) }

// DecodeSubscription reads a subscription status or a data update, and checks every record; Records then walks them without
// allocating. It aliases src. It fails with ErrEmpty, ErrOpcode, ErrVersion, ErrShort, ErrRecords, ErrKind, ErrTrailing or what a
// value can fail with; the records before the failure can still be walked.
func (l *Layout) DecodeSubscription(src []byte) (s Subscription, err error) {
	s.layout = l
	r := wire.NewReader(src)
	// opcode
	s.Opcode = r.U8()
	switch {
	case len(src) == 0:
		return s, fail("decode", "", 0, ErrEmpty)
	case s.Opcode != OpStatus && s.Opcode != OpDataUpdate:
		return s, fail("decode", "opcode", 0, ErrOpcode)
	}
	// version
	if err = readVersion(&r); err != nil {
		return s, err
	}
	// record count
	off := r.Off()
	if s.Count = int32(r.U32()); r.Short() {
		return s, fail("decode", "record count", off, ErrShort)
	}
	if s.Count <= 0 {
		return s, fail("decode", "record count", off, ErrRecords)
	}
	// operation id
	if err = readGUID(&r, &s.OperationID, "operation id"); err != nil {
		return s, err
	}
	// item correlation id
	if s.Opcode == OpStatus {
		if err = readGUID(&r, &s.ItemID, "item correlation id"); err != nil {
			return s, err
		}
	}
	// records: nothing is sized by the count, so a false one ends where the bytes do, with the records before it.
	start := r.Off()
	for s.good < int(s.Count) {
		var rec Record
		if err = l.readRecord(&r, s.Opcode, &rec); err != nil {
			return s, err
		}
		s.good++
		s.records = src[start:r.Off():r.Off()]
	}
	return s, atEnd(&r)
}

// readRecord reads one record.
func (l *Layout) readRecord(r *wire.Reader, opcode uint8, rec *Record) (err error) {
	// status
	if rec.Status = PackedStatus(r.U32()); r.Short() {
		return fail("decode", "status", r.Off(), ErrShort)
	}
	// detail status
	if opcode == OpStatus {
		if rec.Detail = PackedStatus(r.U32()); r.Short() {
			return fail("decode", "detail status", r.Off(), ErrShort)
		}
	}
	// quality
	if rec.Quality = Quality(r.U16()); r.Short() {
		return fail("decode", "quality", r.Off(), ErrShort)
	}
	// FILETIME
	if rec.FileTime = int64(r.U64()); r.Short() {
		return fail("decode", "filetime", r.Off(), ErrShort)
	}
	// kind
	off := r.Off()
	b := r.U8()
	if r.Short() {
		return fail("decode", "kind", off, ErrShort)
	}
	kind, ok := l.KindOf(b)
	if !ok {
		return fail("decode", "kind", off, ErrKind)
	}
	// value
	rec.Value, err = l.readValue(r, kind)
	return err
}

// Records is a walk over the records that were read.
type Records struct {
	r      wire.Reader
	left   int
	opcode uint8
	layout *Layout
}

// Records begins a walk.
func (s *Subscription) Records() Records {
	return Records{r: wire.NewReader(s.records), left: s.good, opcode: s.Opcode, layout: s.layout}
}

// Next reads the next record into rec, which aliases the body; false after the last.
func (rs *Records) Next(rec *Record) bool {
	if rs.left == 0 {
		return false
	}
	rs.left--
	*rec = Record{}
	return rs.layout.readRecord(&rs.r, rs.opcode, rec) == nil
}

// Good is how many records were read: Count, unless decoding failed.
func (s *Subscription) Good() int { return s.good }

// NewSubscription makes a message of records, for AppendSubscription; it copies them. Count follows from them.
func (l *Layout) NewSubscription(opcode uint8, operation, item GUID, records []Record) (Subscription, error) {
	s := Subscription{Opcode: opcode, OperationID: operation, ItemID: item, Count: int32(len(records)), good: len(records), layout: l}
	for i := range records {
		var err error
		if s.records, err = l.AppendRecord(s.records, opcode, &records[i]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// AppendSubscription appends s's body, each record encoded anew. It fails with ErrOpcode or what a value can fail with.
func (l *Layout) AppendSubscription(dst []byte, s *Subscription) ([]byte, error) {
	start := len(dst)
	if s.Opcode != OpStatus && s.Opcode != OpDataUpdate {
		return dst, fail("encode", "opcode", -1, ErrOpcode)
	}
	// opcode
	dst = append(dst, s.Opcode)
	// version
	dst = wire.AppendU16(dst, messageVersion)
	// record count
	dst = wire.AppendU32(dst, uint32(s.Count))
	// operation id
	dst = append(dst, s.OperationID[:]...)
	// item correlation id
	if s.Opcode == OpStatus {
		dst = append(dst, s.ItemID[:]...)
	}
	// records
	rs := s.Records()
	for rec := (Record{}); rs.Next(&rec); {
		var err error
		if dst, err = l.AppendRecord(dst, s.Opcode, &rec); err != nil {
			return dst[:start], err
		}
	}
	return dst, nil
}

// AppendRecord appends one record as it stands in a message of that opcode.
func (l *Layout) AppendRecord(dst []byte, opcode uint8, rec *Record) ([]byte, error) {
	start := len(dst)
	if !rec.Value.Type.Valid() {
		return dst, fail("encode", "type", -1, ErrType)
	}
	// status
	dst = wire.AppendU32(dst, uint32(rec.Status))
	// detail status
	if opcode == OpStatus {
		dst = wire.AppendU32(dst, uint32(rec.Detail))
	}
	// quality
	dst = wire.AppendU16(dst, uint16(rec.Quality))
	// FILETIME
	dst = wire.AppendU64(dst, uint64(rec.FileTime))
	// kind
	dst = append(dst, l.Kinds[rec.Value.Type.Kind()])
	// value
	out, err := l.AppendValue(dst, &rec.Value)
	if err != nil {
		return dst[:start], err
	}
	return out, nil
}
