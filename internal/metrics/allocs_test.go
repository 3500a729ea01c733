//go:build !race

package metrics

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCountingAllocatesNothing(t *testing.T) {
	m := New("", []string{"Boolean"})
	r := m.Route("/v1/write")
	r.Done("POST", 200, 1, 1, time.Microsecond)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		r.Done("POST", 200, 250, 40, time.Microsecond)
		m.Writes(0, 1)
	}))
}
