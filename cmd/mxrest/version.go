package main

import (
	"fmt"
	"runtime"

	"mxrest/internal/server"
)

// version and revision are set by the release build (-ldflags "-X main.version=… -X main.revision=…"). Where revision is not, Go's own stamp says
// which commit a build in a checkout is of.
var version, revision = "dev", ""

type versionCmd struct{}

func (versionCmd) Help() string {
	return `Examples:
  mxrest version
  curl http://127.0.0.1:8080/version            the same of a running server, as JSON`
}

func (versionCmd) Run(e *env) error {
	_, err := fmt.Fprintln(e.stdout, versionLine())
	return err
}

func versionLine() string {
	line := fmt.Sprintf("mxrest %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if build := server.Build(version, revision); build.Revision != nil {
		line += " " + *build.Revision
		if build.Modified != nil && *build.Modified {
			line += " modified"
		}
	}
	return line
}
