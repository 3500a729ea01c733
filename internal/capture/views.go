package capture

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"mxrest/internal/codec"
	"mxrest/internal/inspect"
	"mxrest/internal/layoutfile"
	"mxrest/internal/learn"
	"mxrest/internal/paste"
)

// Form says in which form bytes came, as answers show it.
type Form struct {
	Name    paste.Form   `json:"name"`
	Certain bool         `json:"certain"`
	Others  []paste.Form `json:"others,omitempty"`
	Note    string       `json:"note,omitempty"`
}

// FormOf is the form of a text that was read.
func FormOf(r paste.Result) Form {
	return Form{Name: r.Form, Certain: r.Certain, Others: r.Others, Note: r.Note}
}

// Decoded is the answer of the decode operations and of `mxrest decode --json`: the body's view, and the form in which its bytes came.
type Decoded struct {
	ID string `json:"id,omitempty"`
	*inspect.View
	Form Form `json:"form"`
}

// Replayed is one body that a replay made.
type Replayed struct {
	Index   int     `json:"index"`
	ID      string  `json:"id,omitempty"`
	Length  int     `json:"length"`
	Hex     string  `json:"hex"`
	Base64  string  `json:"base64"`
	Changed []Range `json:"changed"`
}

// Range is a run of bytes that was replaced.
type Range struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Hex    string `json:"hex"`
	Was    string `json:"was"`
}

// ReplayedOf shows a body and what was replaced in it.
func ReplayedOf(index int, id string, body []byte, ranges []codec.Range) Replayed {
	out := Replayed{Index: index, ID: id, Length: len(body), Hex: hex.EncodeToString(body), Base64: base64.StdEncoding.EncodeToString(body), Changed: []Range{}}
	for _, x := range ranges {
		out.Changed = append(out.Changed, Range{Name: x.Name, Offset: x.Offset, Length: x.Length,
			Hex: out.Hex[2*x.Offset : 2*(x.Offset+x.Length)], Was: hex.EncodeToString(x.Was)})
	}
	return out
}

// StandsThere says what stands at a captured body's value instead of the one stated. The body has at least 36 bytes.
func StandsThere(l *codec.Layout, body []byte, v *codec.Value) string {
	region := body[codec.ValueOffset : len(body)-codec.TailSize]
	stated, err := l.AppendValue(nil, v)
	if err != nil {
		return "the stated value cannot be written"
	}
	there := "at offset 18 stands " + shortHex(region)
	if got, err := l.ReadValue(region, v.Type); err == nil {
		if text, _, reason := inspect.ValueJSON(l, &got); reason == "" && len(text) < 200 {
			there += fmt.Sprintf(", as %s %s", v.Type, text)
		}
	}
	if len(stated) != len(region) {
		there = fmt.Sprintf("a write of the stated value has %d bytes, the body has %d; %s", codec.WriteOverhead+len(stated), len(body), there)
	}
	return there + "; the stated value would be " + shortHex(stated)
}

func shortHex(b []byte) string {
	const most = 32
	switch {
	case len(b) == 0:
		return "nothing"
	case len(b) > most:
		return hex.EncodeToString(b[:most]) + "…"
	}
	return hex.EncodeToString(b)
}

// Learned is what captures say about a layout, as /v1/layout/learn and `mxrest learn --json` show it.
type Learned struct {
	Found          bool            `json:"found"`
	Captures       int             `json:"captures"`
	Layout         json.RawMessage `json:"layout,omitempty"` // a layout file
	Members        []Member        `json:"members"`
	Open           []OpenMember    `json:"open"`
	Contradictions []Contradiction `json:"contradictions"`
}

// Member is a member that the captures settle.
type Member struct {
	Name      string   `json:"name"`
	Value     any      `json:"value"`
	Standing  string   `json:"standing"`
	SettledBy []string `json:"settledBy"`
}

// OpenMember is one that they do not.
type OpenMember struct {
	Name       string `json:"name"`
	Value      any    `json:"value"`
	Candidates []any  `json:"candidates,omitempty"`
	Why        string `json:"why"`
}

// Contradiction are captures that cannot all be right.
type Contradiction struct {
	Captures []string `json:"captures"`
	Member   string   `json:"member,omitempty"`
	Offset   int      `json:"offset"`
	Reason   string   `json:"reason"`
}

// Learn works out a layout and words the result. base is the layout whose values the open members keep.
func Learn(base *codec.Layout, captures []learn.Capture) (*Learned, error) {
	res, err := learn.Learn(base, captures)
	if err != nil {
		return nil, err
	}
	names := func(at []int) []string {
		out := make([]string, len(at))
		for i, c := range at {
			out[i] = captures[c].Name
		}
		return out
	}
	out := &Learned{Found: res.Layout != nil, Captures: len(captures), Members: []Member{}, Open: []OpenMember{}, Contradictions: []Contradiction{}}
	for _, c := range res.Contradictions {
		out.Contradictions = append(out.Contradictions, Contradiction{Captures: names(c.Captures), Member: c.Member, Offset: c.Offset, Reason: c.Reason})
	}
	if !out.Found {
		return out, nil
	}
	settled := map[string][]string{}
	for _, m := range res.Learned {
		name := learn.MemberName(m.Member)
		settled[name] = names(m.Captures)
		out.Members = append(out.Members, Member{Name: name, Value: learn.Value(res.Layout, m.Member), Standing: codec.Learned.String(), SettledBy: settled[name]})
	}
	for _, m := range res.Open {
		out.Open = append(out.Open, OpenMember{Name: learn.MemberName(m.Member), Value: learn.Value(res.Layout, m.Member), Candidates: m.Candidates, Why: m.Why})
	}
	if out.Layout, err = layoutfile.Marshal(res.Layout, settled); err != nil {
		return nil, fmt.Errorf("the learned layout cannot be written: %w", err)
	}
	return out, nil
}
