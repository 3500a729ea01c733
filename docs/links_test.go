// Package docs holds the documentation; its test follows the links.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	block   = regexp.MustCompile("(?ms)^```.*?^```$")
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link between pages leads to a file, and to a heading in it where it names one.
func TestLinksLead(t *testing.T) {
	var pages []string
	for _, root := range []string{"..", "."} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && root == ".." && path != "..":
				return fs.SkipDir // of the repository only its own pages
			case strings.HasSuffix(path, ".md"):
				pages = append(pages, path)
			}
			return nil
		}))
	}
	text := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return block.ReplaceAllString(string(b), "")
	}
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(text(page), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") {
				continue // another site
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s: %s is not there", page, m[1])
				continue
			}
			if anchor == "" || info.IsDir() {
				continue
			}
			anchors := map[string]bool{}
			for _, h := range heading.FindAllStringSubmatch(text(file), -1) {
				name := dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(h[1])), "")
				anchors[strings.ReplaceAll(name, " ", "-")] = true
			}
			if !anchors[anchor] {
				t.Errorf("%s: %s has no such heading", page, m[1])
			}
		}
	}
}
