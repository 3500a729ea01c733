package codec

import (
	"errors"
	"strconv"
)

// The kinds of failure, for errors.Is. Each reaches the caller wrapped in an *Error that says where.
var (
	ErrShort       = errors.New("the body ends inside this field")
	ErrTrailing    = errors.New("bytes follow the end of the message")
	ErrEmpty       = errors.New("the body is empty")
	ErrOpcode      = errors.New("no known message begins with this byte")
	ErrVersion     = errors.New("the version is not the one known")
	ErrKind        = errors.New("the value kind is not one of the twelve known")
	ErrType        = errors.New("the type is not one of the fourteen known")
	ErrCount       = errors.New("an array holds at most 65535 elements")
	ErrLength      = errors.New("a length does not fit the bytes it covers")
	ErrTooLong     = errors.New("the text is longer than a u32 length can say")
	ErrText        = errors.New("the text is not valid UTF-8")
	ErrName        = errors.New("a name has at least one character")
	ErrIndex       = errors.New("a whole array has attribute index -1, a scalar 0 or an element's index")
	ErrReserved    = errors.New("a reserved byte is not 0")
	ErrTail        = errors.New("the tail's discriminator is neither -1 nor 0, or the bytes that must be 0 are not")
	ErrValue       = errors.New("these bytes are not a value of this kind")
	ErrTime        = errors.New("the time is before 1601-01-01T00:00:00Z or after 9999-12-31T23:59:59.9999999Z")
	ErrTimeForm    = errors.New("not an RFC 3339 time with Z or an offset")
	ErrDestination = errors.New("the destination is smaller than the message")
	ErrNotFound    = errors.New("the stated value does not stand in the body")
)

// Error says what failed, in which field, and at which byte of the body.
type Error struct {
	Op     string // "encode", "decode", "layout", …
	Field  string // the field's name, in the words of the wire format
	Offset int    // bytes from the start of the body; -1 where there is no body yet
	Err    error  // one of the sentinels, or a wrapped cause
}

// Error is one line: operation, field, offset, reason.
func (e *Error) Error() string {
	s := e.Op
	if e.Field != "" {
		s += " " + e.Field
	}
	if e.Offset >= 0 {
		s += " at offset " + strconv.Itoa(e.Offset)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap gives the sentinel to errors.Is.
func (e *Error) Unwrap() error { return e.Err }

// fail builds the error out of line, so that the checks that call it stay small enough to inline.
//
//go:noinline
func fail(op, field string, off int, err error) error {
	return &Error{Op: op, Field: field, Offset: off, Err: err}
}
