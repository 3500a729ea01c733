package handlers

import "bytes"

// lineBreaks are the characters besides the line feed that readers of lines take for one: Python's splitlines, which httpx and requests use to
// read NDJSON, and others that follow Unicode. JSON lets them stand in text as they are.
var lineBreaks = [...]struct{ raw, escaped []byte }{
	{[]byte("\u0085"), []byte(`\u0085`)},
	{[]byte("\u2028"), []byte(`\u2028`)},
	{[]byte("\u2029"), []byte(`\u2029`)},
}

// onlyLineFeeds escapes in lines of JSON whatever but the line feed could be taken for the end of a line. The text stays the same.
func onlyLineFeeds(lines []byte) []byte {
	for _, c := range lineBreaks {
		if bytes.Contains(lines, c.raw) {
			lines = bytes.ReplaceAll(lines, c.raw, c.escaped)
		}
	}
	return lines
}
