package inspect

import (
	"encoding/json"
	"fmt"

	"mxrest/internal/codec"
)

// View is a decoded body as the decode operations and `mxrest decode --json` show it: the document's schema Decoded, but for the form in
// which the bytes came, which is the caller's to say.
type View struct {
	Message  string  `json:"message"`
	Length   int     `json:"length"`
	Exact    bool    `json:"exact"`
	Hex      string  `json:"hex"`
	Standing Summary `json:"standing"`
	Fields   []Field `json:"fields"`
	// Write is the JSON that /v1/write takes and makes the same bytes of; where JSON cannot say it, Reason tells why.
	Write           json.RawMessage      `json:"write,omitempty"`
	Reason          string               `json:"reason,omitempty"`
	ItemControl     json.RawMessage      `json:"itemControl,omitempty"`
	Records         []RecordView         `json:"records,omitempty"`
	OperationStatus *OperationStatusView `json:"operationStatus,omitempty"`
	Names           *NameChecks          `json:"names,omitempty"`
}

// RecordView is one record of a subscription message.
type RecordView struct {
	Status       PackedView      `json:"status"`
	DetailStatus *PackedView     `json:"detailStatus,omitempty"`
	Quality      QualityView     `json:"quality"`
	Timestamp    string          `json:"timestamp"` // RFC 3339; "" outside the years 1601 to 9999
	FileTime     string          `json:"filetime"`
	Type         string          `json:"type"`
	Value        json.RawMessage `json:"value"` // null where JSON cannot say it
	Bits         json.RawMessage `json:"bits,omitempty"`
	ValueReason  string          `json:"valueReason,omitempty"`
}

// PackedView is a packed status, taken apart.
type PackedView struct {
	Value          uint32 `json:"value"`
	Hex            string `json:"hex"`
	OK             bool   `json:"ok"`
	Category       uint8  `json:"category"`
	CategoryName   string `json:"categoryName"`
	DetectedBy     uint8  `json:"detectedBy"`
	DetectedByName string `json:"detectedByName"`
	Detail         int16  `json:"detail"`
	DetailText     string `json:"detailText"`
}

// QualityView is a quality, in words.
type QualityView struct {
	Value   uint16 `json:"value"`
	Hex     string `json:"hex"`
	Quality string `json:"quality"`
	Text    string `json:"text"`
}

// OperationStatusView is an operation status, or a completion code alone.
type OperationStatusView struct {
	StatusWord *uint16 `json:"statusWord,omitempty"`
	Completion uint8   `json:"completion"`
	Success    bool    `json:"success"`
	Meaning    string  `json:"meaning"` // "write complete" or "unknown"
}

// NameChecks says of each name that was given whether it has the signature that stands in the body.
type NameChecks struct {
	Object    *NameCheck `json:"object,omitempty"`
	Attribute *NameCheck `json:"attribute,omitempty"`
}

// NameCheck holds one name against the body.
type NameCheck struct {
	Name          string `json:"name"`
	NameSignature uint16 `json:"nameSignature"`
	BodySignature uint16 `json:"bodySignature"`
	Matches       bool   `json:"matches"`
}

// maxRecords is how many records of a subscription message are shown one by one; their bytes are in the fields in any case.
const maxRecords = 4096

// View shows a report whose Err is nil.
func (rep *Report) View(l *codec.Layout, body []byte, o Options) *View {
	v := &View{Message: rep.Kind.String(), Length: len(body), Exact: rep.Exact, Hex: hexOf(body),
		Standing: Summarize(rep.Fields), Fields: rep.Fields}
	m := &rep.Message
	switch rep.Kind {
	case codec.MessageWrite, codec.MessageTimestampedWrite:
		v.Names = checkNames(o, &m.Write.Handle, true)
		v.Write, v.Reason = WriteJSON(l, &m.Write, v.Names.matching())
	case codec.MessageAdvise, codec.MessageUnadvise:
		v.Names = checkNames(o, &m.ItemControl.Handle, true)
		v.ItemControl, v.Reason = itemControlJSON(&m.ItemControl, v.Names.matching())
	case codec.MessageSubscriptionStatus, codec.MessageDataUpdate:
		v.Records = recordViews(l, &m.Subscription)
	case codec.MessageOperationStatus:
		v.OperationStatus = &OperationStatusView{StatusWord: &m.Status.Word, Completion: m.Status.Completion, Success: m.Status.Complete(), Meaning: "unknown"}
		if m.Status.Complete() {
			v.OperationStatus.Meaning = "write complete"
		}
	case codec.MessageCompletion:
		v.OperationStatus = &OperationStatusView{Completion: m.Completion, Meaning: "unknown"}
	case codec.MessageSuspend:
		v.Names = checkNames(o, &codec.Handle{AttributeSignature: m.Suspend.AttributeSignature}, false)
	}
	return v
}

// checkNames holds the names that were given against a handle's signatures; nil when there are none.
func checkNames(o Options, h *codec.Handle, object bool) *NameChecks {
	var c NameChecks
	check := func(name string, body uint16) *NameCheck {
		sig, err := codec.Signature([]byte(name))
		if name == "" || err != nil {
			return nil
		}
		return &NameCheck{Name: name, NameSignature: sig, BodySignature: body, Matches: sig == body}
	}
	if object {
		c.Object = check(o.Object, h.ObjectSignature)
	}
	c.Attribute = check(o.Attribute, h.AttributeSignature)
	if c == (NameChecks{}) {
		return nil
	}
	return &c
}

// matching gives the names that have the body's signatures, "" for those that do not.
func (c *NameChecks) matching() (o Options) {
	if c != nil && c.Object != nil && c.Object.Matches {
		o.Object = c.Object.Name
	}
	if c != nil && c.Attribute != nil && c.Attribute.Matches {
		o.Attribute = c.Attribute.Name
	}
	return o
}

func recordViews(l *codec.Layout, s *codec.Subscription) []RecordView {
	out := make([]RecordView, 0, min(s.Good(), maxRecords))
	rs := s.Records()
	for rec := (codec.Record{}); len(out) < maxRecords && rs.Next(&rec); {
		v := RecordView{
			Status: packedView(rec.Status), FileTime: fmt.Sprint(rec.FileTime), Type: rec.Value.Type.String(),
			Quality: QualityView{Value: uint16(rec.Quality), Hex: fmt.Sprintf("0x%04x", uint16(rec.Quality)), Quality: rec.Quality.Major(), Text: rec.Quality.String()},
		}
		if s.Opcode == codec.OpStatus {
			d := packedView(rec.Detail)
			v.DetailStatus = &d
		}
		if t, ok := codec.AppendFileTime(nil, rec.FileTime); ok {
			v.Timestamp = string(t)
		}
		if v.Value, v.Bits, v.ValueReason = ValueJSON(l, &rec.Value); v.ValueReason != "" {
			v.Value = json.RawMessage("null")
		}
		out = append(out, v)
	}
	return out
}

func packedView(s codec.PackedStatus) PackedView {
	return PackedView{Value: uint32(s), Hex: fmt.Sprintf("0x%08x", uint32(s)), OK: s.OK(), Category: s.Category(), CategoryName: s.CategoryName(),
		DetectedBy: s.DetectedBy(), DetectedByName: s.DetectedByName(), Detail: s.Detail(), DetailText: s.DetailName()}
}
