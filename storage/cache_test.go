package storage

import (
	"sync"
	"testing"

	"gogotb/storage/internal/codec"
)

func TestCacheStaysWithinItsBytes(t *testing.T) {
	const limit = 1 << 20
	c := newCache(limit)
	for i := range uint64(10_000) {
		b := &cachedBlock{key: blockKey{uint32(i % 3), i}, distances: make([]uint16, i%700)}
		if i%2 == 0 {
			b.outcomes = &codec.Outcomes{Classes: make([]uint64, 128)}
		}
		c.put(b)
		c.put(b) // a second time changes nothing
		if c.get(b.key) != b {
			t.Fatalf("block %d is gone at once", i)
		}
		if n := c.stats().Bytes; n > limit {
			t.Fatalf("%d bytes after block %d, at most %d are allowed", n, i, limit)
		}
	}
	s := c.stats()
	if s.Bytes < limit/2 {
		t.Errorf("only %d bytes of %d are used", s.Bytes, limit)
	}
	if s.Hits != 10_000 || s.Misses != 0 {
		t.Errorf("%d hits and %d misses, want 10000 and 0", s.Hits, s.Misses)
	}
	if c.get(blockKey{9, 9}) != nil || c.stats().Misses != 1 {
		t.Error("a block that was never there is not missed")
	}
	sum := int64(0)
	for i := range c.shards {
		for _, b := range c.shards[i].blocks {
			sum += b.bytes()
		}
		if len(c.shards[i].clock) != len(c.shards[i].blocks) {
			t.Error("the clock has other blocks than the map")
		}
	}
	if sum != s.Bytes {
		t.Errorf("the blocks have %d bytes, the cache believes %d", sum, s.Bytes)
	}
}

// The whole of a block takes the place of its beginning, not the other way round.
func TestCacheOfBeginnings(t *testing.T) {
	c := newCache(1 << 20)
	outcomes := func(entries int) *cachedBlock {
		return &cachedBlock{key: blockKey{1, 1}, outcomes: &codec.Outcomes{Size: 64, Entries: entries, Classes: make([]uint64, (entries+31)/32)}}
	}
	distances := func(n int) *cachedBlock { return &cachedBlock{key: blockKey{2, 1}, distances: make([]uint16, n)} }
	for _, b := range [][]*cachedBlock{
		{outcomes(8), outcomes(40), outcomes(64)}, {distances(3), distances(10), distances(100)},
	} {
		other := &cachedBlock{key: blockKey{9, 9}, distances: make([]uint16, 5)}
		c.put(b[0])
		c.put(other)
		c.put(b[1])
		c.put(b[2])
		c.put(b[0])
		c.put(b[1])
		if c.get(b[0].key) != b[2] || c.get(other.key) == nil {
			t.Error("the cache does not keep what there is most of")
		}
	}
	sum, n := int64(0), 0
	for i := range c.shards {
		for place, b := range c.shards[i].clock {
			if b.place != place || c.shards[i].blocks[b.key] != b {
				t.Errorf("block %v is not where it says", b.key)
			}
			sum, n = sum+b.bytes(), n+1
		}
	}
	if s := c.stats(); s.Bytes != sum || n != 3 {
		t.Errorf("%d blocks of %d bytes, the cache believes %d", n, sum, s.Bytes)
	}
}

// A block larger than a shard is not kept, and drops nothing.
func TestCacheOfLargeBlocks(t *testing.T) {
	c := newCache(cacheShards * 1000)
	small := &cachedBlock{key: blockKey{1, 1}, distances: make([]uint16, 10)}
	c.put(small)
	for i := range uint64(1000) {
		c.put(&cachedBlock{key: blockKey{2, i}, distances: make([]uint16, 1000)})
	}
	if c.get(small.key) != small || c.stats().Bytes != small.bytes() {
		t.Error("large blocks have pushed out a small one")
	}
}

// What is used again and again stays; what is used once goes.
func TestCacheKeepsWhatIsUsed(t *testing.T) {
	c := newCache(1 << 20)
	hot := &cachedBlock{key: blockKey{1, 7}, distances: make([]uint16, 100)}
	c.put(hot)
	for i := range uint64(100_000) {
		if c.get(hot.key) == nil {
			t.Fatalf("gone after %d others", i)
		}
		c.put(&cachedBlock{key: blockKey{2, i}, distances: make([]uint16, 100)})
	}
}

func TestCacheConcurrently(t *testing.T) {
	c := newCache(200_000)
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			for i := range uint64(5_000) {
				k := blockKey{uint32(i % 2), (i * (g + 1)) % 500}
				if b := c.get(k); b == nil {
					c.put(&cachedBlock{key: k, distances: make([]uint16, 100)})
				} else if b.key != k {
					t.Errorf("asked for %v, got %v", k, b.key)
				}
			}
		})
	}
	wg.Wait()
	if s := c.stats(); s.Hits+s.Misses != 40_000 || s.Hits == 0 || s.Misses == 0 || s.Bytes > 200_000 {
		t.Errorf("%+v", s)
	}
}
