package handlers

import (
	"bytes"
	"net/http"

	"mxrest/internal/capture"
	"mxrest/internal/codec/jsonin"
	"mxrest/internal/inspect"
)

type diffSide struct {
	Message string       `json:"message"`
	Length  int          `json:"length"`
	Form    capture.Form `json:"form"`
}

type diffResult struct {
	Same        bool                 `json:"same"`
	Differences int                  `json:"differences"`
	Left        diffSide             `json:"left"`
	Right       diffSide             `json:"right"`
	Fields      []inspect.Difference `json:"fields"`
}

// Diff answers with the fields of two bodies, side by side. A body that does not decode is 422 with the pointer to it and the fields before the fault.
func (a *API) Diff(w http.ResponseWriter, r *http.Request) {
	root, p := a.readNode(r)
	if p != nil {
		WriteProblem(w, r, p)
		return
	}
	var sides [2]diffSide
	var bodies [2]textInput
	var fields [2][]inspect.Field
	m, err := root.Members("left", "right")
	for i := 0; i < 2 && err == nil; i++ {
		bodies[i], err = a.sideOf(root, m[i], [...]string{"left", "right"}[i])
	}
	if err != nil {
		WriteProblem(w, r, problemOf(err))
		return
	}
	for i, in := range bodies {
		rep := inspect.Body(a.layout, in.body, in.names)
		if rep.Err != nil {
			p := a.bodyProblem(rep, in.body, in.pointer)
			p.Form = in.form
			WriteProblem(w, r, p)
			return
		}
		sides[i] = diffSide{Message: rep.Kind.String(), Length: len(in.body), Form: in.form}
		fields[i] = rep.Fields
	}
	res := diffResult{Same: bytes.Equal(bodies[0].body, bodies[1].body), Left: sides[0], Right: sides[1]}
	res.Fields, res.Differences = inspect.Diff(fields[0], fields[1])
	respondJSON(w, r, res)
}

func (a *API) sideOf(root, n jsonin.Node, name string) (textInput, error) {
	if !n.Present() {
		return textInput{}, root.Missing(name, "")
	}
	return a.textInput(n)
}
