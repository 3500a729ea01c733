package server

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mxrest/internal/cases"
)

// TestClientsGetTheirOwnBytes: 64 clients at once, each sending its own number and, in between, text of its own length. Run with -race, where
// the pool also looks for buffers that two requests share.
func TestClientsGetTheirOwnBytes(t *testing.T) {
	_, url := start(t, Default())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	var wg sync.WaitGroup
	wrong := make(chan string, 64)
	for n := range 64 {
		wg.Go(func() {
			letter := string(rune('a' + n%26))
			size := 1 + 37*n
			text := cases.Write("String", `"`+strings.Repeat(letter, size)+`"`)
			wantText := cases.Body("05", le32(4+2+2*size+0)+le32(2+2*size)+strings.Repeat(hex.EncodeToString([]byte(letter))+"00", size)+"0000")
			number, wantNumber := numbered(n), numberedHex(n)
			for i := range 60 {
				body, want := number, wantNumber
				if i%3 == 2 {
					body, want = text, wantText
				}
				res, err := client.Post(url+"/v1/write", "application/json", strings.NewReader(body))
				if err != nil {
					wrong <- err.Error()
					return
				}
				got, err := io.ReadAll(res.Body)
				res.Body.Close()
				if err != nil || hex.EncodeToString(got) != want {
					wrong <- fmt.Sprintf("client %d, request %d: %v, %d bytes: %.100x", n, i, err, len(got), got)
					return
				}
			}
		})
	}
	wg.Wait()
	close(wrong)
	for w := range wrong {
		t.Error(w)
	}
}

func le32(n int) string {
	return fmt.Sprintf("%02x%02x%02x%02x", n&255, n>>8&255, n>>16&255, n>>24&255)
}

// TestMemoryComesBack: one text of 1 MiB, then 1,000 Booleans of 37 bytes each, and the heap is what it was.
func TestMemoryComesBack(t *testing.T) {
	_, url := start(t, Default())
	small := cases.Write("Boolean", "true")
	send := func(body string) string {
		res, got := call(t, "POST", url+"/v1/write", body, jsonType)
		require.Equal(t, 200, res.StatusCode, clipped(got))
		return got
	}
	send(small)
	before := heap()
	big := send(cases.Write("String", `"`+strings.Repeat("x", 1<<20)+`"`))
	require.Len(t, big, 36+8+2<<20+2)
	big = ""
	for range 1000 {
		require.Len(t, send(small), 37)
	}
	require.Less(t, heap(), before+1<<20)
	_ = big
}

// heap is the number of live bytes.
func heap() uint64 {
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(50 * time.Millisecond)
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
