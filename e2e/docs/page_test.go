//go:build e2e

package docs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// example is one fenced block that is run, or written to a file.
//
// What a block is, its language says, and an HTML comment on the line before its fence, which a reader does not see:
//
//	<!-- example: background -->      started and left running until the page ends
//	<!-- example: file NAME -->       written to the file NAME, for the examples after it
//	<!-- example: fails -->           its exit code is not 0
//	<!-- example: client NAME -->     run by e2e/clients with the generated client NAME
//	<!-- example: not run: REASON --> shown only
//
// A block in text right after it is what it prints: … stands for any text in a line, and alone for any lines.
type example struct {
	page   string
	line   int
	lang   string
	code   string
	kind   string // "", or the first word of the comment
	arg    string
	output *string
}

func (e example) name() string { return fmt.Sprintf("line_%d_%s", e.line, e.lang) }

var (
	fence   = regexp.MustCompile("^```([a-z]*)")
	comment = regexp.MustCompile(`^<!-- example: (background|file|fails|client|not run)(?:[: ]+(.*?))? -->$`)
	runs    = map[string]bool{"sh": true, "python": true, "js": true, "go": true}
)

// readPage takes the examples out of a page.
func readPage(path string) ([]example, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []example
	lines := strings.Split(string(b), "\n")
	last := -1          // the example that a text block would belong to
	kind, arg := "", "" // of the comment before the next fence
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := comment.FindStringSubmatch(line); m != nil {
			kind, arg = m[1], m[2]
			continue
		}
		if strings.HasPrefix(line, "<!-- example") {
			return nil, fmt.Errorf("%s:%d: no such kind of example", path, i+1)
		}
		m := fence.FindStringSubmatch(line)
		if m == nil {
			if strings.TrimSpace(line) != "" {
				last = -1
			}
			continue
		}
		start := i
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		if i == len(lines) {
			return nil, fmt.Errorf("%s:%d: the block does not end", path, start+1)
		}
		text := strings.Join(lines[start+1:i], "\n") + "\n"
		switch {
		case m[1] == "text" && last >= 0:
			out[last].output = &text
			last = -1
		case runs[m[1]] || kind == "file":
			out = append(out, example{page: path, line: start + 1, lang: m[1], code: text, kind: kind, arg: arg})
			last = len(out) - 1
		default:
			last = -1
		}
		kind, arg = "", ""
	}
	return out, nil
}

// matches compares what was printed with what the page shows.
func matches(want, got string) bool {
	pattern := regexp.QuoteMeta(strings.TrimRight(want, "\n "))
	pattern = regexp.MustCompile(`(?m)^…$`).ReplaceAllString(pattern, "\x00")
	pattern = strings.ReplaceAll(pattern, "…", `[^\n]*`)
	pattern = strings.ReplaceAll(pattern, "\x00", `(?s:.*)`)
	clean := regexp.MustCompile(`[ \t]+\n`).ReplaceAllString(got, "\n")
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(strings.TrimRight(clean, "\n "))
}
