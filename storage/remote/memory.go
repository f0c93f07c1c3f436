package remote

import (
	"container/list"
	"sync"
)

// pageKey names a page of a file.
type pageKey struct {
	file *file
	page int64
}

// memory keeps pages, the most recently used ones.
type memory struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	pages map[pageKey]*list.Element // of keptPage
	order list.List                 // the most recently used first
}

type keptPage struct {
	key   pageKey
	bytes []byte
}

func newMemory(limit int64) *memory { return &memory{limit: limit, pages: map[pageKey]*list.Element{}} }

// pageOverhead is about what a page takes beside its bytes.
const pageOverhead = 200

func (m *memory) get(k pageKey) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.pages[k]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(keptPage).bytes
}

func (m *memory) put(k pageKey, b []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(k)
	m.pages[k] = m.order.PushFront(keptPage{k, b})
	m.bytes += int64(len(b)) + pageOverhead
	for m.bytes > m.limit && m.order.Len() > 0 {
		m.remove(m.order.Back().Value.(keptPage).key)
	}
}

func (m *memory) drop(k pageKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(k)
}

func (m *memory) remove(k pageKey) {
	if e := m.pages[k]; e != nil {
		m.order.Remove(e)
		delete(m.pages, k)
		m.bytes -= int64(len(e.Value.(keptPage).bytes)) + pageOverhead
	}
}
