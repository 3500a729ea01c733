//go:build !race

package pool

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGetPutAllocs(t *testing.T) {
	Get().Put()
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		b := Get()
		b.In, b.Out = append(b.In, 'x'), append(b.Out, 'y')
		b.Put()
	}))
}
