package server

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// sweepEvery is how late a deadline may be noticed. The shortest is a second or so.
const sweepEvery = 250 * time.Millisecond

// watchman cuts off what goes beyond its deadline on any of a listener's connections. net/http sets five deadlines for each request and
// replaces most of them within microseconds; each is a timer of the runtime, together one part in fifteen of what a small request
// costs. Here they are only noted, and one goroutine goes round four times a second.
type watchman struct {
	mu    sync.Mutex
	conns map[*watchedConn]struct{}
}

// watch wraps a listener. The watchman must be at work (sweep) while its connections are.
func (m *watchman) watch(ln net.Listener) net.Listener { return &watchedListener{ln, m} }

// sweep goes round until ctx ends.
func (m *watchman) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			m.mu.Lock()
			for c := range m.conns {
				c.read.check(now, c.Conn.SetReadDeadline)
				c.write.check(now, c.Conn.SetWriteDeadline)
			}
			m.mu.Unlock()
		}
	}
}

type watchedListener struct {
	net.Listener
	m *watchman
}

func (l *watchedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &watchedConn{Conn: conn, m: l.m}
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if l.m.conns == nil {
		l.m.conns = map[*watchedConn]struct{}{}
	}
	l.m.conns[c] = struct{}{}
	return c, nil
}

// watchedConn is a connection whose deadlines the watchman keeps.
type watchedConn struct {
	net.Conn
	m           *watchman
	read, write deadline
}

// deadline is one direction's.
type deadline struct {
	mu   sync.Mutex
	want time.Time // zero: none
	hit  bool      // the connection has a deadline in the past
}

// long marks the times before it as ones that are meant to interrupt at once: net/http uses the second after 1970 began.
var long = time.Unix(1<<20, 0)

var past = time.Unix(1, 0)

// set notes a deadline, or interrupts at once where it lies in the past on purpose. set is the connection's own method.
func (d *deadline) set(t time.Time, set func(time.Time) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.want = t
	if !t.IsZero() && t.Before(long) {
		d.hit = true
		return set(t)
	}
	if d.hit {
		d.hit = false
		return set(time.Time{})
	}
	return nil
}

// check interrupts what is too late.
func (d *deadline) check(now time.Time, set func(time.Time) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.hit && !d.want.IsZero() && now.After(d.want) {
		d.hit = true
		_ = set(past) // fails on a closed connection only
	}
}

// SetReadDeadline is net.Conn's.
func (c *watchedConn) SetReadDeadline(t time.Time) error {
	return c.read.set(t, c.Conn.SetReadDeadline)
}

// SetWriteDeadline is net.Conn's.
func (c *watchedConn) SetWriteDeadline(t time.Time) error {
	return c.write.set(t, c.Conn.SetWriteDeadline)
}

// SetDeadline is net.Conn's.
func (c *watchedConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// Close is net.Conn's.
func (c *watchedConn) Close() error {
	c.m.mu.Lock()
	delete(c.m.conns, c)
	c.m.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite is what net/http asks for before it closes a connection that may still receive.
func (c *watchedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
