package main

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// size is a number of bytes on the command line: 4096, 64KiB, 4MiB, 1GiB.
type size int64

// UnmarshalText is how kong reads one.
func (s *size) UnmarshalText(b []byte) error {
	text, unit := string(b), int64(1)
	for suffix, n := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = rest, n
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size: write bytes, or such as 64KiB, 4MiB, 1GiB", b)
	}
	*s = size(n * unit)
	return nil
}

// rate is a number of requests a time on the command line: 100/s, 6000/m, 100000/h.
type rate struct {
	requests int
	window   time.Duration
}

// UnmarshalText is how kong reads one.
func (r *rate) UnmarshalText(b []byte) error {
	if string(b) == "off" {
		*r = rate{}
		return nil
	}
	count, unit, _ := strings.Cut(string(b), "/")
	window := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	n, err := strconv.ParseInt(count, 10, 32)
	if err != nil || n < 1 || window == 0 {
		return fmt.Errorf("%q is no rate: write such as 100/s, 6000/m or 100000/h, or off", b)
	}
	*r = rate{int(n), window}
	return nil
}

// proxy is an address or a network on the command line.
type proxy struct{ netip.Prefix }

// UnmarshalText is how kong reads one.
func (p *proxy) UnmarshalText(b []byte) error {
	if a, err := netip.ParseAddr(string(b)); err == nil {
		a = a.Unmap()
		p.Prefix = netip.PrefixFrom(a, a.BitLen())
		return nil
	}
	n, err := netip.ParsePrefix(string(b))
	if err != nil || n != n.Masked() {
		return fmt.Errorf("%q is no address or network: write such as 10.0.0.5 or 10.0.0.0/8", b)
	}
	p.Prefix = n
	return nil
}

// u32 is a whole number of 32 bits without a sign on the command line.
type u32 uint32

// UnmarshalText is how kong reads one.
func (u *u32) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no whole number from 0 to 4294967295", b)
	}
	*u = u32(n)
	return nil
}

// i32 is a whole number of 32 bits on the command line.
type i32 int32

// UnmarshalText is how kong reads one.
func (i *i32) UnmarshalText(b []byte) error {
	n, err := strconv.ParseInt(string(b), 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no whole number from -2147483648 to 2147483647", b)
	}
	*i = i32(n)
	return nil
}
