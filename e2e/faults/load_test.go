//go:build e2e

package faults

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

const handle = `{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":"TestChildObject","primitiveId":2,"attributeId":155,"propertyId":10,"attribute":"TestInt"}`

// The bytes before and after a scalar's value with that handle and the default layout, put together by hand.
var (
	prefix = unhex("37 0100 050036d702009b000a003eda0000")
	suffix = unhex("ffff 0000000000000000 00000000 00000000")
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// int32Write is a request and its right answer.
func int32Write(v int32) (request string, body []byte) {
	body = append(slices.Clone(prefix), 0x02)
	body = binary.LittleEndian.AppendUint32(body, uint32(v))
	return fmt.Sprintf(`{"handle":%s,"type":"Int32","value":%d}`, handle, v), append(body, suffix...)
}

func stringWrite(s string) (request string, body []byte) {
	text := utf16.Encode([]rune(s + "\x00"))
	body = append(slices.Clone(prefix), 0x05)
	body = binary.LittleEndian.AppendUint32(body, uint32(4+2*len(text)))
	body = binary.LittleEndian.AppendUint32(body, uint32(2*len(text)))
	for _, u := range text {
		body = binary.LittleEndian.AppendUint16(body, u)
	}
	return fmt.Sprintf(`{"handle":%s,"type":"String","value":%q}`, handle, s), append(body, suffix...)
}

// nthWrite is the n-th request of a worker: its own number, or text of its own length.
func nthWrite(worker, n int) (string, []byte) {
	if n%4 == 3 {
		return stringWrite(strings.Repeat("é", worker) + fmt.Sprint(n))
	}
	return int32Write(int32(worker<<20 | n))
}

// client is one caller: kept connections, and no request is sent twice by itself.
func client() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
}

// post sends JSON and gives the whole answer.
func post(c *http.Client, url, body string) (*http.Response, []byte, error) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res, b, err
}

// write sends one write and compares the answer.
func write(c *http.Client, url, request string, want []byte) error {
	res, got, err := post(c, url+"/v1/write", request)
	switch {
	case err != nil:
		return err
	case res.StatusCode != http.StatusOK:
		return &statusError{res.StatusCode, res.Header.Get("Retry-After"), res.Header.Get("Content-Type"), string(got)}
	case !bytes.Equal(got, want):
		return fmt.Errorf("wrong bytes: %x, want %x", got, want)
	}
	return nil
}

type statusError struct {
	code                    int
	retryAfter, contentType string
	body                    string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d %s", e.code, e.body) }

// load is writers that send without a pause, each checking each answer, until stopped.
type load struct {
	stopped context.CancelFunc
	wg      sync.WaitGroup

	mu     sync.Mutex
	sent   int
	failed []error
	took   []time.Duration
}

func startLoad(t *testing.T, url string, workers int) *load {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	l := &load{stopped: cancel}
	for w := range workers {
		l.wg.Go(func() {
			c := client()
			defer c.CloseIdleConnections()
			for n := 0; ctx.Err() == nil; n++ {
				request, want := nthWrite(w, n)
				start := time.Now()
				l.note(write(c, url, request, want), time.Since(start))
			}
		})
	}
	t.Cleanup(func() { cancel(); l.wg.Wait() })
	return l
}

func (l *load) note(err error, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	l.took = append(l.took, took)
	if err != nil {
		l.failed = append(l.failed, err)
	}
}

// count is how many requests were answered until now.
func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// waitMore waits until n more requests were answered: progress, not time, is what a test waits for.
func (l *load) waitMore(t *testing.T, n int) {
	t.Helper()
	from := l.count()
	waitFor(t, 60*time.Second, fmt.Sprintf("%d more answers", n), func() error {
		if l.count() < from+n {
			return errors.New("not yet")
		}
		return nil
	})
}

// stop ends the load and fails the test for each request that was lost or answered wrongly.
func (l *load) stop(t *testing.T) {
	t.Helper()
	l.stopped()
	l.wg.Wait()
	for i, err := range l.failed {
		if i == 5 {
			break
		}
		t.Errorf("lost: %v", err)
	}
	t.Logf("%d requests, %d lost, p50 %v, p99 %v, longest %v", l.sent, len(l.failed), l.quantile(.5), l.quantile(.99), l.quantile(1))
}

func (l *load) quantile(q float64) time.Duration {
	if len(l.took) == 0 {
		return 0
	}
	slices.Sort(l.took)
	return l.took[min(len(l.took)-1, int(q*float64(len(l.took))))].Round(10 * time.Microsecond)
}
