// Command ratios prints what `make bench` promises: the speed of the codec as ratios within one run, each against an honest
// counterpart that does the same work in the plain way. Time alone says nothing on a shared machine; of a ratio the median over many
// short rounds is taken, and beside it stands what the counterpart makes against itself (A/A), which is what noise does to 1.00.
//
// Exit code 1 means that a ratio is beyond its reach, also when measured again, or that something allocates.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"mxrest/internal/bench"
	"mxrest/internal/bench/plain"
	"mxrest/internal/codec"
)

func main() {
	again := flag.Int("again", 2, "measure a row that is beyond its reach so many times more, and keep the best")
	flag.Parse()
	runtime.LockOSThread()
	runtime.GOMAXPROCS(1)
	t := table{again: *again}
	t.head()
	codecRows(&t)
	jsonRows(&t)
	failures := gateFailures()
	t.print("P6", "gated rows of `mxrest bench` that allocate more than they may", strconv.Itoa(failures), "0", "", "", "")
	if t.beyond > 0 {
		fmt.Printf("\n%d rows are beyond their reach.\n", t.beyond)
	}
	if t.beyond > 0 || failures > 0 {
		os.Exit(1)
	}
}

// must drops the error that the loops of package bench return: their input is constant and valid.
func must(loop func(n int) error) plain.Loop {
	return func(n int) {
		if err := loop(n); err != nil {
			panic(err)
		}
	}
}

func codecRows(t *table) {
	int32Write := codec.Write{Value: codec.Value{Type: codec.Int32, Bits: 305419896}}
	names := plain.MakeNames()
	memcpy := func() plain.Loop { return plain.Memcpy(make([]byte, 40), 0) }
	t.row("P1", "Int32 body, 40 bytes, against memcpy of 40 bytes", func() (ours, other plain.Loop) {
		return must(bench.Encode(int32Write)), memcpy()
	}, 3)
	t.row("P2", "body and both signatures of new names, against that memcpy", func() (ours, other plain.Loop) {
		return must(bench.EncodeNames(names)), memcpy()
	}, 12)
	t.row("P2", "both signatures, against a byte-wise CRC of the same names", func() (ours, other plain.Loop) {
		return must(bench.Signatures(names)), plain.CRC(names)
	}, 0.4)
	text := func(s string) pair {
		return func() (ours, other plain.Loop) { return must(bench.Encode(textWrite(s))), plain.Runes(s) }
	}
	t.row("P3", "String of 120 ASCII letters, against a rune loop", text(bench.ASCIIText), 0.35)
	t.row("P3", "String of mixed text, against a rune loop", text(bench.MixedText), 1.1)
	for _, count := range []int{1000, 10000} {
		for _, kind := range []codec.Type{codec.Int32Array, codec.Float64Array} {
			t.row("P4", fmt.Sprintf("%v of %d, against memcpy of the elements to their place", kind, count), func() (ours, other plain.Loop) {
				w, elems := bench.ArrayWrite(kind, count)
				// Elements stand 28 bytes into a body, which no vector store is aligned to; memcpy is measured to the same place.
				return must(bench.Encode(w)), plain.Memcpy(elems, 28)
			}, 1.5)
		}
	}
}

func textWrite(text string) codec.Write {
	return codec.Write{Value: codec.Value{Type: codec.String, Text: []byte(text)}}
}

// gateFailures counts the rows of the bench that allocate.
func gateFailures() int {
	rep, err := bench.Run("ratios", nil)
	if err != nil {
		panic(err)
	}
	return len(rep.Gate.Failures)
}
