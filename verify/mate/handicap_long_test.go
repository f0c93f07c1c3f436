//go:build long

package mate

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"
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
			p := newPlain(t.Context(), &pos, pos.SideToMove().Other(), handicapHash/3, New(handicapHash/3))
			for _, within := range []int{h.plies - 2, h.plies} {
				checkPlainly(t, p, within, within == h.plies)
			}
		})
	}
}

// TestTwoPiecesPlainly shows the same of the two-piece handicap. The solver that it asks has what gogotb solve --save kept
// of its own search of that, without which each piece of advice would take too long. Run it with
//
//	make handicap-two SAVE=FILE
func TestTwoPiecesPlainly(t *testing.T) {
	const plies = 22
	pos := mustParse(t, "2sgk/4p/5/P4/KGSBR w - 1")
	file, err := os.Open(os.Getenv("SAVE"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	advisor := New(6 << 30)
	if err := advisor.Load(file, &pos, false); err != nil {
		t.Fatal(err)
	}
	p := newPlain(t.Context(), &pos, rules.Sente, 3<<30, advisor)
	for _, within := range []int{plies - 8, plies, plies - 6, plies - 4, plies - 2} {
		checkPlainly(t, p, within, within == plies)
	}
}

// checkPlainly searches for a mate within so many plies, which there has to be or not.
func checkPlainly(t *testing.T, p *plain, within int, want bool) {
	t.Helper()
	p.count = 0
	begun := time.Now()
	mates := p.mates(within)
	t.Logf("mate within %d: %v, %d positions searched, %v", within, mates, p.count, time.Since(begun).Round(time.Second))
	if mates != want {
		t.Errorf("mate within %d: %v", within, mates)
	}
}

// TestPlain compares that search with one that is plainer still.
func TestPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 16))
	won := 0
	for won < 100 {
		pos := randomPosition(rnd, randomKinds(rnd, 4), bothKings)
		for _, attacker := range bothKings {
			p, b := newPlain(t.Context(), &pos, attacker, 1<<16, New(1<<16)), newBrute(attacker, false)
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

// newPlain makes a search that remembers hash bytes of positions, and asks a solver.
func newPlain(ctx context.Context, pos *rules.Position, attacker rules.Color, hash int64, advisor *Solver) *plain {
	q := &quest{Solver: advisor, pos: *pos, opt: &Options{}, meter: newMeter(ctx, &Options{}, nil)}
	q.meter.allow(noBudget)
	return &plain{pos: *pos, attacker: attacker, seen: make([]plainEntry, hash/int64(unsafe.Sizeof(plainEntry{}))), advice: q.newSide(attacker)}
}

func (p *plain) mates(plies int) bool {
	attacks := p.pos.SideToMove() == p.attacker
	if plies == 0 || !p.pos.HasMove() {
		return !attacks && !p.pos.HasMove()
	}
	var buf [rules.MaxMoves]rules.Move
	moves := p.pos.Moves(buf[:0])
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
