package jsonin

import "mxrest/internal/codec"

// Fixed limits.
const (
	// MaxDepth is how deep objects and arrays may nest in a request unless Limits say otherwise. The deepest schema needs fewer
	// than ten. The server's own default is the same, so that the command line refuses what the server refuses.
	MaxDepth = 64
	// MaxID is the longest id of a batch item, in characters.
	MaxID = 128
)

// Limits bounds one write. The zero value of a member means its default.
type Limits struct {
	// MaxText is the longest text of a String, an element of a StringArray, or a name, in bytes of UTF-8. Default 16 MiB.
	MaxText int
	// MaxElements is the most elements of an array. Default and highest: 65535, what the wire can count.
	MaxElements int
	// MaxItem is the longest item of a batch, a line or an array element, in bytes. Default 16 MiB.
	MaxItem int
	// MaxDepth is how deep objects and arrays may nest. Default: the constant MaxDepth.
	MaxDepth int
}

const defaultMax = 16 << 20

func (l Limits) withDefaults() Limits {
	if l.MaxText <= 0 {
		l.MaxText = defaultMax
	}
	if l.MaxElements <= 0 || l.MaxElements > codec.MaxElements {
		l.MaxElements = codec.MaxElements
	}
	if l.MaxItem <= 0 {
		l.MaxItem = defaultMax
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = MaxDepth
	}
	return l
}

// Decoder reads writes for one layout under one set of limits. It holds nothing else, so that any number of goroutines may
// share one.
type Decoder struct {
	layout *codec.Layout
	limits Limits
}

// New makes a Decoder. A nil layout is the default layout; it decides only how a Boolean array's elements look.
func New(layout *codec.Layout, limits Limits) *Decoder {
	if layout == nil {
		layout = codec.DefaultLayout()
	}
	return &Decoder{layout: layout, limits: limits.withDefaults()}
}

// Item is one write of a batch.
type Item struct {
	codec.Write
	// ID is what the item calls itself, nil when it says nothing.
	ID []byte
}

// Write reads one request body into w. Text and names alias src where it holds no escapes; array elements and unescaped text are
// appended to scratch, which is returned for the next call and must stay as it is while w is used. On the fast path nothing is
// allocated but room in scratch. The error is an [*Error], and w is then not to be used.
func (d *Decoder) Write(w *codec.Write, src, scratch []byte) ([]byte, error) {
	var it Item
	out, err := d.read(&it, src, scratch, false)
	*w = it.Write
	return out, err
}

// Item reads one item of a batch: a write that may have an id. On error ID is still set when it could be read.
// See [Decoder.Write] for the rest.
func (d *Decoder) Item(it *Item, src, scratch []byte) ([]byte, error) {
	return d.read(it, src, scratch, true)
}

func (d *Decoder) read(it *Item, src, scratch []byte, withID bool) ([]byte, error) {
	*it = Item{}
	var f fast // filled in place: a literal would be put together elsewhere and copied
	f.d, f.b, f.scratch, f.withID = d, src, scratch, withID
	err := f.read(it)
	return f.scratch, err
}

// read reads the whole document into it, which is empty: by the fast path, or else by the judge.
func (f *fast) read(it *Item) (err error) {
	scratch := f.scratch
	if f.document(it) {
		return nil
	}
	*it = Item{}
	f.scratch, err = f.d.judge(it, f.b, scratch, f.withID)
	return err
}

// Handle reads the body of a handle request, which is the handle object alone. Without a type to go by, attributeIndex may be -1 to
// 32767 and is 0 when absent. The error is an [*Error].
func (d *Decoder) Handle(h *codec.Handle, src []byte) error {
	f := fast{d: d, b: src}
	if f.handleDocument(h) {
		return nil
	}
	*h = codec.Handle{}
	root, err := d.Parse(src)
	if err != nil {
		return err
	}
	if err := root.wantObject(); err != nil {
		return err
	}
	return d.HandleNode(h, root, 0)
}
