package remote

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"gogotb/storage"
)

// Options of a Client; the zero value is good.
type Options struct {
	Memory    int64  // bytes of files that are kept in memory; 0: 64 MiB
	Disk      string // a folder that keeps them, too; empty: none
	DiskBytes int64  // how many there; 0: 1 GiB
}

const (
	defaultMemory = 64 << 20
	defaultDisk   = 1 << 30
)

// Client makes Sources, which share its caches.
type Client struct {
	memory *memory
	disk   *disk // nil: none
	limits limits
}

// limits are what a server may cost.
type limits struct {
	requests int           // under way at once, to a Source
	attempts int           // for an answer
	patience time.Duration // for all of them
	attempt  time.Duration // for one, and a second more for each so many bytes:
	speed    int64
	backOff  time.Duration // before the second, doubled for the next
	rest     time.Duration // how long a server is left alone that has failed
	fresh    time.Duration // how long a file that was opened is taken for what a name stands for
	missing  time.Duration // how long a file that was not there is missing
}

var usualLimits = limits{
	requests: 8, attempts: 3, patience: 20 * time.Second, attempt: 8 * time.Second, speed: 64 << 10, backOff: 250 * time.Millisecond,
	rest: 5 * time.Second, fresh: time.Minute, missing: time.Minute,
}

// New makes a Client. The error is that of the folder for the cache.
func New(o Options) (*Client, error) {
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	if o.DiskBytes <= 0 {
		o.DiskBytes = defaultDisk
	}
	c := &Client{memory: newMemory(o.Memory), limits: usualLimits}
	if o.Disk != "" {
		var err error
		if c.disk, err = openDisk(o.Disk, o.DiskBytes); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Source opens the tables at an address, see storage.Options. Nothing is asked of the server yet.
func (c *Client) Source(text string) (storage.Source, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, err
	}
	s := &source{client: c, name: a.name, limits: c.limits, slots: make(chan struct{}, c.limits.requests), files: map[string]opening{}, opens: new(singleflight.Group)}
	s.ctx, s.end = context.WithCancel(context.Background())
	if a.bucket != "" {
		s.server, err = newBucket(a)
	} else {
		s.server = newSite(a)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
