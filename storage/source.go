package storage

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
)

// Source is a place with table files that is no folder of this machine: a server, a bucket. Its methods may be called
// by many goroutines at once. Errors that say that it cannot be reached, or does not answer as it has to, are
// ErrUnavailable; one of a file that is not there is fs.ErrNotExist.
type Source interface {
	// Name returns the address as people may see it, without secrets. A file's name is appended to it.
	Name() string
	// Open opens a file. Its last bytes, so many as tail says, are read first.
	Open(ctx context.Context, name string, tail int64) (SourceFile, error)
	// List returns the names of the files that are there.
	List(ctx context.Context) ([]string, error)
	// Close ends what is under way. Nothing is called later.
	Close() error
}

// SourceFile is a file of a Source as it was when it was opened: if another one has taken its place since, reading
// fails.
type SourceFile interface {
	Size() int64
	// Read fills all parts, which lie within the file, and asks for as little and as seldom as it can.
	Read(ctx context.Context, parts ...Part) error
	// Discard is told that the file, as Read gave it, is damaged there: no cache may give it once more, and the
	// next Open asks anew.
	Discard(offset, length int64)
}

// Part is a part of a file: what to fill, and the offset of its first byte in the file.
type Part struct {
	Offset int64
	Bytes  []byte
}

// end returns the offset behind the part.
func (p Part) end() int64 { return p.Offset + int64(len(p.Bytes)) }

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// IsAddress tells whether the name of a folder is the address of a Source instead, "https://host/tables/".
func IsAddress(dir string) bool { return scheme.MatchString(dir) }

// SplitList splits a list of folders as filepath.SplitList does, separated as in PATH, but leaves addresses in one
// piece: colons after the scheme and before a port separate nothing.
func SplitList(list string) []string {
	if filepath.ListSeparator != ':' {
		return filepath.SplitList(list)
	}
	var dirs []string
	for list != "" {
		n := addressLength(list)
		for n < len(list) && list[n] != ':' {
			n++
		}
		dirs = append(dirs, list[:n])
		if n == len(list) {
			return dirs
		}
		if list = list[n+1:]; list == "" {
			dirs = append(dirs, "")
		}
	}
	return dirs
}

// addressLength returns how much of a list cannot end in a separator: scheme, user and host with the port of an address.
func addressLength(list string) int {
	n := len(scheme.FindString(list))
	if n == 0 {
		return 0
	}
	host := list[n:]
	if end := strings.IndexByte(host, '/'); end >= 0 {
		host = host[:end]
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		n, host = n+at+1, host[at+1:]
	}
	if strings.HasPrefix(host, "[") { // IPv6
		end := strings.IndexByte(host, ']') + 1
		n, host = n+end, host[end:]
	}
	colon := strings.IndexByte(host, ':')
	if colon < 0 {
		return n
	}
	digits := len(host[colon+1:]) - len(strings.TrimLeft(host[colon+1:], "0123456789"))
	if rest := host[colon+1+digits:]; digits == 0 || rest != "" && rest[0] != ':' {
		return n
	}
	return n + colon + 1 + digits
}
