//go:build race

package pool

import "sync/atomic"

// poison fills the slices of a buffer that lies in the pool, so that whoever still reads them sees nonsense, and whoever still
// writes to them is found out at the next Get.
const poison = 0xdb

// guard finds buffers that are used after they were given back.
type guard struct {
	free atomic.Bool // given back, by Put or Drop
}

func (g *guard) get(b *Buffer) {
	if !g.free.Swap(false) {
		return // made just now
	}
	for _, s := range [][]byte{b.In, b.Out, b.Scratch} {
		for _, c := range s[:cap(s)] {
			if c != poison {
				panic("pool: a buffer was written to after Put")
			}
		}
	}
}

func (g *guard) put(b *Buffer) {
	g.drop()
	for _, s := range [][]byte{b.In, b.Out, b.Scratch} {
		s = s[:cap(s)]
		for i := range s {
			s[i] = poison
		}
	}
}

func (g *guard) drop() {
	if g.free.Swap(true) {
		panic("pool: Put or Drop of a buffer that was given back before")
	}
}
