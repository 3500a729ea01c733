package inspect

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/wire.md is what the tables give; `make generate` writes it anew.
func TestWireDoc(t *testing.T) {
	want, err := os.ReadFile("../../docs/wire.md")
	require.NoError(t, err)
	require.True(t, string(want) == string(WireDoc()), "docs/wire.md is not what the tables give: run `make generate`")
}
