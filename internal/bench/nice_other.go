//go:build !unix

package bench

func beNice() {}
