//go:build race

package bench

// slowdown: under the race detector counts mean nothing, since it allocates itself and makes sync.Pool forget; a run is then only tried out.
const slowdown = 100
