// Package bench is the one list of scenarios behind `go test -bench`, `mxrest bench` and GET /bench.
//
// Allocations and bytes are counted exactly (Count), so that a gate can hold them; times are only for comparing rows and anchors of one
// run. Counting wants a process that does nothing else: inside a loaded server the counts are off by several allocations, and a
// forced collection takes up to seconds. So both commands run the program's own file again as a child (Runner), which counts at
// GOMAXPROCS 1, prints a Report as JSON and ends.
package bench
