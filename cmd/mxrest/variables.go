package main

import (
	"reflect"
	"strings"
)

// variables lists every MXREST_* variable that a flag of any command reads.
func variables() []string { return variablesOf(reflect.TypeFor[cli]()) }

func variablesOf(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		if env := f.Tag.Get("env"); env != "" {
			out = append(out, strings.Split(env, ",")...)
		}
		if f.Type.Kind() == reflect.Struct {
			out = append(out, variablesOf(f.Type)...)
		}
	}
	return out
}
