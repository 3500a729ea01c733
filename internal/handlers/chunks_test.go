package handlers

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/budget"
)

func TestChunksKeepOrder(t *testing.T) {
	b := budget.New(64 << 20)
	c := chunks{limit: 32 << 20, budget: b}
	var want []byte
	for i := range 3000 {
		n := []int{1, 40, 500, 30_000, 40_000, chunkSize, 3 * chunkSize}[i%7]
		if i > 200 {
			n = i % 90
		}
		piece := bytes.Repeat([]byte{byte(i)}, n)
		dst, err := c.reserve(64)
		require.NoError(t, err)
		require.NoError(t, c.commit(append(dst, piece...)))
		want = append(want, piece...)
	}
	require.Equal(t, int64(len(want)), c.size)
	var got bytes.Buffer
	require.NoError(t, c.writeTo(&got))
	require.True(t, bytes.Equal(want, got.Bytes()))
	require.Positive(t, b.Used())
	c.release(false)
	require.Zero(t, b.Used())
}

func TestChunksLimits(t *testing.T) {
	c := chunks{limit: 10}
	dst, err := c.reserve(5)
	require.NoError(t, err)
	require.NoError(t, c.commit(append(dst, make([]byte, 10)...)))
	dst, err = c.reserve(5)
	require.NoError(t, err)
	require.ErrorIs(t, c.commit(append(dst, 1)), errReplyTooLarge)

	c = chunks{limit: 1 << 30, budget: budget.New(chunkSize + 10)}
	_, err = c.reserve(1)
	require.NoError(t, err)
	require.ErrorIs(t, c.commit(make([]byte, chunkSize)), errNoMemory)
}

func TestChunksAllocs(t *testing.T) {
	piece := make([]byte, 40)
	c := chunks{limit: 1 << 30}
	allocs := testing.AllocsPerRun(10_000, func() {
		dst, _ := c.reserve(64)
		_ = c.commit(append(dst, piece...))
	})
	require.Less(t, allocs, 0.01)
}
