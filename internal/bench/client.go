package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Client sends one request over one connection, again and again, and allocates nothing while it does: what the process allocates
// meanwhile is the server's. Make it with Dial.
type Client struct {
	conn     net.Conn
	listener net.Listener
	request  []byte
	reply    []byte // has the length of an answer, which must not change
}

var errReply = errors.New("an answer is not like the first one")

// Dial serves srv on a free port of the loopback and sends the first request, whose answer must be a 200 with a Content-Length.
func Dial(srv *http.Server, path, contentType string, body []byte) (*Client, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() { _ = srv.Serve(ln) }() // ends when the listener is closed
	c := &Client{listener: ln}
	c.request = fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", path, contentType, len(body))
	c.request = append(c.request, body...)
	if c.conn, err = net.Dial("tcp", ln.Addr().String()); err != nil {
		_ = ln.Close()
		return nil, err
	}
	if err := c.first(); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// first sends one request and learns from the answer how long the answers are.
func (c *Client) first() error {
	_ = c.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	n, end := 0, -1
	for end < 0 {
		got, err := c.conn.Read(buf[n:])
		if err != nil {
			return err
		}
		n += got
		end = bytes.Index(buf[:n], []byte("\r\n\r\n"))
	}
	if !bytes.HasPrefix(buf, ok) {
		return fmt.Errorf("the answer begins %q", buf[:min(n, 40)])
	}
	_, length, _ := bytes.Cut(buf[:end], []byte("\r\nContent-Length: "))
	length, _, _ = bytes.Cut(length, []byte("\r\n"))
	size, err := strconv.Atoi(string(length))
	if err != nil {
		return errors.New("the answer has no Content-Length")
	}
	c.reply = make([]byte, end+4+size)
	if _, err := io.ReadFull(c.conn, make([]byte, len(c.reply)-n)); err != nil {
		return err
	}
	return c.conn.SetReadDeadline(time.Time{})
}

var ok = []byte("HTTP/1.1 200 ")

// Send sends n requests, one after the other.
func (c *Client) Send(n int) error {
	for range n {
		if _, err := c.conn.Write(c.request); err != nil {
			return err
		}
		if _, err := io.ReadFull(c.conn, c.reply); err != nil {
			return err
		}
		if !bytes.HasPrefix(c.reply, ok) {
			return errReply
		}
	}
	return nil
}

// Close ends the connection and stops listening.
func (c *Client) Close() error {
	if c.conn != nil {
		_ = c.conn.Close()
	}
	return c.listener.Close()
}
