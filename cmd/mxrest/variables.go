package main

import (
	"os"
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

// dropEmptyVariables makes an empty variable the same as none, which is what ${NAME:-} in a compose file means by it.
func dropEmptyVariables() {
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); value == "" && strings.HasPrefix(name, "MXREST_") {
			_ = os.Unsetenv(name)
		}
	}
}
