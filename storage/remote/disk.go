package remote

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
)

// disk keeps pages in a folder, each in a file of its own, which has a checksum and takes its name when it is whole. What
// cannot be read, or written, is not kept: that is no error.
type disk struct {
	dir   string
	limit int64

	mu      sync.Mutex
	bytes   int64 // there, as far as is known
	written int64 // since it was last counted
}

// diskKey is what a page is of.
type diskKey struct {
	file    string
	version version
	page    int64
}

func (k diskKey) bytes() []byte {
	return fmt.Appendf(nil, "%q %q %q %d %d", k.file, k.version.tag, k.version.modified, k.version.size, k.page)
}

// A file is a magic, a checksum of key and page, and the page.
const (
	diskMagic  = "GGTBpg1\n"
	diskHeader = len(diskMagic) + 8
	newPrefix  = ".new-"
	// strayAge is when a file that is being written belongs to nobody any more.
	strayAge = time.Hour
	// A file that is used is touched if that was not done for so long.
	touchAge = 10 * time.Minute
)

// openDisk opens a folder, which it makes if need be.
func openDisk(dir string, limit int64) (*disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	d := &disk{dir: dir, limit: limit}
	d.trim(limit)
	return d, nil
}

// path returns where a page is: two digits of a hash, and the others.
func (d *disk) path(key []byte) string {
	sum := sha256.Sum256(key)
	name := hex.EncodeToString(sum[:20])
	return filepath.Join(d.dir, name[:2], name[2:])
}

func diskSum(key, page []byte) uint64 {
	sum := xxhash.New()
	sum.Write(key)
	sum.Write(page)
	return sum.Sum64()
}

// get returns a page, nil if it is not there. One that is damaged is removed.
func (d *disk) get(k diskKey) []byte {
	key := k.bytes()
	path := d.path(key)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > pageSize+int64(diskHeader) {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if len(b) < diskHeader || string(b[:len(diskMagic)]) != diskMagic || binary.LittleEndian.Uint64(b[len(diskMagic):]) != diskSum(key, b[diskHeader:]) {
		os.Remove(path)
		return nil
	}
	if now := time.Now(); now.Sub(info.ModTime()) > touchAge {
		os.Chtimes(path, now, now)
	}
	return b[diskHeader:]
}

// put keeps a page, if there is room once the oldest are gone.
func (d *disk) put(k diskKey, page []byte) {
	key := k.bytes()
	b := binary.LittleEndian.AppendUint64([]byte(diskMagic), diskSum(key, page))
	b = append(b, page...)
	if !d.makeRoom(int64(len(b))) {
		return
	}
	path := d.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), newPrefix)
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// makeRoom counts bytes that are about to be written. The folder is counted again when that has become much, since others
// write there, too.
func (d *disk) makeRoom(n int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n > d.limit {
		return false
	}
	if d.bytes+n > d.limit || d.written > d.limit/16 {
		d.trim(d.limit - d.limit/8 - n)
	}
	d.bytes += n
	d.written += n
	return true
}

func (d *disk) drop(k diskKey) { os.Remove(d.path(k.bytes())) }

// trim removes files that nobody writes any more, and, if there are more bytes than the limit, the oldest pages until there are
// no more than most.
func (d *disk) trim(most int64) {
	type kept struct {
		path string
		info fs.FileInfo
	}
	var pages []kept
	total := int64(0)
	folders, _ := filepath.Glob(filepath.Join(globQuote(d.dir), "[0-9a-f][0-9a-f]"))
	for _, folder := range folders {
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			info, err := e.Info()
			path := filepath.Join(folder, e.Name())
			switch {
			case err != nil || !info.Mode().IsRegular():
			case strings.HasPrefix(e.Name(), newPrefix):
				if time.Since(info.ModTime()) > strayAge {
					os.Remove(path)
				}
			case len(e.Name()) == 38:
				pages = append(pages, kept{path, info})
				total += info.Size()
			}
		}
	}
	slices.SortFunc(pages, func(a, b kept) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	if total > most {
		for _, p := range pages {
			if total <= most {
				break
			}
			if os.Remove(p.path) == nil {
				total -= p.info.Size()
			}
		}
	}
	d.bytes, d.written = total, 0
}

// globQuote returns a pattern that matches a text alone.
func globQuote(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
}
