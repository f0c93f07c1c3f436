package storage

import (
	"sync"
	"sync/atomic"

	"gogotb/storage/internal/codec"
)

// cache holds unpacked blocks of all tables of a Tables, up to a number of bytes. It is
// divided into shards so that goroutines seldom wait for each other. In a shard a full
// cache drops blocks by the clock algorithm: a block that was used since the hand last
// passed is spared once.
type cache struct {
	shards [cacheShards]shard
}

const cacheShards = 32

type shard struct {
	mu     sync.RWMutex
	blocks map[blockKey]*cachedBlock
	clock  []*cachedBlock
	hand   int
	bytes  int64
	limit  int64
	hits   atomic.Uint64
	misses atomic.Uint64
}

// blockKey names a block: the number of the table, the number of the block.
type blockKey struct {
	table uint32
	block uint64
}

// cachedBlock is an unpacked block of either kind.
type cachedBlock struct {
	key       blockKey
	outcomes  *codec.Outcomes
	distances []uint16
	used      atomic.Bool
	place     int // in the clock
}

// entries tells how much of the block there is.
func (b *cachedBlock) entries() int {
	if b.outcomes != nil {
		return b.outcomes.Entries
	}
	return len(b.distances)
}

// blockOverhead is about what a cached block takes beside its bytes.
const blockOverhead = 192

// bytes returns about what the block takes in memory.
func (b *cachedBlock) bytes() int64 {
	n := blockOverhead + 2*len(b.distances)
	if b.outcomes != nil {
		n += 8 * (len(b.outcomes.Classes) + len(b.outcomes.Perpetual))
	}
	return int64(n)
}

func newCache(limit int64) *cache {
	c := new(cache)
	for i := range c.shards {
		c.shards[i].blocks = map[blockKey]*cachedBlock{}
		c.shards[i].limit = limit / cacheShards
	}
	return c
}

func (c *cache) shard(k blockKey) *shard {
	h := (k.block + uint64(k.table)<<40) * 0x9e3779b97f4a7c15
	return &c.shards[h>>59]
}

// get returns a block, nil if the cache does not have it.
func (c *cache) get(k blockKey) *cachedBlock {
	s := c.shard(k)
	s.mu.RLock()
	b := s.blocks[k]
	s.mu.RUnlock()
	if b == nil {
		s.misses.Add(1)
		return nil
	}
	if !b.used.Load() {
		b.used.Store(true)
	}
	s.hits.Add(1)
	return b
}

// put adds a block, in place of what the cache has of it, unless it alone would fill the
// shard.
func (c *cache) put(b *cachedBlock) {
	s := c.shard(b.key)
	size := b.bytes()
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.blocks[b.key]
	if size > s.limit || old != nil && b.entries() <= old.entries() {
		return
	}
	if old != nil {
		s.remove(old)
	}
	for s.bytes+size > s.limit {
		s.drop()
	}
	s.blocks[b.key] = b
	b.place = len(s.clock)
	s.clock = append(s.clock, b)
	s.bytes += size
}

// drop removes a block that was not used lately. The shard is not empty.
func (s *shard) drop() {
	for {
		s.hand %= len(s.clock)
		b := s.clock[s.hand]
		if b.used.Swap(false) {
			s.hand++
			continue
		}
		s.remove(b)
		return
	}
}

// remove removes a block of the shard.
func (s *shard) remove(b *cachedBlock) {
	last := len(s.clock) - 1
	s.clock[b.place] = s.clock[last]
	s.clock[b.place].place = b.place
	s.clock[last] = nil
	s.clock = s.clock[:last]
	delete(s.blocks, b.key)
	s.bytes -= b.bytes()
}

// CacheStats tells how a Tables' cache has served.
type CacheStats struct {
	Hits, Misses uint64 // blocks found, and not found, in the cache
	Bytes        int64  // unpacked blocks in it
}

func (c *cache) stats() CacheStats {
	var total CacheStats
	for i := range c.shards {
		s := &c.shards[i]
		total.Hits += s.hits.Load()
		total.Misses += s.misses.Load()
		s.mu.RLock()
		total.Bytes += s.bytes
		s.mu.RUnlock()
	}
	return total
}
