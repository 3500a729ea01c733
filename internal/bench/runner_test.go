package bench

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counting is a Runner whose runs take two seconds and are numbered by their version.
func counting(runs *atomic.Int32, fail error) *Runner {
	r := NewRunner()
	r.count = func(ctx context.Context) (*Report, error) {
		n := runs.Add(1)
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if fail != nil {
			return nil, fail
		}
		return &Report{Version: string('0' + n), Date: time.Now().Truncate(time.Second)}, nil
	}
	return r
}

// Ten callers at once wait for one run; it is kept for a minute, and its age is said.
func TestRunnerKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		r := counting(&runs, nil)
		defer r.Close()
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				rep, err := r.Report(t.Context())
				if assert.NoError(t, err) {
					assert.Equal(t, "1", rep.Version)
					assert.Zero(t, rep.AgeSeconds)
				}
			})
		}
		wg.Wait()
		time.Sleep(59 * time.Second)
		rep, err := r.Report(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "1", rep.Version)
		assert.Equal(t, 59, rep.AgeSeconds)
		time.Sleep(2 * time.Second)
		rep, err = r.Report(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "2", rep.Version)
		assert.Equal(t, int32(2), runs.Load())
	})
}

// A failure is not tried again at once, but after ten seconds.
func TestRunnerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		cause := errors.New("no room")
		r := counting(&runs, cause)
		defer r.Close()
		for range 5 {
			_, err := r.Report(t.Context())
			var u *Unavailable
			require.ErrorAs(t, err, &u)
			assert.ErrorIs(t, err, cause)
			assert.Positive(t, u.Retry)
			assert.LessOrEqual(t, u.Retry, 10*time.Second)
		}
		assert.Equal(t, int32(1), runs.Load())
		time.Sleep(10 * time.Second)
		_, err := r.Report(t.Context())
		assert.ErrorIs(t, err, cause)
		assert.Equal(t, int32(2), runs.Load())
	})
}

// A caller who goes away does not end the run; Close does.
func TestRunnerCallerGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		r := counting(&runs, nil)
		defer r.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := r.Report(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		rep, err := r.Report(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "1", rep.Version)
	})
}

func TestRunnerClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		r := counting(&runs, nil)
		go func() { time.Sleep(time.Second); r.Close() }()
		_, err := r.Report(t.Context())
		assert.Error(t, err)
		var u *Unavailable
		assert.ErrorAs(t, err, &u)
	})
}

func TestNoRunner(t *testing.T) {
	var r *Runner
	_, err := r.Report(t.Context())
	assert.ErrorIs(t, err, ErrNoChild)
}
