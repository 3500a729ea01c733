//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"mxrest/internal/bench"
)

// lines is a batch of Int32 writes, each of another attribute and with another value, as NDJSON or as a JSON array.
func lines(count int, list bool) []byte {
	var b bytes.Buffer
	separator := "\n"
	if list {
		b.WriteByte('[')
		separator = ",\n"
	}
	for i := range count {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(bench.RequestOf(i))
	}
	if list {
		b.WriteByte(']')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// sender posts one batch again and again over one connection and throws the answers away.
type sender struct {
	conn  net.Conn
	in    *bufio.Reader
	head  []byte
	body  []byte
	bytes int64 // of the last answer
}

func dial(p *process, path, contentType string, body []byte, headers string) (*sender, error) {
	conn, err := net.Dial("tcp", p.address())
	if err != nil {
		return nil, err
	}
	head := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n", path, contentType, len(body), headers)
	return &sender{conn: conn, in: bufio.NewReaderSize(conn, 256<<10), head: head, body: body}, nil
}

// send posts the batch; the answer is read while it goes out, as a server may answer early.
func (s *sender) send() error {
	sent := make(chan error, 1)
	go func() {
		_, err := s.conn.Write(s.head)
		if err == nil {
			_, err = s.conn.Write(s.body)
		}
		sent <- err
	}()
	res, err := http.ReadResponse(s.in, nil)
	if err != nil {
		return err
	}
	s.bytes, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	if err == nil {
		err = <-sent
	}
	return err
}

// cost is what one write of a batch took.
type cost struct{ wall, cpu float64 } // ns

// batchWindow is how long a measurement takes at the least.
const batchWindow = 500 * time.Millisecond

// measure sends the batch again and again.
func (s *sender) measure(p *process, writes int) (cost, error) {
	times := 0
	began, cpu := time.Now(), p.cpu()
	for ; times == 0 || time.Since(began) < batchWindow; times++ {
		if err := s.send(); err != nil {
			return cost{}, err
		}
	}
	n := float64(times * writes)
	return cost{wall: float64(time.Since(began).Nanoseconds()) / n, cpu: float64((p.cpu() - cpu).Nanoseconds()) / n}, nil
}

// batchRates is P9: batches against the plain way, and against reading, discarding and sending as much.
func batchRates(ctx context.Context, t *table, program string) error {
	ours, bare, stop, err := startBoth(ctx, program)
	if err != nil {
		return err
	}
	defer stop()
	for _, count := range []int{10_000, 100_000} {
		for _, list := range []bool{false, true} {
			if err := batchRate(t, ours, bare, count, list); err != nil {
				return err
			}
		}
	}
	return nil
}

func batchRate(t *table, ours, bare *process, count int, list bool) error {
	body, contentType, form := lines(count, list), "application/x-ndjson", "NDJSON"
	if list {
		contentType, form = "application/json", "array"
	}
	contenders := []struct {
		p    *process
		path string
	}{{ours, "/v1/write/batch"}, {bare, "/plain"}, {bare, "/discard"}}
	senders := make([]*sender, len(contenders))
	for i, c := range contenders {
		s, err := dial(c.p, c.path, contentType, body, "Reply: "+strconv.Itoa(count*frame)+"\r\n")
		if err != nil {
			return err
		}
		defer s.conn.Close()
		if err := s.send(); err != nil { // warm up
			return fmt.Errorf("%s: %w", c.path, err)
		}
		if s.bytes != int64(count*frame) {
			return fmt.Errorf("%s: the answer has %d bytes", c.path, s.bytes)
		}
		senders[i] = s
	}
	const rounds = 11
	var wall, cpuPlain, cpuDiscard, rate []float64
	for range rounds {
		var took [3]cost
		for i := range senders {
			var err error
			if took[i], err = senders[i].measure(contenders[i].p, count); err != nil {
				return err
			}
		}
		wall = append(wall, took[1].wall/took[0].wall)
		cpuPlain = append(cpuPlain, took[0].cpu/took[1].cpu)
		cpuDiscard = append(cpuDiscard, took[0].cpu/took[2].cpu)
		rate = append(rate, 1000/took[0].wall)
	}
	what := fmt.Sprintf("batch of %d, %s: ", count, form)
	from := fmt.Sprintf("%.2f M writes/s", median(rate))
	t.row("P9", what+"writes/s against the plain way", median(wall), 10, true, "x", from)
	t.row("P9", what+"CPU a write against the plain way", median(cpuPlain), 0.1, false, "x", "")
	t.row("P9", what+"CPU against read, discard, send", median(cpuDiscard), 4, false, "x", "")
	return nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
