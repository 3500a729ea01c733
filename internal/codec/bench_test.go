package codec

import "testing"

// The rows of `mxrest bench`, and the ratios of `make bench`, live in internal/bench; this is for work on the encoder itself.
func BenchmarkAppendWrite(b *testing.B) {
	for _, c := range writeCases(b) {
		b.Run(c.name, func(b *testing.B) {
			dst, w := make([]byte, 0, 256), c.w
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = AppendWrite(dst[:0], &w)
			}
		})
	}
}
