package handlers

import (
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"mxrest/api"
)

// Version answers with what is running: the version, the commit it was built from and the Go it was built with.
func (a *API) Version(w http.ResponseWriter, r *http.Request) {
	respondJSON(w, r, BuildOf(a.cfg.Version, a.cfg.Revision))
}

// BuildOf is what is known of this build. Of version and revision, which the release build sets, either may be empty.
func BuildOf(version, revision string) api.VersionInfo {
	if version == "" {
		version = "dev"
	}
	info := api.VersionInfo{Version: version, Go: runtime.Version(), Os: runtime.GOOS, Arch: runtime.GOARCH}
	if revision != "" {
		info.Revision = &revision
		return info
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = &s.Value
		case "vcs.time":
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil {
				info.Time = &t
			}
		case "vcs.modified":
			modified := s.Value == "true"
			info.Modified = &modified
		}
	}
	return info
}
