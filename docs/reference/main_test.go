package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mxrest/api"
)

// The page that is committed is the one that the document gives.
func TestReferenceIsCurrent(t *testing.T) {
	want, err := render(api.YAML())
	require.NoError(t, err)
	got, err := os.ReadFile("../reference.md")
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "docs/reference.md is not what api/openapi.yaml gives: run `make generate`")
}

// Every link of the page leads to a heading of it.
func TestLinksLead(t *testing.T) {
	page, err := render(api.YAML())
	require.NoError(t, err)
	page = regexp.MustCompile("(?s)```.*?```").ReplaceAll(page, nil)
	heads := map[string]bool{}
	strip := strings.NewReplacer("/", "", ".", "", " ", "-")
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(page), -1) {
		anchor := strip.Replace(strings.ToLower(h[1]))
		require.False(t, heads[anchor], "two headings #%s", anchor)
		heads[anchor] = true
	}
	for _, l := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(string(page), -1) {
		require.True(t, heads[l[1]], "no heading for #%s", l[1])
	}
}
