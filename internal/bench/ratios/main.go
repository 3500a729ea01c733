// Command ratios prints what `make bench` promises: the speed of the codec as ratios within one run, each against an honest
// counterpart that does the same work in the plain way. Time alone says nothing on a shared machine; of a ratio the median over many
// short rounds is taken, and beside it stands what the counterpart makes against itself (A/A), which is what noise does to 1.00.
//
// Exit code 1 means that a ratio is beyond -slack times its reach, or that something allocates. `make bench` takes no slack; `make check` takes 2, since
// on a shared machine only counts are exact: there a ratio stands against slips, not for a promise.
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
	slack := flag.Float64("slack", 1, "fail only beyond so many times the reach; what is between is marked all the same")
	flag.Parse()
	runtime.LockOSThread()
	runtime.GOMAXPROCS(1)
	t := table{again: *again, slack: *slack}
	t.head()
	codecRows(&t)
	jsonRows(&t)
	failures := gateFailures()
	t.print("P6", "gated rows of `mxrest bench` that allocate more than they may", strconv.Itoa(failures), "0", "", "", "")
	if t.beyond > 0 {
		fmt.Printf("\n%d rows are beyond their reach.\n", t.beyond)
	}
	if t.failed > 0 || failures > 0 {
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
	body, names := must(bench.Encode(int32Write)), plain.MakeNames()
	memcpy := plain.Memcpy(make([]byte, 40), 0)
	t.row("P1", "Int32 body, 40 bytes, against memcpy of 40 bytes", body, memcpy, 3)
	t.row("P2", "body and both signatures of new names, against that memcpy", must(bench.EncodeNames(names)), memcpy, 12)
	t.row("P2", "both signatures, against a byte-wise CRC of the same names", must(bench.Signatures(names)), plain.CRC(names), 0.4)
	t.row("P3", "String of 120 ASCII letters, against a rune loop", must(bench.Encode(textWrite(bench.ASCIIText))), plain.Runes(bench.ASCIIText), 0.35)
	t.row("P3", "String of mixed text, against a rune loop", must(bench.Encode(textWrite(bench.MixedText))), plain.Runes(bench.MixedText), 1.1)
	for _, count := range []int{1000, 10000} {
		for _, kind := range []codec.Type{codec.Int32Array, codec.Float64Array} {
			w, elems := bench.ArrayWrite(kind, count)
			// Elements stand 28 bytes into a body, which no vector store is aligned to; memcpy is measured to the same place.
			t.row("P4", fmt.Sprintf("%v of %d, against memcpy of the elements to their place", kind, count), must(bench.Encode(w)), plain.Memcpy(elems, 28), 1.5)
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
