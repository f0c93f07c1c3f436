//go:build long

package mate

import (
	"context"
	"testing"

	"gogotb/rules"
)

// handicaps are those of which it is said in how many plies Gote, who moves first, is mated: the naked king in encyclopaedias, three
// pieces by fairy-stockfish's search.
var handicaps = []struct {
	name, sfen string
	plies      int
}{
	{"naked king", "4k/5/5/P4/KGSBR w - 1", 8},
	{"three pieces", "3gk/4p/5/P4/KGSBR w - 1", 16},
}

// handicapHash is the memory of the solver.
const handicapHash = 768 << 20

// TestHandicaps finds out whether that is so. Run it with
//
//	make handicaps
func TestHandicaps(t *testing.T) {
	for _, h := range handicaps {
		t.Run(h.name, func(t *testing.T) {
			pos := mustParse(t, h.sfen)
			r := mustSolve(t, New(handicapHash), &pos, Options{})
			t.Logf("%v in %d, %v, %d nodes, %v", r.Verdict, r.Plies, r.Line, r.Nodes, r.Elapsed)
			checkAgainst(t, pos, false, 0, h.plies, r)
		})
	}
}

// TestHandicapsPlainly shows the same by a search that tries all moves and knows nothing but positions it has seen
// before. It only asks the solver what to try first. Run it with
//
//	make handicaps-plain
func TestHandicapsPlainly(t *testing.T) {
	for _, h := range handicaps {
		t.Run(h.name, func(t *testing.T) {
			pos := mustParse(t, h.sfen)
			p := newPlain(t.Context(), &pos, pos.Turn().Other())
			for _, within := range []int{h.plies - 2, h.plies} {
				p.count = 0
				mates := p.mates(within)
				t.Logf("mate within %d: %v, %d positions searched", within, mates, p.count)
				if mates != (within == h.plies) {
					t.Errorf("mate within %d: %v", within, mates)
				}
			}
		})
	}
}

// plain decides by depth-first search whether the attacker mates within so many plies. Nothing that it
// finds rests on the solver, which may at worst lead it astray for a while.
type plain struct {
	pos      rules.Position
	attacker rules.Color
	seen     []plainEntry
	advice   *side
	killers  [32]rules.Move
	count    uint64
}

type plainEntry struct {
	position packedPosition
	plies    uint8
	mates    bool
}

const (
	plainEntries = 8_000_000 // 32 bytes each
	// advisedPlies are left where the solver is asked; nearer to the end it takes longer to ask than to try.
	advisedPlies = 5
)

func newPlain(ctx context.Context, pos *rules.Position, attacker rules.Color) *plain {
	q := &quest{Solver: New(handicapHash / 3), pos: *pos, opt: &Options{}, meter: newMeter(ctx, &Options{}, nil)}
	q.meter.allow(noBudget)
	return &plain{pos: *pos, attacker: attacker, seen: make([]plainEntry, plainEntries), advice: q.newSide(attacker)}
}

func (p *plain) mates(plies int) bool {
	attacks := p.pos.Turn() == p.attacker
	var buf [rules.MaxMoves]rules.Move
	moves := p.pos.Moves(buf[:0])
	if len(moves) == 0 || plies == 0 {
		return len(moves) == 0 && !attacks
	}
	p.count++
	if plies <= 2 {
		return p.tryAll(moves, plies)
	}
	packed := packPosition(&p.pos, p.attacker)
	e := &p.seen[packed.hash()%plainEntries]
	if e.position != packed || int(e.plies) != plies {
		*e = plainEntry{packed, uint8(plies), p.tryAll(moves, plies)}
	}
	return e.mates
}

// tryAll tries moves until one serves the side that makes it.
func (p *plain) tryAll(moves []rules.Move, plies int) bool {
	attacks := p.pos.Turn() == p.attacker
	first := p.killers[plies]
	if plies >= advisedPlies {
		first = p.advice.search(&p.pos, plies).move
	}
	moveTo(moves, 0, first)
	for _, m := range moves {
		undo := p.pos.Make(m)
		mates := p.mates(plies - 1)
		p.pos.Unmake(undo)
		if mates == attacks {
			p.killers[plies] = m
			return attacks
		}
	}
	return !attacks
}
