package handlers

import (
	"net/http"
	"strconv"

	"mxrest/internal/capture"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/learn"
)

// maxCaptures is how many captures are learned from at a time.
const maxCaptures = 1000

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
	res, err := capture.Learn(a.layout, captures)
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
