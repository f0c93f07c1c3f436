package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// A drawer draws random positions of a set. There are three ways, since a set may have
// thousands of millions of positions, of which a handful are of the kind wanted:
//
//   - Where a position in a few thousand is of the kind, positions are drawn evenly until one
//     is: it is any of the kind with the same probability.
//   - Others are looked for in two thousand blocks of the table, spread over all of it, and drawn
//     evenly from what these hold. A table that has no more blocks is read whole, and again any
//     position of the kind is as likely as another. A machine so busy that this takes seconds
//     reads fewer.
//   - Numbers of wins are not stored, and mates in very many plies may not be in the blocks that
//     were seen. Then the draw is from the positions there with the mate that is lost in one ply
//     more, or else in any number more, or else it is the longest of the set; and best play by
//     both sides, any of the best moves with the same probability, leads from there to a mate in
//     as many plies as wanted.
type drawer struct {
	set    *storage.Set
	x      *index.Index
	random *rand.Rand
	tries  uint64    // positions drawn at most, on average, until one is of the kind wanted
	blocks uint64    // blocks read at most, or until there is one
	until  time.Time // a busy machine reads no more blocks then
}

// Looking at a position costs some 0.1 ms where the table is not in the cache, 0.5 ms where the
// position has to be a win of a given length, and looking at all of a block 0.2 ms.
const (
	usualTries  = 5000
	usualBlocks = 2000
	winTries    = 4 // times as long is a look at a win
	usualTime   = 3 * time.Second
)

func newDrawer(set *storage.Set, random *rand.Rand) *drawer {
	return &drawer{set: set, x: set.Index(), random: random, tries: usualTries, blocks: usualBlocks, until: time.Now().Add(usualTime)}
}

// draw gives a position of a kind, Sente to move; count is how many there are.
func (d *drawer) draw(ctx context.Context, want kind, count uint64) (rules.Position, error) {
	i, err := d.drawIndex(ctx, want, count)
	if err != nil {
		return rules.Position{}, err
	}
	p, err := d.x.Decode(i)
	if d.random.IntN(2) == 0 {
		p = p.Mirrored()
	}
	return p, err
}

func (d *drawer) drawIndex(ctx context.Context, want kind, count uint64) (uint64, error) {
	tries := d.tries
	if want.dtm%2 == 1 {
		tries /= winTries
	}
	switch {
	case 2*d.x.Size()/count <= tries:
		return d.try(ctx, want)
	case want.dtm < 0:
		return d.search(ctx, want, count)
	}
	return d.follow(ctx, want.dtm)
}

// try draws from all placements until one is of the kind. Placements that are their own mirror
// image are drawn half as often, as they are one position and not two.
func (d *drawer) try(ctx context.Context, want kind) (uint64, error) {
	for n := 0; ; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		i := d.random.Uint64N(d.x.Size())
		if d.random.IntN(2) >= weight(d.x, i) {
			continue
		}
		p, err := d.x.Decode(i)
		if err != nil {
			return 0, err
		}
		if p.Validate() != nil {
			continue
		}
		o, err := d.set.Outcome(&p)
		if err != nil {
			return 0, err
		}
		if !want.includes(o) {
			continue
		}
		if want.dtm >= 0 {
			r, err := d.set.Probe(&p)
			if err != nil {
				return 0, err
			}
			if r.Value != mateIn(want.dtm) {
				continue
			}
		}
		return i, nil
	}
}

// urn draws evenly from what is thrown in, one after the other: it keeps the n-th with probability
// 1/n.
type urn struct {
	random *rand.Rand
	kept   uint64
	total  int
}

func (u *urn) throw(i uint64, weight int) {
	if u.total += weight; u.random.IntN(u.total) < weight {
		u.kept = i
	}
}

