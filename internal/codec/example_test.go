package codec_test

import (
	"fmt"

	"mxrest/internal/codec"
)

func ExampleAppendWrite() {
	object, _ := codec.Signature([]byte("TestChildObject"))
	attribute, _ := codec.Signature([]byte("TestInt"))
	value := int32(305419896)
	w := codec.Write{
		Handle: codec.Handle{
			GalaxyID: 1, PlatformID: 1, EngineID: 2, ObjectID: 5, ObjectSignature: object,
			PrimitiveID: 2, AttributeID: 155, PropertyID: codec.DefaultPropertyID, AttributeSignature: attribute,
		},
		Value: codec.Value{Type: codec.Int32, Bits: uint64(uint32(value))},
	}
	body, err := codec.AppendWrite(make([]byte, 0, codec.SizeWrite(&w)), &w)
	fmt.Printf("%x %v\n", body, err)
	// Output: 370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000 <nil>
}

func ExampleDecodeWrite() {
	body := []byte("\x37\x01\x00\x05\x00\x36\xd7\x02\x00\x9b\x00\x0a\x00\x3e\xda\x00\x00\x05" +
		"\x0a\x00\x00\x00\x06\x00\x00\x00H\x00i\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	w, err := codec.DecodeWrite(body)
	kept := w.Clone()
	clear(body) // w aliases the body; what Clone gave does not
	text, _ := codec.AppendUTF8(nil, kept.Value.Text)
	fmt.Println(kept.Value.Type, string(text), err)
	// Output: String Hi <nil>
}
