package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"mxrest/internal/server"
)

var update = flag.Bool("update", false, "write the tables of docs/operations.md anew")

const operationsDoc = "../../docs/operations.md"

// The tables of docs/operations.md list exactly the flags and metrics that exist, in the words of the program itself.
// After a change: go test ./cmd/mxrest -run TestOperationsDoc -update
func TestOperationsDoc(t *testing.T) {
	b, err := os.ReadFile(operationsDoc)
	require.NoError(t, err)
	want := string(b)
	for name, table := range map[string]string{"flags": flagTables(t), "other flags": otherFlagTables(t), "metrics": metricTable(t)} {
		want = between(t, want, name, table)
	}
	if *update {
		require.NoError(t, os.WriteFile(operationsDoc, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(b), "run: go test ./cmd/mxrest -run TestOperationsDoc -update")
	for _, v := range variables() {
		require.Contains(t, want, "`"+v+"`")
	}
}

// between puts text between the two markers of this name.
func between(t *testing.T, doc, name, text string) string {
	t.Helper()
	head, rest, found := strings.Cut(doc, "<!-- "+name+" -->\n")
	require.True(t, found, name)
	_, tail, found := strings.Cut(rest, "<!-- /"+name+" -->\n")
	require.True(t, found, name)
	return head + "<!-- " + name + " -->\n" + text + "<!-- /" + name + " -->\n" + tail
}

func flagTables(t *testing.T) string {
	t.Helper()
	var c cli
	p := newParser(t, &c)
	var out strings.Builder
	group := ""
	for _, node := range p.Model.Children {
		if node.Name != "serve" {
			continue
		}
		for _, f := range node.Flags {
			if f.Name == "help" {
				continue
			}
			require.NotNil(t, f.Group, f.Name)
			require.Len(t, f.Envs, 1, f.Name)
			if f.Group.Title != group {
				group = f.Group.Title
				fmt.Fprintf(&out, "\n**%s**\n\n| flag | variable | default | |\n|---|---|---|---|\n", strings.TrimSuffix(group, ":"))
			}
			fmt.Fprintf(&out, "| `--%s` | `%s` | %s |\n", f.Name, f.Envs[0], defaultAndHelp(f.Value))
		}
	}
	return out.String() + "\n"
}

// defaultAndHelp are the last two cells of a flag's or an argument's row: the help does not say again what the default is.
func defaultAndHelp(v *kong.Value) string {
	value := v.Default
	switch {
	case v.Required:
		value = "must be given"
	case value != "":
		value = "`" + value + "`"
	}
	help := strings.ReplaceAll(v.Help, " ("+v.Default+")", "")
	help = strings.ReplaceAll(help, " ("+v.Default+", the most", " (the most")
	if v.Enum != "" {
		help = strings.ReplaceAll(help, " ("+v.Enum+")", "")
		help = strings.ReplaceAll(help, v.Enum, "`"+strings.ReplaceAll(v.Enum, ",", "`, `")+"`")
	}
	return value + " | " + help
}

// otherFlagTables are the arguments and flags of every command but serve, a table each; a command that has none has no table.
func otherFlagTables(t *testing.T) string {
	t.Helper()
	var c cli
	var out strings.Builder
	for _, node := range newParser(t, &c).Model.Leaves(false) {
		if node.Name == "serve" {
			continue
		}
		var rows strings.Builder
		row := func(name string, v *kong.Value) {
			require.LessOrEqual(t, len(v.Tag.Envs), 1, name)
			variable := ""
			if len(v.Tag.Envs) == 1 {
				variable = "`" + v.Tag.Envs[0] + "`"
			}
			require.NotContains(t, v.Help, "|", name)
			fmt.Fprintf(&rows, "| %s | %s | %s |\n", name, variable, defaultAndHelp(v))
		}
		for _, v := range node.Positional {
			row("`"+strings.ToUpper(v.Name)+"`", v)
		}
		for _, f := range node.Flags {
			if f.Name == "help" {
				continue
			}
			name := "`--" + f.Name + "`"
			if f.Short != 0 {
				name += ", `-" + string(f.Short) + "`"
			}
			row(name, f.Value)
		}
		if rows.Len() > 0 {
			_, command, _ := strings.Cut(node.FullPath(), " ") // after the program's name
			fmt.Fprintf(&out, "\n**%s**\n\n| argument or flag | variable | default | |\n|---|---|---|---|\n%s", command, rows.String())
		}
	}
	return out.String() + "\n"
}

func metricTable(t *testing.T) string {
	t.Helper()
	cfg := server.Default()
	cfg.Listen = "127.0.0.1:0"
	s, err := server.New(cfg)
	require.NoError(t, err)
	defer s.Close()
	var out strings.Builder
	out.WriteString("\n| metric | type | labels | |\n|---|---|---|---|\n")
	for _, m := range s.Metrics() {
		labels := ""
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labels, m.Help)
	}
	return out.String() + "\n"
}

// Every test and fuzzer that docs/security.md names is there.
func TestSecurityDocNamesTestsThatExist(t *testing.T) {
	b, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)
	have := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			have[m[1]] = true
		}
		return err
	})
	require.NoError(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(b), -1)
	require.Greater(t, len(named), 50)
	for _, m := range named {
		require.True(t, have[m[1]], "%s is named in docs/security.md and does not exist", m[1])
	}
}
