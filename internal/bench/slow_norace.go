//go:build !race

package bench

const slowdown = 1
