// Package auth knows API keys by their SHA-256 only: what the key file holds cannot be used to call the service.
//
// The file has one key a line, a name and the hash in hex, split by spaces or tabs; empty lines and lines that begin with # are
// skipped:
//
//	plc-gateway 5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
package auth

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

// maxToken bounds the bytes of a presented key that are hashed; New makes 47.
const maxToken = 512

// maxFile bounds a key file: it is read at each reload.
const maxFile = 4 << 20

// Keys is a read-only list of keys. Replace the whole list to change it.
type Keys struct {
	names  []string
	hashes [][sha256.Size]byte
}

// Len is the number of keys.
func (k *Keys) Len() int { return len(k.names) }

// Load reads a key file. The error names the file and the line, never what stands there.
func Load(path string) (*Keys, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxFile)
	}
	b, err := os.ReadFile(path) // #nosec G304 -- the operator names the file
	if err != nil {
		return nil, err
	}
	k, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// Parse reads the text of a key file. A file may hold no key: nobody is let in then.
func Parse(b []byte) (*Keys, error) {
	k := &Keys{}
	seen := map[string]int{}
	sc := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))))
	for line := 1; sc.Scan(); line++ {
		text := strings.TrimSpace(sc.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		f := strings.Fields(text)
		if len(f) != 2 {
			return nil, fmt.Errorf("line %d: want a name and the SHA-256 of the key in hex, as \"mxrest key new NAME\" prints them", line)
		}
		if err := CheckName(f[0]); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if first, dup := seen[f[0]]; dup {
			return nil, fmt.Errorf("line %d: the name %q stands on line %d already", line, f[0], first)
		}
		seen[f[0]] = line
		var h [sha256.Size]byte
		if n, err := hex.Decode(h[:], hexBytes(f[1])); err != nil || n != sha256.Size {
			return nil, fmt.Errorf("line %d: want 64 hex digits after the name", line)
		}
		k.names = append(k.names, f[0])
		k.hashes = append(k.hashes, h)
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	return k, nil
}

// hexBytes gives s to hex.Decode when it has the right length, and something that fails otherwise.
func hexBytes(s string) []byte {
	if len(s) != 2*sha256.Size {
		return []byte("x")
	}
	return []byte(s)
}

// Lookup gives the name of the key that token is. It hashes the token and compares with every hash in the list, each in constant
// time, so that the time taken says nothing about how near a guess came or which key it was.
func (k *Keys) Lookup(token string) (name string, ok bool) {
	if len(token) == 0 || len(token) > maxToken {
		return "", false
	}
	var buf [maxToken]byte
	sum := sha256.Sum256(buf[:copy(buf[:], token)])
	found := -1
	for i := range k.hashes {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], k.hashes[i][:]), i, found)
	}
	if found < 0 {
		return "", false
	}
	return k.names[found], true
}

// CheckName says whether a key may be called so: 1 to 64 letters, digits, dots, dashes and underscores, since names stand in logs.
func CheckName(name string) error {
	ok := name != "" && len(name) <= 64
	for i := 0; ok && i < len(name); i++ {
		c := name[i]
		ok = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '_'
	}
	if !ok {
		return fmt.Errorf("a key's name is 1 to 64 letters, digits, dots, dashes and underscores")
	}
	return nil
}

// New makes a key of 256 random bits and the line for the key file.
func New(name string) (key, line string, err error) {
	if err := CheckName(name); err != nil {
		return "", "", err
	}
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	key = "mxr_" + base64.RawURLEncoding.EncodeToString(b[:])
	sum := sha256.Sum256([]byte(key))
	return key, name + " " + hex.EncodeToString(sum[:]), nil
}
