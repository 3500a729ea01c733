package server

import (
	"context"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watchedPair is a connection that a watchman keeps and its other end.
func watchedPair(t *testing.T) (m *watchman, here, there net.Conn) {
	t.Helper()
	m = &watchman{}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ln := m.watch(plain)
	t.Cleanup(func() { _ = ln.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go m.sweep(ctx)
	there, err = net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = there.Close() })
	here, err = ln.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _ = here.Close() })
	return m, here, there
}

func TestDeadlineEndsARead(t *testing.T) {
	_, here, there := watchedPair(t)
	require.NoError(t, here.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err := here.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	_, err = here.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded, "and each after it")

	// A new deadline, or none, makes the connection usable again.
	for _, next := range []time.Time{time.Now().Add(time.Hour), {}} {
		require.NoError(t, here.SetReadDeadline(next))
		_, err = there.Write([]byte("x"))
		require.NoError(t, err)
		_, err = here.Read(make([]byte, 1))
		require.NoError(t, err)
		require.NoError(t, here.SetReadDeadline(time.Unix(1, 0)))
	}
}

func TestDeadlineEndsAWrite(t *testing.T) {
	_, here, _ := watchedPair(t)
	require.NoError(t, here.SetDeadline(time.Now().Add(time.Millisecond)))
	_, err := io.CopyN(here, zeros{}, 1<<30) // nobody reads
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// A deadline long ago ends a read that waits, at once and without the watchman, as net/http needs it; the connection is good afterwards.
func TestDeadlineLongAgoInterrupts(t *testing.T) {
	_, here, there := watchedPair(t)
	read := make(chan error)
	go func() {
		_, err := here.Read(make([]byte, 1))
		read <- err
	}()
	require.NoError(t, here.SetReadDeadline(time.Unix(1, 0)))
	require.ErrorIs(t, <-read, os.ErrDeadlineExceeded)
	require.NoError(t, here.SetReadDeadline(time.Time{}))
	_, err := there.Write([]byte("x"))
	require.NoError(t, err)
	_, err = here.Read(make([]byte, 1))
	require.NoError(t, err)
}

// A deadline that was put off does not strike at its first time.
func TestDeadlinePutOff(t *testing.T) {
	m, here, there := watchedPair(t)
	require.NoError(t, here.SetReadDeadline(time.Now().Add(-time.Second)))
	require.NoError(t, here.SetReadDeadline(time.Now().Add(time.Hour)))
	c := here.(*watchedConn)
	c.read.check(time.Now(), c.Conn.SetReadDeadline)
	_, err := there.Write([]byte("x"))
	require.NoError(t, err)
	_, err = here.Read(make([]byte, 1))
	require.NoError(t, err)

	require.NoError(t, here.Close())
	m.mu.Lock()
	defer m.mu.Unlock()
	assert.Empty(t, m.conns, "a closed connection is not watched")
}
