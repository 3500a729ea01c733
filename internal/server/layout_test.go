package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLayoutOfAFileThatReplacesNothing(t *testing.T) {
	source := func(cfg Config) string {
		_, url := start(t, cfg)
		_, body := call(t, "GET", url+"/v1/layout", "")
		var v struct{ Source string }
		require.NoError(t, json.Unmarshal([]byte(body), &v))
		return v.Source
	}
	cfg := Default()
	require.Equal(t, "default", source(cfg))
	cfg.LayoutFile = filepath.Join(t.TempDir(), "plant.json")
	require.NoError(t, os.WriteFile(cfg.LayoutFile, []byte("{}"), 0o600))
	require.Equal(t, "file", source(cfg))
}
