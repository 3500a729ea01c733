// Package codec encodes and decodes the message bodies that MXAccess clients exchange over NMX.
//
// All integers are little-endian; text is UTF-16LE. A write body is
//
//	+---------+---------+----------------+------+-----------+--------+
//	| command | version | projection     | kind | value     | tail   |
//	| u8      | u16     | 14 bytes       | u8   | n bytes   | 18     |
//	+---------+---------+----------------+------+-----------+--------+
//	0         1         3                17     18          18+n
//
// the projection is bytes 6 to 20 of the 20-byte reference handle
//
//	+--------+----------+----------+--------+--------+---------+-----------+-----------+----------+---------+-------+
//	| galaxy | reserved | platform | engine | object | object  | primitive | attribute | property | attr.   | index |
//	| u8     | 0        | u16      | u16    | id u16 | sig u16 | i16       | id i16    | id i16   | sig u16 | i16   |
//	+--------+----------+----------+--------+--------+---------+-----------+-----------+----------+---------+-------+
//	0        1          2          4        6        8         10          12          14         16        18
//
// and the tail, in its default order,
//
//	+---------------+----------------+--------------+-------------+
//	| discriminator | 8 bytes        | client token | write index |
//	| i16: -1 or 0  | 0 or FILETIME  | u32          | i32         |
//	+---------------+----------------+--------------+-------------+
//	0               2                10             14
//
// A value is
//
//	Boolean         1 byte
//	Int32           i32         (ElapsedTime: the same, in milliseconds)
//	Float32         IEEE 754
//	Float64         IEEE 754
//	DateTime        FILETIME, i64: 100 ns since 1601-01-01T00:00:00Z
//	String          u32 outer length | u32 byte length | text | U+0000 (InternationalizedString: the same)
//	array           4 bytes 0 | u16 count | u32 element width | elements
//
// How well each of these is known differs from field to field: Standing says it, and whatever is assumed sits in one
// Layout, which a file can replace.
package codec
