package codec

import "errors"

// The failures that only decoding has; the others are in errors.go.
var (
	ErrTerminator = errors.New("the text does not end with U+0000")
	ErrWidth      = errors.New("the element width is not that of the kind")
	ErrCountLeft  = errors.New("the count is larger than the bytes left can hold")
	ErrRecords    = errors.New("a subscription has at least one record")
	ErrGUID       = errors.New("not a GUID such as 00112233-4455-6677-8899-aabbccddeeff")
)

// MessageKind says which message a body is.
type MessageKind uint8

// NumMessages is how many messages there are; they run from 1 to NumMessages.
const NumMessages = int(MessageSuspend)

// The messages.
const (
	MessageWrite MessageKind = iota + 1
	MessageTimestampedWrite
	MessageAdvise
	MessageUnadvise
	MessageSubscriptionStatus
	MessageDataUpdate
	MessageOperationStatus
	MessageCompletion
	MessageSuspend
)

var messageNames = [...]string{
	"", "normalWrite", "timestampedWrite", "adviseSupervisory", "unadvise", "subscriptionStatus", "dataUpdate", "operationStatus",
	"completionCode", "suspend",
}

// String is the message's name in answers, such as "timestampedWrite".
func (k MessageKind) String() string {
	if int(k) >= len(messageNames) {
		return ""
	}
	return messageNames[k]
}

// Message is a decoded body: Kind says which of the members holds it. It aliases the source.
type Message struct {
	Kind         MessageKind
	Write        Write        // MessageWrite, MessageTimestampedWrite
	ItemControl  ItemControl  // MessageAdvise, MessageUnadvise
	Subscription Subscription // MessageSubscriptionStatus, MessageDataUpdate
	Status       OperationStatus
	Completion   uint8 // a completion code without a proven meaning
	Suspend      Suspend
}

// Identify names the message of a body by its first byte and its length, without reading further. The rules, in this order:
//
//  1. The layout's command, 0x1f, 0x21, 0x2d, 0x32 or 0x33 first: that message, whatever the length, so that a body cut down to
//     its first byte is a broken message and no completion code. A write is MessageWrite here: only its tail tells a timestamped one.
//  2. One byte: a completion code. So 00 alone is a completion code and not a broken operation status.
//  3. 00 first: an operation status.
//
// Anything else fails with ErrOpcode, an empty body with ErrEmpty.
func (l *Layout) Identify(src []byte) (MessageKind, error) {
	if len(src) == 0 {
		return 0, fail("decode", "", 0, ErrEmpty)
	}
	switch src[0] {
	case l.Command:
		return MessageWrite, nil
	case OpAdvise:
		return MessageAdvise, nil
	case OpUnadvise:
		return MessageUnadvise, nil
	case OpSuspend:
		return MessageSuspend, nil
	case OpStatus:
		return MessageSubscriptionStatus, nil
	case OpDataUpdate:
		return MessageDataUpdate, nil
	}
	switch {
	case len(src) == 1:
		return MessageCompletion, nil
	case src[0] == 0:
		return MessageOperationStatus, nil
	}
	return 0, fail("decode", "opcode", 0, ErrOpcode)
}

// Decode reads a body of any message into m, which aliases src. It allocates nothing unless it fails. On failure the *Error says
// where, and m holds what was read of a subscription's records.
func (l *Layout) Decode(m *Message, src []byte) (err error) {
	*m = Message{}
	if m.Kind, err = l.Identify(src); err != nil {
		return err
	}
	switch m.Kind {
	case MessageWrite:
		if m.Write, err = l.DecodeWrite(src); m.Write.Timestamped {
			m.Kind = MessageTimestampedWrite
		}
	case MessageAdvise, MessageUnadvise:
		m.ItemControl, err = DecodeItemControl(src)
	case MessageSubscriptionStatus, MessageDataUpdate:
		m.Subscription, err = l.DecodeSubscription(src)
	case MessageOperationStatus:
		m.Status, err = DecodeOperationStatus(src)
	case MessageCompletion:
		m.Completion = src[0]
	case MessageSuspend:
		m.Suspend, err = DecodeSuspend(src)
	}
	return err
}

// AppendMessage appends m's body: for a decoded message exactly the bytes that it was decoded from.
func (l *Layout) AppendMessage(dst []byte, m *Message) ([]byte, error) {
	switch m.Kind {
	case MessageWrite, MessageTimestampedWrite:
		return l.AppendCapturedWrite(dst, &m.Write)
	case MessageAdvise, MessageUnadvise:
		return AppendItemControl(dst, &m.ItemControl)
	case MessageSubscriptionStatus, MessageDataUpdate:
		return l.AppendSubscription(dst, &m.Subscription)
	case MessageOperationStatus:
		return AppendOperationStatus(dst, &m.Status), nil
	case MessageCompletion:
		return append(dst, m.Completion), nil
	case MessageSuspend:
		return AppendSuspend(dst, &m.Suspend), nil
	}
	return dst, fail("encode", "message", -1, ErrOpcode)
}
