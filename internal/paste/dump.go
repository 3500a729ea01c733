package paste

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// looksLikeDump tells whether the first line begins with an offset: at least four hex digits and a colon, or white space before a byte.
func looksLikeDump(s string) bool {
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		l, ok := splitOffset(line)
		if !ok {
			return false
		}
		// Without a colon only groups of two digits make a dump: "0000 3701 0005" is hex in words.
		word, _, _ := strings.Cut(strings.TrimSpace(l.rest), " ")
		return l.colon || len(strings.TrimSpace(word)) == 2 || len(strings.TrimSpace(word)) == 1
	}
	return false
}

// dumpLine is a line of a dump, taken apart.
type dumpLine struct {
	at     int // where the line begins in the text
	offset uint64
	colon  bool   // the offset ends with a colon
	rest   string // what follows the offset
	restAt int    // where that begins in the line
}

// splitOffset takes the offset off a line: 0000, 00000000:, 0x0000:, 0000h.
func splitOffset(line string) (l dumpLine, ok bool) {
	t := strings.TrimLeft(line, " \t")
	i := len(line) - len(t)
	digits := strings.TrimPrefix(t, "0x")
	i += len(t) - len(digits)
	n := 0
	for n < len(digits) && isHex(digits[n]) {
		n++
	}
	if n < 4 || n > 16 {
		return l, false
	}
	l.offset, _ = strconv.ParseUint(digits[:n], 16, 64) // hex digits, 16 at most
	tail := strings.TrimPrefix(digits[n:], "h")
	if strings.HasPrefix(tail, ":") {
		l.colon, tail = true, tail[1:]
	}
	l.rest = strings.TrimRight(tail, "\r\n")
	l.restAt = i + len(digits) - len(tail)
	switch {
	case strings.TrimSpace(tail) == "": // the last line of hexdump -C: the length alone
		return l, true
	case !isSpace(tail[0]):
		return l, false
	}
	return l, true
}

// dump reads lines of an offset, hex and perhaps an ASCII column. The offsets must count up; a star repeats the line before it.
func (p *parser) dump() (Result, error) {
	var (
		r     = Result{Form: Wireshark, Certain: true}
		lines []dumpLine
		stars = map[int]bool{} // before which line a star stood
		at    int
	)
	for line := range strings.Lines(p.s) {
		switch t := strings.TrimSpace(line); {
		case t == "":
		case t == "*":
			stars[len(lines)] = true
		default:
			l, ok := splitOffset(line)
			if !ok {
				return r, fail(at, "offset, hex, and perhaps an ASCII column", "this line of the dump does not begin with an offset")
			}
			l.at = at
			lines = append(lines, l)
		}
		at += len(line)
	}
	if stars[len(lines)] {
		return r, fail(at, "", "the dump ends with a star and does not say how long it is")
	}
	first := lines[0].offset
	width := 0 // bytes of a full line
	for i := range lines {
		l := &lines[i]
		have := uint64(len(r.Bytes))
		if stars[i] {
			if err := p.repeat(&r, width, l.offset-first, l.at); err != nil {
				return r, err
			}
			have = uint64(len(r.Bytes))
		}
		if l.offset-first != have {
			return r, fail(l.at, fmt.Sprintf("%0*x", 4, first+have), "the offset %x does not follow: a line is missing, or another dump begins", l.offset)
		}
		want := -1 // how many bytes stand in the line, where the next offset tells
		if i+1 < len(lines) && !stars[i+1] {
			want = int(min(lines[i+1].offset-l.offset, 1<<20))
		} else if stars[i+1] && width > 0 {
			want = width
		}
		if strings.TrimSpace(l.rest) == "" {
			if i+1 < len(lines) {
				return r, fail(l.at, "", "this line of the dump has no bytes")
			}
			break
		}
		last := i == len(lines)-1 || i == len(lines)-2 && strings.TrimSpace(lines[i+1].rest) == "" // but for the length
		b, note, err := p.lineBytes(l, want, last)
		if err != nil {
			return r, err
		}
		if r.Bytes = append(r.Bytes, b...); len(r.Bytes) > p.max {
			return r, tooLong(l.at, p.max)
		}
		if note != "" {
			r.Note = note
		}
		if width == 0 {
			width = len(b)
		}
		switch {
		case l.colon:
			r.Form = XXD
		case strings.Contains(l.rest, "|"):
			r.Form = Hexdump
		}
	}
	if len(r.Bytes) == 0 {
		return r, fail(lines[0].at, "", "the dump has no bytes")
	}
	if first != 0 {
		r.Note = strings.TrimPrefix(r.Note+fmt.Sprintf("; the dump begins at offset 0x%x", first), "; ")
	}
	return r, nil
}

// repeat fills up to size bytes with the last line.
func (p *parser) repeat(r *Result, width int, size uint64, at int) error {
	if width == 0 || len(r.Bytes) < width {
		return fail(at, "", "a star repeats a line, and there is none before it")
	}
	if size > uint64(p.max) {
		return tooLong(at, p.max)
	}
	last := r.Bytes[len(r.Bytes)-width:]
	for uint64(len(r.Bytes)) < size {
		r.Bytes = append(r.Bytes, last...)
	}
	return nil
}

