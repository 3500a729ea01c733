//go:build !race

package codec

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// decodeBodies are what the allocation test and the benchmark run over.
func decodeBodies(t testing.TB) map[string][]byte {
	all := map[string][]byte{
		"advise":      unhex(t, adviseHex),
		"suspend":     unhex(t, suspendHex),
		"status":      unhex(t, "0000508000"),
		"completion":  unhex(t, "41"),
		"data update": unhex(t, "33 0100 02000000"+guidHex+recordHex+"07000000"+recordHex+"ffffffff"),
	}
	for _, c := range writeCases(t) {
		all["write "+c.name] = unhex(t, c.body)
	}
	return all
}

func TestDecodeAllocs(t *testing.T) {
	for name, body := range decodeBodies(t) {
		var m Message
		var rec Record
		n := testing.AllocsPerRun(100, func() {
			if err := std.Decode(&m, body); err != nil {
				t.Fatal(err)
			}
			for rs := m.Subscription.Records(); rs.Next(&rec); {
			}
		})
		require.Zero(t, n, name)
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, body := range decodeBodies(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var m Message
			for b.Loop() {
				if err := std.Decode(&m, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
