package codec

import "time"

// FILETIME is an i64 count of 100 ns since 1601-01-01T00:00:00Z (confirmed).
const (
	ticksPerSecond = 10_000_000
	unixEpoch      = 11_644_473_600 // seconds from 1601 to 1970
	// MaxFileTime is 9999-12-31T23:59:59.9999999Z, the last time RFC 3339 can say.
	MaxFileTime = 2_650_467_743_999_999_999
)

// ParseFileTime reads an RFC 3339 time with Z or a numeric offset and gives it as a FILETIME. Digits beyond 100 ns are cut
// (floor). It fails with ErrTimeForm for anything else (also a leap second, an offset of 24 hours, a day that the month does not
// have) and with ErrTime before 1601 or after 9999.
func ParseFileTime(s []byte) (int64, error) {
	// 2006-01-02T15:04:05 and at least a Z
	if len(s) < 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, ErrTimeForm
	}
	bad := false
	two := func(i int) int {
		a, b := s[i]-'0', s[i+1]-'0'
		bad = bad || a > 9 || b > 9
		return int(a)*10 + int(b)
	}
	year, month, day := two(0)*100+two(2), two(5), two(8)
	hour, minute, second := two(11), two(14), two(17)
	if bad || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, ErrTimeForm
	}
	ticks, i := int64(0), 19
	if s[i] == '.' {
		i++
		start := i
		for scale := int64(ticksPerSecond / 10); i < len(s) && s[i]-'0' <= 9; i++ {
			ticks += int64(s[i]-'0') * scale
			scale /= 10
		}
		if i == start {
			return 0, ErrTimeForm
		}
	}
	offset := 0
	switch {
	case i == len(s)-1 && s[i] == 'Z':
	case i == len(s)-6 && (s[i] == '+' || s[i] == '-') && s[i+3] == ':':
		h, m := two(i+1), two(i+4)
		if bad || h > 23 || m > 59 {
			return 0, ErrTimeForm
		}
		if offset = h*3600 + m*60; s[i] == '-' {
			offset = -offset
		}
	default:
		return 0, ErrTimeForm
	}
	seconds := int64(daysSince1601(year, month, day))*86400 + int64(hour*3600+minute*60+second-offset)
	ticks += seconds * ticksPerSecond
	if ticks < 0 || ticks > MaxFileTime {
		return 0, ErrTime
	}
	return ticks, nil
}

// AppendFileTime appends ticks as RFC 3339 in UTC with as many digits of the fraction as are needed, seven at most; ok is false, and
// nothing appended, outside 1601 to 9999.
func AppendFileTime(dst []byte, ticks int64) (out []byte, ok bool) {
	if ticks < 0 || ticks > MaxFileTime {
		return dst, false
	}
	t := time.Unix(ticks/ticksPerSecond-unixEpoch, ticks%ticksPerSecond*100).UTC()
	return t.AppendFormat(dst, "2006-01-02T15:04:05.9999999Z"), true
}

// daysSince1601 counts days in the proleptic Gregorian calendar; negative before 1601.
func daysSince1601(year, month, day int) int {
	// March-based years put the leap day last, so that months have a closed form.
	if month <= 2 {
		year, month = year-1, month+12
	}
	// 584_694 is what the formula gives for 1601-01-01.
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 584_694
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
