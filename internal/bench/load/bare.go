//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"mxrest/internal/bench"
	"mxrest/internal/bench/plain"
)

// frame is what a batch answers for one Int32: a u32 length and 40 bytes.
const frame = 44

// serveBare serves the counterparts until it is told to stop: the bare handler at /v1/write; at /plain a batch in the plain way; at
// /discard one that reads, discards, and sends as much. The collector runs as rarely as the product's.
func serveBare(address string) {
	debug.SetGCPercent(400)
	mux := http.NewServeMux()
	mux.Handle("POST /v1/write", bench.Bare())
	mux.HandleFunc("POST /plain", plainBatch)
	mux.HandleFunc("POST /discard", discard)
	ln, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "serving at http://%s\n", ln.Addr())
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() { _ = http.Serve(ln, mux) }()
	<-stop
}

// plainBatch is ReadAll, encoding/json and the same reply.
func plainBatch(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var list []plain.Request[int32]
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-ndjson") {
		for line := range bytes.Lines(body) {
			var item plain.Request[int32]
			if err = json.Unmarshal(line, &item); err != nil {
				break
			}
			list = append(list, item)
		}
	} else {
		err = json.Unmarshal(body, &list)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var out []byte
	for i := range list {
		if out, err = plain.AppendFrame(out, &list[i]); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(out)))
	_, _ = w.Write(out)
}

// discard reads the body, throws it away, and sends as many bytes as the header Reply says.
func discard(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	size, _ := strconv.Atoi(r.Header.Get("Reply"))
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(size))
	for piece := make([]byte, 64<<10); size > 0; size -= len(piece) {
		if _, err := w.Write(piece[:min(size, len(piece))]); err != nil {
			return
		}
	}
}