// search draws from blocks, going on until there is one with a position of the kind.
func (d *drawer) search(ctx context.Context, want kind, count uint64) (uint64, error) {
	found := urn{random: d.random}
	err := d.read(ctx, func(i uint64, v rules.Value) {
		if want.includes(v.Outcome()) && d.legal(i) {
			found.throw(i, weight(d.x, i))
		}
	}, func(blocks uint64) bool { return d.more(blocks) || found.total == 0 })
	if found.total > 0 {
		return found.kept, nil
	}
	if ctx.Err() == context.DeadlineExceeded {
		return 0, &apiError{Status: http.StatusServiceUnavailable, Code: "too-rare", RetryAfter: 2,
			Message: fmt.Sprintf("%s has only %d positions of this kind, and none was found in %v; ask again for another try", d.x.Material(), count, randomTime)}
	}
	if err == nil {
		err = &storage.CorruptError{File: d.x.Material().String(), What: fmt.Sprintf("its statistics have %d positions of a kind of which it holds none", count)}
	}
	return 0, err
}

// follow draws a position with a mate in plies, or a longer one, from blocks, and follows best play.
func (d *drawer) follow(ctx context.Context, plies int) (uint64, error) {
	stored := plies + plies%2 // what the table has the number of: a loss
	exact, longer := urn{random: d.random}, urn{random: d.random}
	err := d.read(ctx, func(i uint64, v rules.Value) {
		if v.Outcome() == rules.MateLoss && v.Number() >= stored && d.legal(i) {
			u := &longer
			if v.Number() == stored {
				u = &exact
			}
			u.throw(i, weight(d.x, i))
		}
	}, d.more)
	if err != nil {
		return 0, err
	}
	stats := d.set.Stats()
	start, from := stats.LongestLoss, stats.MaxLoss
	switch {
	case exact.total > 0:
		start, from = exact.kept, stored
	case longer.total > 0:
		start, from = longer.kept, -1
	case stats.MaxWin > stats.MaxLoss:
		start, from = stats.LongestWin, stats.MaxWin
	}
	if from == plies {
		return start, nil
	}
	p, err := d.x.Decode(start)
	if err != nil {
		return 0, err
	}
	r, err := d.set.Probe(&p)
	if err != nil {
		return 0, err
	}
	for n := r.Value.Number(); n > plies; n-- {
		if err := d.playBest(&p, n); err != nil {
			return 0, err
		}
	}
	return d.x.Encode(&p)
}

// playBest plays any of the best moves of a position with a mate in plies.
func (d *drawer) playBest(p *rules.Position, plies int) error {
	best := urn{random: d.random}
	moves := p.Moves(nil)
	for i, m := range moves {
		undo := p.Make(m)
		r, err := d.set.Probe(p)
		p.Unmake(undo)
		if err != nil {
			return err
		}
		if r.Value == mateIn(plies-1) {
			best.throw(uint64(i), 1)
		}
	}
	if best.total == 0 {
		return &storage.CorruptError{File: d.x.Material().String(), What: fmt.Sprintf("no move of a mate in %d plies leads to one in %d", plies, plies-1)}
	}
	p.Make(moves[best.kept])
	return nil
}

// read gives the entries of blocks to see, in an order that spreads the blocks over all of the
// table, as long as more wants another one after those read. Numbers are those that are stored, of
// losses only.
func (d *drawer) read(ctx context.Context, see func(i uint64, v rules.Value), more func(blocks uint64) bool) error {
	n := d.set.BlockCount()
	from, step := d.random.Uint64N(n), d.step(n)
	var room []rules.Value
	for read := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := d.set.Block(from, room)
		if err != nil {
			return err
		}
		for i, v := range b.Values {
			see(b.First+uint64(i), v)
		}
		if !more(read + 1) {
			return nil
		}
		room = b.Values
		from = (from + step) % n
	}
	return nil
}

// more tells whether there is enough time for another block after this number.
func (d *drawer) more(blocks uint64) bool { return blocks < d.blocks && time.Now().Before(d.until) }

// step returns a random distance that leads around n blocks and meets each of them.
func (d *drawer) step(n uint64) uint64 {
	for {
		step := 1 + d.random.Uint64N(n)
		if gcd(step, n) == 1 {
			return step
		}
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// legal tells whether an entry is a legal position: others have any value.
func (d *drawer) legal(i uint64) bool {
	p, err := d.x.Decode(i)
	return err == nil && p.Validate() == nil
}
