package handlers

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/http"

	"mxrest/internal/capture"
	"mxrest/internal/codec"
	"mxrest/internal/codec/jsonin"
)

// maxChanges is how many bodies one replay makes.
const maxChanges = 10_000

type replayResult struct {
	Message    string             `json:"message,omitempty"` // what the layout in force takes the capture for
	CaptureHex string             `json:"captureHex"`
	Form       capture.Form       `json:"form"`
	Bodies     []capture.Replayed `json:"bodies"`
}

// Replay answers with a captured body in which other values stand, one for each change.
func (a *API) Replay(w http.ResponseWriter, r *http.Request) {
	root, p := a.readNode(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	held := hold{budget: a.cfg.Budget}
	defer held.release()
	res, p := a.replay(root, &held)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	respondJSON(w, r, res)
}

func (a *API) replay(root jsonin.Node, held *hold) (res replayResult, p *Problem) {
	m, err := root.Members("capture", "type", "value", "bits", "changes")
	if err != nil {
		return res, problemOf(err)
	}
	if !m[0].Present() {
		return res, problemOf(root.Missing("capture", ""))
	}
	in, err := a.textInput(m[0])
	if err != nil {
		return res, problemOf(err)
	}
	v, err := capture.Value(a.json, root, m[1], m[2], m[3])
	if err != nil {
		return res, problemOf(err)
	}
	rep, err := a.layout.NewReplay(in.body, &v)
	if err != nil {
		return res, a.notFound(m[2], in, &v, err)
	}
	res = replayResult{Message: rep.Message().String(), CaptureHex: hex.EncodeToString(in.body), Form: in.form, Bodies: []capture.Replayed{}}
	if !m[4].Present() {
		return res, problemOf(root.Missing("changes", "1..10000 changes"))
	}
	size := int64(0)
	err = m[4].Elements(maxChanges, func(i int, n jsonin.Node) error {
		body, err := a.replayOne(rep, v.Type, i, n)
		if err != nil {
			return err
		}
		text := 4 * int64(body.Length) // hex and Base64
		if size += text; size > a.cfg.Limits.BatchReply {
			return NewProblem(KindTooLarge, "The bodies of this replay are larger than the server holds. Ask for fewer of them at a time.",
				ProblemError{Reason: "the reply is too large", Limit: fmt.Sprintf("at most %d bytes", a.cfg.Limits.BatchReply)})
		}
		if p := held.take(replyFactor * text); p != nil {
			return p
		}
		res.Bodies = append(res.Bodies, body)
		return nil
	})
	if err == nil && len(res.Bodies) == 0 {
		err = m[4].Fail("there is no change", "1..10000 changes")
	}
	if err != nil {
		return res, problemOf(err)
	}
	return res, nil
}

// notFound is the 422 for a stated value that does not stand in the captured body: it shows what stands there.
func (a *API) notFound(value jsonin.Node, in textInput, v *codec.Value, err error) *Problem {
	if !errors.Is(err, codec.ErrNotFound) {
		var e *codec.Error
		if errors.As(err, &e) && errors.Is(err, codec.ErrShort) {
			off := int64(len(in.body))
			reason := fmt.Sprintf("the body has %d bytes; a write has at least 37", len(in.body))
			return NewProblem(KindBody, reason, ProblemError{Pointer: in.pointer, Reason: reason, Limit: "37 bytes or more", Offset: &off})
		}
		return problemOf(err)
	}
	off := int64(codec.ValueOffset)
	reason := capture.StandsThere(a.layout, in.body, v)
	p := NewProblem(KindValue, "The stated value does not stand in the captured body: "+reason,
		ProblemError{Pointer: value.Pointer(), Reason: reason, Offset: &off})
	p.Form = in.form
	if len(in.body) <= maxShown {
		p.Hex = hex.EncodeToString(in.body)
	}
	return p
}

// replayOne makes the body of one change.
func (a *API) replayOne(rep *codec.Replay, t codec.Type, i int, n jsonin.Node) (out capture.Replayed, err error) {
	m, err := n.Members("id", "value", "bits", "handle", "handleBytes", "timestamp", "clientToken", "writeIndex")
	if err != nil {
		return out, err
	}
	id, value, bits, handle, handleBytes, timestamp, token, index := m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]
	if out.ID, err = capture.ID(id); err != nil {
		return out, err
	}
	var c codec.Change
	if handle.Present() || handleBytes.Present() {
		c.Handle = &codec.Handle{}
		if err := a.json.HandleOrBytes(c.Handle, n, handle, handleBytes, t); err != nil {
			return out, err
		}
	}
	switch {
	case value.Present():
		v, err := capture.ValueOf(a.json, t, n, value, bits)
		if err != nil {
			return out, err
		}
		c.Value = &v
	case bits.Present():
		return out, bits.Fail("bits stands beside a value only", "")
	}
	if timestamp.Present() {
		v, err := timestamp.FileTime()
		if err != nil {
			return out, err
		}
		c.FileTime = &v
	}
	if token.Present() {
		v, err := token.Int(0, math.MaxUint32)
		if err != nil {
			return out, err
		}
		u := uint32(v)
		c.ClientToken = &u
	}
	if index.Present() {
		v, err := index.Int(math.MinInt32, math.MaxInt32)
		if err != nil {
			return out, err
		}
		written := int32(v)
		c.WriteIndex = &written
	}
	if c == (codec.Change{}) {
		return out, n.Fail("the change changes nothing", "at least one of value, handle, handleBytes, timestamp, clientToken, writeIndex")
	}
	body, ranges, err := rep.Append(nil, &c)
	if err != nil {
		return out, changeFault(err, m)
	}
	return capture.ReplayedOf(i, out.ID, body, ranges), nil
}

// changeFault points at the member of a change that could not be made.
func changeFault(err error, m []jsonin.Node) error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return err
	}
	at := map[string]int{"value": 1, "handle": 3, "filetime": 5, "clientToken": 6, "writeIndex": 7}[e.Field]
	if n := m[at]; n.Present() {
		return n.Fail(e.Err.Error(), "")
	}
	return err
}
