package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/layoutfile"
	"mxrest/internal/learn"
)

// maxCaptures is how many captures are learned from at a time.
const maxCaptures = 1000

// LearnResult is what captures say about a layout, as /v1/layout/learn and `mxrest learn --json` show it.
type LearnResult struct {
	Found          bool                `json:"found"`
	Captures       int                 `json:"captures"`
	Layout         json.RawMessage     `json:"layout,omitempty"` // a layout file
	Members        []learnedMember     `json:"members"`
	Open           []openMember        `json:"open"`
	Contradictions []contradictionView `json:"contradictions"`
}

type learnedMember struct {
	Name      string   `json:"name"`
	Value     any      `json:"value"`
	Standing  string   `json:"standing"`
	SettledBy []string `json:"settledBy"`
}

type openMember struct {
	Name       string `json:"name"`
	Value      any    `json:"value"`
	Candidates []any  `json:"candidates,omitempty"`
	Why        string `json:"why"`
}

type contradictionView struct {
	Captures []string `json:"captures"`
	Member   string   `json:"member,omitempty"`
	Offset   int      `json:"offset"`
	Reason   string   `json:"reason"`
}

// LearnLayout answers with the layout that captured bodies teach, or with those that contradict each other.
func (a *API) LearnLayout(w http.ResponseWriter, r *http.Request) {
	root, p := a.readNode(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	captures, err := a.captures(root)
	if err != nil {
		WriteProblem(w, r, problemOf(err))
		return
	}
	res, err := Learn(a.layout, captures)
	if err != nil {
		WriteProblem(w, r, problemOf(err))
		return
	}
	respondJSON(w, r, res)
}

// captures reads the captures of a request.
func (a *API) captures(root jsonin.Node) ([]learn.Capture, error) {
	m, err := root.Members("captures")
	if err != nil {
		return nil, err
	}
	if !m[0].Present() {
		return nil, root.Missing("captures", "1..1000 captures")
	}
	read := capture.Reader{JSON: a.stdJSON, Max: int(a.cfg.Limits.Body)}
	var all []learn.Capture
	err = m[0].Elements(maxCaptures, func(i int, n jsonin.Node) error {
		c, err := read.Capture(n, strconv.Itoa(i), nil)
		all = append(all, c)
		return err
	})
	if err == nil && len(all) == 0 {
		err = m[0].Fail("there is no capture", "1..1000 captures")
	}
	return all, err
}

// Learn works out a layout and words the result. base is the layout whose values the open members keep.
func Learn(base *codec.Layout, captures []learn.Capture) (*LearnResult, error) {
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
	out := &LearnResult{Found: res.Layout != nil, Captures: len(captures), Members: []learnedMember{}, Open: []openMember{}, Contradictions: []contradictionView{}}
	for _, c := range res.Contradictions {
		out.Contradictions = append(out.Contradictions, contradictionView{Captures: names(c.Captures), Member: c.Member, Offset: c.Offset, Reason: c.Reason})
	}
	if !out.Found {
		return out, nil
	}
	settled := map[string][]string{}
	for _, m := range res.Learned {
		name := learn.MemberName(m.Member)
		settled[name] = names(m.Captures)
		out.Members = append(out.Members, learnedMember{Name: name, Value: learn.Value(res.Layout, m.Member), Standing: codec.Learned.String(), SettledBy: settled[name]})
	}
	for _, m := range res.Open {
		out.Open = append(out.Open, openMember{Name: learn.MemberName(m.Member), Value: learn.Value(res.Layout, m.Member), Candidates: m.Candidates, Why: m.Why})
	}
	if out.Layout, err = layoutfile.Marshal(res.Layout, settled); err != nil {
		return nil, fmt.Errorf("the learned layout cannot be written: %w", err)
	}
	return out, nil
}
