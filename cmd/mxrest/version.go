package main

import (
	"fmt"
	"runtime"
)

// version is set by the release build (-ldflags "-X main.version=…").
var version = "dev"

type versionCmd struct{}

func (versionCmd) Run(e *env) error {
	_, err := fmt.Fprintln(e.stdout, versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("mxrest %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
