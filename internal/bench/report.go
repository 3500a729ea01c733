package bench

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"mxrest/internal/bench/plain"
)

// Report is one run, in the form of GET /bench.json.
type Report struct {
	Date       time.Time `json:"date"` // when the run ended
	AgeSeconds int       `json:"ageSeconds"`
	Version    string    `json:"version"`
	Revision   string    `json:"revision,omitempty"`
	Go         string    `json:"go"`
	OS         string    `json:"os"`
	Arch       string    `json:"arch"`
	CPU        string    `json:"cpu"`
	Iterations int       `json:"iterations"`
	Warmup     int       `json:"warmup"`
	Gate       Gate      `json:"gate"`
	Rows       []Row     `json:"rows"`
	Anchors    []Anchor  `json:"anchors"`
}

// Row is a scenario with its figures.
type Row struct {
	Scenario   string     `json:"scenario"`
	Includes   string     `json:"includes"`
	Iterations int        `json:"iterations"`
	Allocs     float64    `json:"allocsPerOp"`
	Bytes      float64    `json:"bytesPerOp"`
	Deallocs   float64    `json:"deallocsPerOp"`
	NS         Spread     `json:"nsPerOp"`
	Gated      bool       `json:"gated"`
	Reference  *Reference `json:"reference,omitempty"`
}

// Anchor is plain work, timed in the same run.
type Anchor struct {
	Name string `json:"name"`
	NS   Spread `json:"nsPerOp"`
}

// Scenarios lists every row. With a server the HTTP rows are among them, and closeAll must be called after use.
func Scenarios(srv *http.Server) (list []Scenario, closeAll func(), err error) {
	list = append(list, referenceRows()...)
	list = append(list, encodeRows()...)
	list = append(list, decodeRows()...)
	list = append(list, jsonRows()...)
	if srv == nil {
		return list, func() {}, nil
	}
	rows, closeAll, err := httpRows(srv)
	return append(list, rows...), closeAll, err
}

// anchors is plain work to compare times with.
func anchors() []struct {
	name string
	loop plain.Loop
} {
	return []struct {
		name string
		loop plain.Loop
	}{
		{"memcpy of 40 bytes", plain.Memcpy(make([]byte, 40), 0)},
		{"memcpy of 4000 bytes", plain.Memcpy(make([]byte, 4000), 0)},
		{"CRC of two names, byte by byte", plain.CRC(plain.MakeNames())},
		{"String of 120 ASCII letters, rune by rune", plain.Runes(ASCIIText)},
		{"String of mixed text, rune by rune", plain.Runes(MixedText)},
	}
}

// Run measures every row in this process, which should do nothing else: see Child. It sets GOMAXPROCS to 1 and leaves it so.
func Run(version string, srv *http.Server) (*Report, error) {
	runtime.GOMAXPROCS(1)
	list, closeAll, err := Scenarios(srv)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	rep := &Report{
		Version: version, Revision: revision(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpu(),
		Iterations: Iterations, Warmup: Warmup,
	}
	for _, s := range list {
		row := Row{Scenario: s.Name, Includes: s.Includes, Iterations: Iterations, Gated: s.Allocs != Ungated || s.Name == rowWrite, Reference: s.Reference}
		count := countLeast
		if s.Allocs == Ungated {
			count = countOnce // it costs more, and nothing is held to the last object
		}
		f, err := count(s.Loop)
		if err == nil {
			row.NS, err = measure(s.Loop)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		row.Allocs, row.Bytes, row.Deallocs = f.Allocs, f.Bytes, f.Frees
		rep.Rows = append(rep.Rows, row)
	}
	for _, a := range anchors() {
		ns, _ := measure(func(n int) error { a.loop(n); return nil })
		rep.Anchors = append(rep.Anchors, Anchor{Name: a.name, NS: ns})
	}
	rep.Gate = judge(list, rep.Rows)
	rep.Date = time.Now().UTC().Truncate(time.Second)
	return rep, nil
}

// revision is the commit that the program was built from, "" where the build does not know.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev, modified string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	if rev == "" {
		return ""
	}
	return rev[:min(len(rev), 12)] + modified
}

// cpu is the processor's name where the system tells it.
func cpu() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); key == "model name" || key == "Model" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// Row finds a row by its scenario's name; nil when there is none.
func (r *Report) Row(scenario string) *Row {
	for i := range r.Rows {
		if r.Rows[i].Scenario == scenario {
			return &r.Rows[i]
		}
	}
	return nil
}
