package main

import (
	"fmt"
	"runtime"
)

// version is set by the release build (-ldflags "-X main.version=…").
var version = "dev"

type versionCmd struct{}

func (versionCmd) Run(e *env) error {
	_, err := fmt.Fprintf(e.stdout, "mxrest %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
