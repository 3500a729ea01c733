package bench

// Group is what a scenario measures.
type Group int

// The groups, in the order of the table but for the reference's rows, which come first whatever their group.
const (
	InCodec   Group = iota // bytes from and to typed values
	InJSON                 // JSON to typed values, or to bytes
	InHandler              // an http.Handler called directly
	InRequest              // whole requests over a loopback connection
)

// Scenario is one row: what it is called, what one operation does, and what the gate asks of it.
type Scenario struct {
	Name     string
	Includes string // what one operation does, in a sentence without a full stop
	Group    Group

	// Allocs is how many allocations an operation makes, which the gate holds exactly; Ungated: it only counts.
	Allocs float64
	// Write marks encoding a write, which the reference's gate covers.
	Write bool
	// Reference is what the reference publishes for this row; nil: it has no such row.
	Reference *Reference

	// Loop does n operations and fails with the first of them.
	Loop func(n int) error
}

// Ungated stands in Scenario.Allocs for a row that the gate does not cover.
const Ungated = -1

// Reference is what the public Rust codec's bench publishes for a row. Its deallocations equal its allocations.
type Reference struct {
	Allocs float64 `json:"allocsPerOp"`
	Bytes  float64 `json:"bytesPerOp"`
}

// The names by which the gate finds the rows that it compares.
const (
	rowBare  = "request, bare handler"
	rowWrite = "request, POST /v1/write, Int32"
)
