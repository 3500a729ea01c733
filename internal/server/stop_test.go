package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// lockedBuffer is a log that a test may read while the server writes it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// running is a server whose end the test decides.
type running struct {
	*Server
	url       string
	stop, now context.CancelFunc
	done      chan error
	log       *lockedBuffer
}

func run(t *testing.T, cfg Config) *running {
	t.Helper()
	cfg.Listen = "127.0.0.1:0"
	r := &running{done: make(chan error, 1), log: &lockedBuffer{}}
	cfg.Logger = slog.New(slog.NewTextHandler(r.log, nil))
	var err error
	r.Server, err = New(cfg)
	require.NoError(t, err)
	r.url = r.URL()
	ctx, stop := context.WithCancel(context.Background())
	now, cancel := context.WithCancel(context.Background())
	r.stop, r.now = stop, cancel
	go func() { r.done <- r.Run(ctx, now) }()
	t.Cleanup(func() { stop(); cancel() })
	require.Eventually(t, r.Ready, 10*time.Second, time.Millisecond)
	return r
}

func (r *running) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(60 * time.Second):
		t.Fatal("the server did not stop")
		return nil
	}
}

// A request under way is finished after the signal, while nothing new gets in and the admin listener says "stopping".
func TestStopFinishesWhatIsUnderWay(t *testing.T) {
	cfg := Default()
	cfg.AdminListen = "127.0.0.1:0"
	r := run(t, cfg)
	c := dial(t, r.Server)
	half := len(cases.Base) / 2
	fmt.Fprintf(c, "POST /v1/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(cases.Base), cases.Base[:half])
	require.Eventually(t, func() bool { return r.apiInFlight.Load() == 1 }, 10*time.Second, time.Millisecond)
	r.stop()
	require.Eventually(t, func() bool {
		res, _ := call(t, "GET", "http://"+r.AdminAddr().String()+"/readyz", "")
		return res.StatusCode == 503
	}, 10*time.Second, time.Millisecond)
	require.Eventually(t, func() bool {
		res, err := http.Get(r.url + "/healthz")
		if err == nil {
			res.Body.Close()
		}
		return err != nil
	}, 10*time.Second, time.Millisecond, "the listener closes")

	_, err := io.WriteString(c, cases.Base[half:])
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Len(t, b, 40)
	require.True(t, res.Close, "the connection is given up")
	require.NoError(t, r.wait(t))
	require.Contains(t, r.log.String(), "stopped")
}

// During the drain delay /readyz says no and everything else goes on.
func TestDrainDelay(t *testing.T) {
	cfg := Default()
	cfg.Timeouts.Drain, cfg.Timeouts.Grace = 20*time.Second, 20*time.Second
	r := run(t, cfg)
	r.stop()
	require.Eventually(t, func() bool { return !r.Ready() }, 10*time.Second, time.Millisecond)
	res, body := call(t, "GET", r.url+"/readyz", "")
	require.Equal(t, 503, res.StatusCode)
	problem(t, res, body)
	res, _ = call(t, "GET", r.url+"/healthz", "")
	require.Equal(t, 200, res.StatusCode)
	res, _ = call(t, "POST", r.url+"/v1/write", cases.Base, jsonType)
	require.Equal(t, 200, res.StatusCode)
	require.True(t, res.Close, "kept connections are sent elsewhere")
	r.now()
	require.ErrorIs(t, r.wait(t), ErrStoppedNow)
}

// A client that never ends its request is cut off when the grace is over, and that is no failure.
func TestGraceEnds(t *testing.T) {
	cfg := Default()
	cfg.Timeouts.Grace = 50 * time.Millisecond
	r := run(t, cfg)
	hold(t, r.Server, "")
	r.stop()
	require.NoError(t, r.wait(t))
	require.Contains(t, r.log.String(), "the grace is over")
}

// A second signal does not wait for anybody.
func TestStopNow(t *testing.T) {
	cfg := Default()
	cfg.Timeouts.Grace = time.Hour
	r := run(t, cfg)
	hold(t, r.Server, "")
	r.stop()
	require.Eventually(t, func() bool { return !r.Ready() }, 10*time.Second, time.Millisecond)
	r.now()
	require.ErrorIs(t, r.wait(t), ErrStoppedNow)
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(*Config)
		says, not []string
	}{
		{"loopback", func(c *Config) { c.Listen = "127.0.0.1:0" }, nil, []string{"WARN"}},
		{"open", func(c *Config) { c.Listen = "0.0.0.0:0" }, []string{"anybody who reaches this address", "unencrypted"}, nil},
		{"open with keys", func(c *Config) { c.Listen = ":0"; c.APIKeys, _ = newKeyFile(t, "only") }, []string{"unencrypted", "keys=1"}, []string{"anybody"}},
		{"open admin", func(c *Config) { c.Listen, c.AdminListen = "127.0.0.1:0", ":0" }, []string{"admin listener has no keys"}, []string{"anybody"}},
	} {
		cfg := Default()
		var log lockedBuffer
		cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		c.change(&cfg)
		s, err := New(cfg)
		require.NoError(t, err)
		s.announce()
		s.Close()
		require.Contains(t, log.String(), "url=http://")
		for _, w := range c.says {
			require.Contains(t, log.String(), w, c.name)
		}
		for _, w := range c.not {
			require.NotContains(t, log.String(), w, c.name)
		}
	}
}
