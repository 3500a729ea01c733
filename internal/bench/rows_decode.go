package bench

import (
	"errors"
	"fmt"

	"mxrest/internal/codec"
)

// must is for bodies made from constants, which cannot fail.
func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// subscription is a message of one Int32 record.
func subscription(opcode uint8) []byte {
	l := codec.DefaultLayout()
	s, err := l.NewSubscription(opcode, codec.GUID{1}, codec.GUID{2}, []codec.Record{{
		Status: 1 << 31, Quality: 0xc0, FileTime: fileTime, Value: codec.Value{Type: codec.Int32, Bits: 305419896},
	}})
	if err != nil {
		panic(err)
	}
	return must(l.AppendSubscription(nil, &s))
}

func dataUpdate() []byte { return subscription(codec.OpDataUpdate) }

var errRecord = errors.New("the record was not read")

// decodeSubscription decodes a body and walks its records.
func decodeSubscription(src []byte) func(n int) error {
	return func(n int) error {
		for range n {
			s, err := codec.DecodeSubscription(src)
			if err != nil {
				return err
			}
			var rec codec.Record
			for records := s.Records(); records.Next(&rec); {
			}
			if rec.Value.Bits != 305419896 {
				return errRecord
			}
		}
		return nil
	}
}

func decodeHandle() func(n int) error {
	src := codec.AppendHandle(nil, &handle)
	return func(n int) error {
		for range n {
			if _, err := codec.DecodeHandle(src); err != nil {
				return err
			}
		}
		return nil
	}
}

func decodeWrite(w codec.Write) func(n int) error {
	src := must(codec.AppendWrite(nil, &w))
	return func(n int) error {
		for range n {
			if _, err := codec.DecodeWrite(src); err != nil {
				return err
			}
		}
		return nil
	}
}

func decodeItemControl() func(n int) error {
	src := must(codec.AppendItemControl(nil, &codec.ItemControl{Opcode: codec.OpAdvise, ItemID: codec.GUID{1}, Handle: handle, Tail: 3}))
	return func(n int) error {
		for range n {
			if _, err := codec.DecodeItemControl(src); err != nil {
				return err
			}
		}
		return nil
	}
}

func decodeStatus() func(n int) error {
	src := []byte{0, 0, 0x50, 0x80, 0}
	return func(n int) error {
		for range n {
			if _, err := codec.DecodeOperationStatus(src); err != nil {
				return err
			}
		}
		return nil
	}
}

// decodeRows are the other messages, and writes read back.
func decodeRows() []Scenario {
	ints, _ := ArrayWrite(codec.Int32Array, elements)
	const aliases = "a body checked to its end; text and elements alias it"
	return []Scenario{
		{Name: "decode write, Int32", Includes: aliases, Loop: decodeWrite(int32Write)},
		{Name: "decode write, String, 120 letters", Includes: aliases, Loop: decodeWrite(text(codec.String, ASCIIText))},
		{Name: fmt.Sprintf("decode write, Int32Array, %d elements", elements), Includes: aliases, Loop: decodeWrite(ints)},
		{Name: "decode subscription status, one Int32", Includes: "a 0x32 body checked to its end, and its record read", Loop: decodeSubscription(subscription(codec.OpStatus))},
		{Name: "decode item control", Includes: "a 0x1F body of 39 bytes", Loop: decodeItemControl()},
		{Name: "decode operation status", Includes: "5 bytes", Loop: decodeStatus()},
	}
}
