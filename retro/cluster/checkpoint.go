package cluster

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
	"gogotb/retro/cluster/bucket"
)

// A run is what one worker has put of the checkpoint of a set, from a claim to the end of its lease. Its pieces, one for
// each commit, continue the first pieces of another run, its base. A piece is called by its number, how far the
// analysis had come by then, and the hash of its bytes: 000012.0.0057.0123456789abcdef.

// runHead is the object head.json of a run.
type runHead struct {
	Worker string `json:"worker"`
	Base   string `json:"base"`   // run; "": none
	Pieces int    `json:"pieces"` // of the base, those before it included
}

// piece is an object of a run.
type piece struct {
	run    string
	number int // from 0 on, those of the base included
	phase  int
	ply    int
	sum    string
}

func runPrefix(m index.Material) string { return checkpointsPrefix + m.String() + "/" }

func (p piece) key(m index.Material) string {
	return fmt.Sprintf("%s%s/%06d.%d.%04d.%s", runPrefix(m), p.run, p.number, p.phase, p.ply, p.sum)
}

// parsePiece reads the key of a piece.
func parsePiece(m index.Material, key string) (piece, bool) {
	run, name, ok := strings.Cut(strings.TrimPrefix(key, runPrefix(m)), "/")
	parts := strings.Split(name, ".")
	if !ok || len(parts) != 4 {
		return piece{}, false
	}
	p := piece{run: run, sum: parts[3]}
	for i, n := range []*int{&p.number, &p.phase, &p.ply} {
		var err error
		if *n, err = strconv.Atoi(parts[i]); err != nil || *n < 0 {
			return piece{}, false
		}
	}
	return p, p.key(m) == key
}

// further compares pieces by how far they go.
func further(a, b piece) int {
	return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.ply, b.ply), cmp.Compare(a.number, b.number), cmp.Compare(a.run, b.run))
}

// chain returns the pieces of the checkpoint that goes the furthest, in their order; none if there is none.
func (s *store) chain(ctx context.Context, m index.Material) ([]piece, error) {
	runs := map[string]map[int]piece{}
	var best []piece // last pieces of the runs
	for key, err := range s.List(ctx, runPrefix(m)) {
		if err != nil {
			return nil, err
		}
		p, ok := parsePiece(m, key)
		if !ok {
			continue
		}
		if runs[p.run] == nil {
			runs[p.run] = map[int]piece{}
		}
		runs[p.run][p.number] = p
		best = append(best, p)
	}
	slices.SortFunc(best, func(a, b piece) int { return further(b, a) })
	for _, last := range best {
		if chain, err := s.follow(ctx, m, runs, last); err != nil || chain != nil {
			return chain, err
		}
	}
	return nil, nil
}

// follow returns the pieces up to a last one; none if one is missing.
func (s *store) follow(ctx context.Context, m index.Material, runs map[string]map[int]piece, last piece) ([]piece, error) {
	chain := make([]piece, last.number+1)
	for run, end := last.run, last.number+1; end > 0; {
		var h runHead
		err := getJSON(ctx, s, runPrefix(m)+run+"/head.json", &h)
		if errors.Is(err, bucket.ErrNotFound) || err == nil && h.Pieces >= end {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for n := h.Pieces; n < end; n++ {
			p, ok := runs[run][n]
			if !ok {
				return nil, nil
			}
			chain[n] = p
		}
		run, end = h.Base, h.Pieces
	}
	return chain, nil
}

// restore writes the checkpoint that goes the furthest to a file, and begins a run that goes on from it. A damaged piece
// ends it, with a warning: what is before it will do.
func (s *store) restore(ctx context.Context, m index.Material, file, run, worker string, log *slog.Logger) (*saver, error) {
	chain, err := s.chain(ctx, m)
	if err != nil {
		return nil, err
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	h := runHead{Worker: worker}
	size := int64(0)
	for _, p := range chain {
		body, err := s.Get(ctx, p.key(m), 0, -1)
		if err == nil && hashOf(body) != p.sum {
			err = &DamagedError{p.key(m), "its bytes have another hash than its name says"}
		}
		if damaged := (*DamagedError)(nil); errors.As(err, &damaged) || errors.Is(err, bucket.ErrNotFound) {
			log.Warn("a checkpoint ends early: what comes later is found again", "set", m.String(), "error", err)
			break
		}
		if err == nil {
			_, err = out.Write(body)
		}
		if err != nil {
			out.Close()
			return nil, err
		}
		h.Base, h.Pieces = p.run, p.number+1
		size += int64(len(body))
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	if size == 0 {
		os.Remove(file)
	}
	if err := putJSON(ctx, s, runPrefix(m)+run+"/head.json", h); err != nil && !errors.Is(err, bucket.ErrExists) {
		return nil, err
	}
	return newSaver(s, m, file, run, h.Pieces, size), nil
}

func hashOf(b []byte) string { return hex.EncodeToString(binaryHash(b)) }

func binaryHash(b []byte) []byte {
	d := xxhash.New()
	d.Write(b)
	return d.Sum(nil)
}

// saver copies what a checkpoint grows by to the bucket, beside the analysis.
type saver struct {
	store  *store
	set    index.Material
	file   string
	run    string
	number int   // of the next piece
	saved  int64 // bytes in the bucket
	grown  chan grown
	ended  chan error
}

// grown says how large a checkpoint is, and how far the analysis had come.
type grown struct {
	size       int64
	phase, ply int
}

func newSaver(s *store, m index.Material, file, run string, number int, saved int64) *saver {
	return &saver{s, m, file, run, number, saved, make(chan grown, 1), make(chan error, 1)}
}

// start begins to copy; an error of the bucket's that lasts ends it.
func (c *saver) start(ctx context.Context) {
	go func() {
		var err error
		for g := range c.grown {
			if err == nil {
				err = c.save(ctx, g)
			}
		}
		c.ended <- err
	}()
}

// tell is called when the checkpoint has grown. It does not wait.
func (c *saver) tell(g grown) {
	select {
	case <-c.grown: // the last one has not been begun, and is now part of this
	default:
	}
	c.grown <- g
}

// end waits until everything that was told is in the bucket.
func (c *saver) end() error {
	close(c.grown)
	return <-c.ended
}

// save puts what the checkpoint has grown by.
func (c *saver) save(ctx context.Context, g grown) error {
	if g.size <= c.saved {
		return nil
	}
	file, err := os.Open(c.file)
	if err != nil {
		return err
	}
	defer file.Close()
	body := io.NewSectionReader(file, c.saved, g.size-c.saved)
	sum := xxhash.New()
	if _, err := io.Copy(sum, body); err != nil {
		return err
	}
	p := piece{c.run, c.number, g.phase, g.ply, hex.EncodeToString(sum.Sum(nil))}
	if err := c.store.Put(ctx, p.key(c.set), body); err != nil && !errors.Is(err, bucket.ErrExists) {
		return err
	}
	c.number++
	c.saved = g.size
	return nil
}

// removeCheckpoints removes the checkpoints of a set that is done.
func (s *store) removeCheckpoints(ctx context.Context, m index.Material) error {
	var heads, pieces []string
	for key, err := range s.List(ctx, runPrefix(m)) {
		if err != nil {
			return err
		}
		if path.Base(key) == "head.json" {
			heads = append(heads, key)
		} else {
			pieces = append(pieces, key)
		}
	}
	for _, key := range append(pieces, heads...) {
		if err := s.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
