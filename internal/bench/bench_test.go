package bench_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/internal/bench"
	"mxrest/internal/server"
)

func TestMain(m *testing.M) {
	bench.ChildMain("test", measured)
	os.Exit(m.Run())
}

func measured() (*http.Server, error) { return server.NewHTTP(server.Default()) }

// scenarios lists every row, with the server as the product starts it.
func scenarios(tb testing.TB) []bench.Scenario {
	tb.Helper()
	srv, err := measured()
	require.NoError(tb, err)
	list, closeAll, err := bench.Scenarios(srv)
	require.NoError(tb, err)
	tb.Cleanup(closeAll)
	return list
}

func BenchmarkScenarios(b *testing.B) {
	for _, s := range scenarios(b) {
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			if err := s.Loop(b.N); err != nil {
				b.Fatal(err)
			}
		})
	}
}
