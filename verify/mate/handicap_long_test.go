//go:build long

package mate

import (
	"context"
	"math/rand/v2"
	"testing"
	"unsafe"

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
			p := newPlain(t.Context(), &pos, pos.SideToMove().Other(), handicapHash/3)
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

// TestPlain compares that search with one that is plainer still.
func TestPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 16))
	won := 0
	for won < 100 {
		pos := randomPosition(rnd, randomKinds(rnd, 4), bothKings)
		for _, attacker := range bothKings {
			p, b := newPlain(t.Context(), &pos, attacker, 1<<16), newBrute(attacker, false)
			first := 0 // mates of the attacker are of odd length where it is to move
			if pos.SideToMove() == attacker {
				first = 1
			}
			for plies := first; plies < 6; plies += 2 {
				want := b.mates(pos, plies)
				if got := p.mates(plies); got != want {
					t.Fatalf("%s: %v mates within %d: %v, want %v", pos.SFEN(), attacker, plies, got, want)
				}
				if want {
					won++
				}
			}
		}
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
	count    uint64 // positions searched
}

type plainEntry struct {
	position packedPosition
	plies    uint8
	mates    bool
}

// advisedPlies are left where the solver is asked; nearer to the end it takes longer to ask than to try.
const advisedPlies = 5

// newPlain makes a search that remembers hash bytes of positions, and has a solver with as much.
func newPlain(ctx context.Context, pos *rules.Position, attacker rules.Color, hash int64) *plain {
	q := &quest{Solver: New(hash), pos: *pos, opt: &Options{}, meter: newMeter(ctx, &Options{}, nil)}
	q.meter.allow(noBudget)
	return &plain{pos: *pos, attacker: attacker, seen: make([]plainEntry, hash/int64(unsafe.Sizeof(plainEntry{}))), advice: q.newSide(attacker)}
}

func (p *plain) mates(plies int) bool {
	attacks := p.pos.SideToMove() == p.attacker
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
	e := &p.seen[packed.hash()%uint64(len(p.seen))]
	if e.position != packed || int(e.plies) != plies {
		*e = plainEntry{packed, uint8(plies), p.tryAll(moves, plies)}
	}
	return e.mates
}

// tryAll tries moves until one serves the side that makes it.
func (p *plain) tryAll(moves []rules.Move, plies int) bool {
	attacks := p.pos.SideToMove() == p.attacker
	first := p.killers[plies]
	if plies >= advisedPlies {
		first = p.advice.search(&p.pos, uint16(plies)).move
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