// maxLine is the most bytes that a line of a dump is taken to hold when nothing says how many: xxd goes to 256.
const maxLine = 256

// lineBytes reads the hex of a line. want is how many bytes stand there, -1 when only the ASCII column can tell. In the last line of a dump a lone
// digit is read as a byte.
func (p *parser) lineBytes(l *dumpLine, want int, last bool) (out []byte, note string, err error) {
	type group struct{ end, bytes int }
	var ends []group // where each group ends in rest, and how many bytes there are by then
	s := l.rest
	i, lone := 0, 0 // where the hex stops, and how many digits stand there that are no whole bytes
	for want < 0 || len(out) < want {
		start := i
		for start < len(s) && (s[start] == ' ' || s[start] == '\t') {
			start++
		}
		end := start
		for end < len(s) && isHex(s[end]) {
			end++
		}
		if i = start; end == start || end < len(s) && s[end] != ' ' && s[end] != '\t' {
			break // the ASCII column
		}
		if (end-start)%2 != 0 {
			lone = end - start
			break
		}
		b, _ := hex.DecodeString(s[start:end]) // hex digits, an even number
		if len(out)+len(b) > maxLine {
			break
		}
		out = append(out, b...)
		ends = append(ends, group{end, len(out)})
		i = end
	}
	// The ASCII column may look like hex: the split at which it says the same as the bytes is the right one. It stands apart, by more than what
	// stands between groups.
	if want < 0 {
		for k := len(ends) - 1; k >= 0; k-- {
			b := out[:ends[k].bytes]
			if column := columnAfter(s[ends[k].end:], b); column != "" && sameASCII(column, b) {
				p.checked = true
				return b, "", nil
			}
		}
	}
	// A dump that was cut or written without leading zeros: its very last byte only, and if there is an ASCII column, it says the same.
	if lone == 1 && last && len(out) > 0 && s[i-1] == ' ' && !isSpace(s[i-2]) && (want < 0 || len(out)+1 == want) {
		b, _ := hex.DecodeString("0" + s[i:i+1])
		with := append(out[:len(out):len(out)], b...)
		column := columnAfter(s[i+1:], with)
		if strings.TrimSpace(s[i+1:]) == "" || column != "" && sameASCII(column, with) {
			p.checked = p.checked || column != ""
			return with, fmt.Sprintf("the last byte has one digit, %q; it was read as %02x", s[i:i+1], b[0]), nil
		}
	}
	if want >= 0 {
		if len(out) != want {
			return nil, "", fail(l.at+l.restAt, fmt.Sprintf("%d bytes", want), "the line has %d bytes, but the next offset says %d", len(out), want)
		}
		return out, "", nil
	}
	if len(ends) == 0 {
		return nil, "", fail(l.at+l.restAt+i, evenLimit, "%s is no byte", quoteEnd(s, i))
	}
	rest := strings.TrimSpace(s[i:])
	switch {
	case rest == "":
		return out, "", nil
	case isHex(rest[0]) && !strings.ContainsAny(rest, " \t") && allHex(rest):
		return nil, "", fail(l.at+l.restAt+i, evenLimit, "the group %q has an odd number of digits", clip(rest))
	}
	return out, "the ASCII column does not say the same as the bytes", nil
}

// columnAfter is the ASCII column in what follows the hex of b, "" when there is none: what looks like hex is one only if two spaces or more set
// it apart. Where b begins with spaces the column does too.
func columnAfter(s string, b []byte) string {
	column := strings.TrimLeft(s, " \t")
	if column == "" || isHex(column[0]) && len(s)-len(column) < 2 {
		return ""
	}
	spaces := 0
	for spaces < len(b) && b[spaces] == ' ' {
		spaces++
	}
	if column[0] == '|' {
		return column
	}
	return strings.Repeat(" ", spaces) + column
}

func allHex(s string) bool {
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

// sameASCII tells whether an ASCII column says what the bytes are; trailing spaces may be gone.
func sameASCII(column string, b []byte) bool {
	if strings.HasPrefix(column, "|") && strings.HasSuffix(strings.TrimRight(column, " "), "|") && len(column) >= 2 {
		column = strings.TrimSuffix(strings.TrimRight(column, " ")[1:], "|")
	}
	return saysSame(column, b, false) || len(b) > 8 && saysSame(column, b, true)
}

// saysSame compares the column letter by letter. Wireshark may set a space between the two halves of a line.
func saysSame(column string, b []byte, gap bool) bool {
	n := 0
	for _, r := range column {
		if gap && n == 8 {
			if gap = false; r != ' ' {
				return false
			}
			continue
		}
		if n == len(b) {
			if r == ' ' {
				continue
			}
			return false
		}
		// What cannot be printed is a dot, in some editors a blank or a letter beyond ASCII.
		if c := b[n]; c >= ' ' && c < 0x7f {
			if rune(c) != r {
				return false
			}
		} else if r > ' ' && r < 0x7f && r != '.' {
			return false
		}
		n++
	}
	for ; n < len(b); n++ {
		if b[n] != ' ' {
			return false
		}
	}
	return true
}
