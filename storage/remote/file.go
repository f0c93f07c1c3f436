package remote

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"gogotb/storage"
)

const (
	// Files are read and kept in pages. A block and its neighbours are shorter than one most of the time, and a request
	// for so much takes hardly longer than one for a byte.
	pageSize = 32 << 10
	// widest is how many pages one request spans rather than two: what lies between the model of a chapter and any of its
	// outcomes.
	widest = 4 << 20 / pageSize
	// farthest is how many pages are read ahead where pages are read in order.
	farthest = 2 << 20 / pageSize
)

// file is a file of a source, of one version.
type file struct {
	source  *source
	name    string
	version version

	mu    sync.Mutex
	calls map[int64]*call // pages that are being read
	next  int64           // the page behind those that were read last
	ahead int64           // how many were read ahead then
}

// call is a page that is being read.
type call struct {
	done  chan struct{} // closed when it has been
	bytes []byte
	err   error
}

func newFile(s *source, name string, v version) *file {
	return &file{source: s, name: name, version: v, calls: map[int64]*call{}, next: -1}
}

func (f *file) Size() int64 { return f.version.size }

// pages returns how many pages the file has.
func (f *file) pages() int64 { return (f.version.size + pageSize - 1) / pageSize }

// pageLength returns the length of a page; the last one is shorter.
func (f *file) pageLength(page int64) int64 { return min(pageSize, f.version.size-page*pageSize) }

// Read fills parts of the file, from memory, from disk, or by as few requests as can be.
func (f *file) Read(ctx context.Context, parts ...storage.Part) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	need := map[int64]*call{}
	for _, p := range parts {
		if len(p.Bytes) == 0 {
			continue
		}
		if p.Offset < 0 || p.Offset+int64(len(p.Bytes)) > f.version.size {
			return errBeyond
		}
		for page := p.Offset / pageSize; page <= (p.Offset+int64(len(p.Bytes))-1)/pageSize; page++ {
			need[page] = nil
		}
	}
	f.fetch(need)
	for _, c := range need {
		select {
		case <-c.done:
			if c.err != nil {
				return c.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, p := range parts {
		for at := 0; at < len(p.Bytes); {
			offset := p.Offset + int64(at)
			at += copy(p.Bytes[at:], need[offset/pageSize].bytes[offset%pageSize:])
		}
	}
	return nil
}

var errBeyond = errors.New("a part beyond the end of the file")

// fetch finds pages in memory, or where somebody reads them already, and reads the others.
func (f *file) fetch(need map[int64]*call) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var own []int64
	for page := range need {
		c := f.calls[page]
		if c == nil {
			c = &call{done: make(chan struct{})}
			if c.bytes = f.source.client.memory.get(pageKey{f, page}); c.bytes != nil {
				close(c.done)
			} else {
				f.calls[page] = c
				own = append(own, page)
			}
		}
		need[page] = c
	}
	if len(own) == 0 {
		return
	}
	if !f.source.begin() {
		f.finish(own, errClosed)
		return
	}
	slices.Sort(own)
	go func() {
		defer f.source.work.Done()
		f.load(own)
	}()
}

// finish ends the reading of pages with an error. f.mu is locked.
func (f *file) finish(pages []int64, err error) {
	for _, page := range pages {
		if c := f.calls[page]; c != nil {
			delete(f.calls, page)
			c.err = err
			close(c.done)
		}
	}
}

// load reads pages, in order, that have calls: from disk, and then what is missing from the server.
func (f *file) load(pages []int64) {
	if d := f.source.client.disk; d != nil {
		pages = slices.DeleteFunc(pages, func(page int64) bool {
			b := d.get(f.key(page))
			if int64(len(b)) != f.pageLength(page) {
				return false
			}
			f.give(page, b)
			return true
		})
	}
	var g errgroup.Group
	for len(pages) > 0 {
		n := 1
		for n < len(pages) && pages[n]-pages[0] < widest {
			n++
		}
		run := pages[:n]
		pages = pages[n:]
		g.Go(func() error {
			f.request(run)
			return nil
		})
	}
	g.Wait()
}

// give hands a page to those who wait for it, and keeps it in memory.
func (f *file) give(page int64, b []byte) {
	f.source.client.memory.put(pageKey{f, page}, b)
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.calls[page]; c != nil {
		delete(f.calls, page)
		c.bytes = b
		close(c.done)
	}
}

// request reads pages by one request, and what is between them.
func (f *file) request(pages []int64) {
	first, last := pages[0], f.readAhead(pages)
	from := first * pageSize
	r, err := f.source.get(f.name, span{from, min((last+1)*pageSize, f.version.size) - from}, &f.version)
	if err == nil {
		f.keep(r)
		return
	}
	var e *Error
	if errors.As(err, &e) && e.changed {
		f.source.forget(f)
	}
	all := make([]int64, 0, last-first+1)
	for page := first; page <= last; page++ {
		all = append(all, page)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finish(all, err)
}

// readAhead returns the last page to read with some others: more than these, where pages are read in order.
func (f *file) readAhead(pages []int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := pages[len(pages)-1]
	if pages[0] == f.next {
		f.ahead = min(max(2*f.ahead, 1), farthest)
	} else {
		f.ahead = 0
	}
	for end := min(last+f.ahead, f.pages()-1); last < end; last++ {
		if f.calls[last+1] != nil || f.source.client.memory.get(pageKey{f, last + 1}) != nil {
			break
		}
		f.calls[last+1] = &call{done: make(chan struct{})}
	}
	f.next = last + 1
	return last
}

// keep keeps the whole pages of an answer.
func (f *file) keep(r *reply) {
	for page := (r.from + pageSize - 1) / pageSize; page < f.pages(); page++ {
		from := page*pageSize - r.from
		to := from + f.pageLength(page)
		if to > int64(len(r.bytes)) {
			return
		}
		b := slices.Clone(r.bytes[from:to])
		f.give(page, b)
		if d := f.source.client.disk; d != nil && f.version.distinct() {
			d.put(f.key(page), b)
		}
	}
}

// distinct tells whether another version of the file would differ from this one by more than its size.
func (v *version) distinct() bool { return v.tag != "" || v.modified != "" }

// key names a page on disk.
func (f *file) key(page int64) diskKey {
	return diskKey{f.source.name + f.name, f.version, page}
}

// Discard drops pages from all caches, and lets the file be opened anew.
func (f *file) Discard(offset, length int64) {
	f.source.forget(f)
	for page := offset / pageSize; page*pageSize < offset+length; page++ {
		f.source.client.memory.drop(pageKey{f, page})
		if d := f.source.client.disk; d != nil {
			d.drop(f.key(page))
		}
	}
}
