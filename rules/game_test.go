package rules

import (
	"errors"
	"strings"
	"testing"
)

// play plays a game of USI moves.
func play(t *testing.T, sfen, moves string, options GameOptions) *Game {
	t.Helper()
	g := NewGame(mustParse(t, sfen), options)
	for _, text := range strings.Fields(moves) {
		m, err := ParseUSI(text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatalf("%s, move %d: %v", sfen, g.PlyCount()+1, err)
		}
	}
	return g
}

// times repeats the moves of a cycle.
func times(n int, moves string) string { return strings.Repeat(moves+" ", n) }

func TestRepetitionFixtures(t *testing.T) {
	for _, line := range fixture(t, "repetition.tsv") {
		sfen, moves, result := line[0], line[1], line[2]
		g := play(t, sfen, moves, GameOptions{})
		var want Status
		switch {
		case strings.HasPrefix(result, "none"):
		case result == "repetition":
			want = Status{Result: Draw, Reason: FourfoldRepetition}
		case strings.HasPrefix(result, "perpetual check by Sente, who loses"):
			want = Status{Win, Gote, PerpetualCheck}
		default:
			t.Fatalf("result %q", result)
		}
		if got := g.Status(); got != want {
			t.Errorf("%s %s: %v, want %v (%s)", sfen, moves, got, want, result)
		}
		// The same game with the sides exchanged.
		start := mustParse(t, sfen)
		r := NewGame(start.Rotated(), GameOptions{})
		for _, m := range g.Moves() {
			if err := r.Play(mapped(m, Square.Rotate)); err != nil {
				t.Fatal(err)
			}
		}
		if want.Result == Win {
			want.Winner = want.Winner.Other()
		}
		if got := r.Status(); got != want {
			t.Errorf("rotated %s: %v, want %v", sfen, got, want)
		}
	}
}

const (
	// Cycles of moves after which the position is as before: from StartSFEN, without
	// checks;
	shuffle = "5e4d 1a2b 4d5e 2b1a"
	// with one check by Sente among its two moves;
	oneCheck      = "2k2/5/1R3/5/K4 b - 1"
	oneCheckCycle = "4c3c 3a2a 3c4c 2a3a"
	// with checks by both sides, but not with all moves of either.
	bothCheck      = "2k2/4r/1R3/5/K4 b - 1"
	bothCheckCycle = "4c3c 3a2a 5e5d 1b5b 5d4d 5b1b 3c4c 2a2b 4d5e 2b3a"
)

// The three rules, each on a repetition without checks and on one with checks that are
// not perpetual.
func TestRepetitionRules(t *testing.T) {
	sente, gote := Sente, Gote
	draw := Status{Result: Draw, Reason: FourfoldRepetition}
	for _, c := range []struct {
		name    string
		sfen    string
		cycle   string
		options GameOptions
		want    Status
	}{
		{"draw", StartSFEN, shuffle, GameOptions{}, draw},
		{"draw with checks", oneCheck, oneCheckCycle, GameOptions{}, draw},
		{"first player", StartSFEN, shuffle,
			GameOptions{Repetition: FirstPlayerLoses}, Status{Win, Gote, FourfoldRepetition}},
		{"first player with checks", oneCheck, oneCheckCycle,
			GameOptions{Repetition: FirstPlayerLoses}, Status{Win, Gote, FourfoldRepetition}},
		{"first player Gote, by the option", StartSFEN, shuffle,
			GameOptions{Repetition: FirstPlayerLoses, FirstPlayer: &gote}, Status{Win, Sente, FourfoldRepetition}},
		{"first player Sente, by the option", Handicaps[0].SFEN, "1a2b 5e4d 2b1a 4d5e",
			GameOptions{Repetition: FirstPlayerLoses, FirstPlayer: &sente}, Status{Win, Gote, FourfoldRepetition}},
		{"inventor", StartSFEN, shuffle, GameOptions{Repetition: Inventor}, draw},
		{"inventor with checks by both", bothCheck, bothCheckCycle, GameOptions{Repetition: Inventor}, draw},
		{"inventor with checks", oneCheck, oneCheckCycle,
			GameOptions{Repetition: Inventor}, Status{Win, Gote, FourfoldRepetition}},
	} {
		g := NewGame(mustParse(t, c.sfen), c.options)
		for ply, text := range strings.Fields(times(3, c.cycle)) {
			if s := g.Status(); s != (Status{}) {
				t.Fatalf("%s: %v after %d plies", c.name, s, ply)
			}
			m, err := ParseUSI(text)
			if err == nil {
				err = g.Play(m)
			}
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if got := g.Status(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if n := g.Occurrences(); n != 4 {
			t.Errorf("%s: %d occurrences", c.name, n)
		}
	}
}

// Who loses for which checks: all combinations that a game can have, the sides
// exchanged too.
func TestDecideRepetition(t *testing.T) {
	type checks struct{ always, ever bool }
	none, some, all := checks{}, checks{false, true}, checks{true, true}
	const (
		byRule = iota
		senteLoses
		senteLosesPerpetual
	)
	for _, c := range []struct {
		sente, gote             checks
		draw, first, byInventor int
	}{
		{none, none, byRule, byRule, byRule},
		{some, none, byRule, byRule, senteLoses},
		{some, some, byRule, byRule, byRule},
		{all, none, senteLosesPerpetual, senteLosesPerpetual, senteLosesPerpetual},
		{all, some, senteLosesPerpetual, senteLosesPerpetual, senteLosesPerpetual},
		{all, all, byRule, byRule, byRule}, // no one is to blame
	} {
		for rule, outcome := range []int{c.draw, c.first, c.byInventor} {
			rule := Repetition(rule)
			for _, blamed := range []Color{Sente, Gote} {
				var always, ever [2]bool
				always[blamed], always[blamed.Other()] = c.sente.always, c.gote.always
				ever[blamed], ever[blamed.Other()] = c.sente.ever, c.gote.ever
				for _, first := range []Color{Sente, Gote} {
					want := Status{Result: Draw, Reason: FourfoldRepetition}
					switch {
					case outcome == senteLosesPerpetual:
						want = Status{Win, blamed.Other(), PerpetualCheck}
					case outcome == senteLoses:
						want = Status{Win, blamed.Other(), FourfoldRepetition}
					case rule == FirstPlayerLoses:
						want = Status{Win, first.Other(), FourfoldRepetition}
					}
					if got := rule.decide(always, ever, first); got != want {
						t.Errorf("%v, always %v, ever %v, first %v: %v, want %v", rule, always, ever, first, got, want)
					}
				}
			}
		}
	}
}

// All moves since the first occurrence count, and none before it.
func TestPerpetualCheckCountsFromFirstOccurrence(t *testing.T) {
	const check = "3c2c 2a3a 2c3c 3a2a"
	for _, c := range []struct {
		name, sfen, moves string
		want              Status
	}{
		{"quiet moves before", "4k/5/R4/5/2K2 b - 1", "5c3c 1a2a " + times(3, check),
			Status{Win, Gote, PerpetualCheck}},
		{"quiet moves after", "3k1/5/2R2/5/2K2 b - 1", "3e4e 2a1a 4e3e 1a2a " + times(2, check),
			Status{Result: Draw, Reason: FourfoldRepetition}},
	} {
		if got := play(t, c.sfen, c.moves, GameOptions{}).Status(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestHandsArePartOfPosition(t *testing.T) {
	// The board is as at the start, but the pawn has changed hands.
	g := play(t, "2k2/5/5/5/2K2 b P 1", "P*3b 3a3b 3e2e 3b2a 2e3e 2a3a", GameOptions{})
	start, now := g.Start(), g.Position()
	if start.board != now.board || g.Occurrences() != 1 {
		t.Errorf("%v: %d occurrences", &now, g.Occurrences())
	}
}

func TestEndOfGame(t *testing.T) {
	for _, c := range []struct {
		name, sfen, moves string
		options           GameOptions
		want              Status
	}{
		{"going on", StartSFEN, "5d5c", GameOptions{}, Status{}},
		{"checkmate", "3rk/5/3G1/5/K4 b G 1", "G*1b", GameOptions{}, Status{Win, Sente, Checkmate}},
		{"checkmate by Gote", "k4/5/1g3/5/KR3 w g 1", "G*5d", GameOptions{}, Status{Win, Gote, Checkmate}},
		{"stalemate", "4k/5/3G1/B4/K4 b P 1", "P*3c", GameOptions{}, Status{Win, Sente, Stalemate}},
		{"before the limit", StartSFEN, "5d5c 1b1c", GameOptions{MaxPlies: 3}, Status{}},
		{"at the limit", StartSFEN, "5d5c 1b1c 5c5b", GameOptions{MaxPlies: 3}, Status{Result: Draw, Reason: PlyLimitReached}},
		{"mate at the limit", "3rk/5/3G1/5/K4 b G 1", "G*1b", GameOptions{MaxPlies: 1}, Status{Win, Sente, Checkmate}},
		{"repetition at the limit", StartSFEN, times(3, shuffle), GameOptions{MaxPlies: 12, Repetition: FirstPlayerLoses},
			Status{Win, Gote, FourfoldRepetition}},
		// Impasse: the full set counts 26 points.
		{"one king entered", "5/K4/5/5/4k b 2R2B2G2S2P 1", "", GameOptions{Impasse: true}, Status{}},
		{"impasse not asked for", "K4/5/5/5/4k b 2R2B2G2S2P 1", "", GameOptions{}, Status{}},
		{"26 to 0", "K4/5/5/5/4k b 2R2B2G2S2P 1", "", GameOptions{Impasse: true}, Status{Win, Sente, ImpasseCount}},
		{"24 to 2", "K+R3/5/1+B3/5/4k b RBGS2Pgs 1", "", GameOptions{Impasse: true}, Status{Win, Sente, ImpasseCount}},
		{"23 to 3", "K+R3/5/1+B3/5/4k b RBGSPgsp 1", "", GameOptions{Impasse: true}, Status{Result: Undecided, Reason: ImpasseCount}},
		{"2 to 24", "K4/5/5/5/4k b GSrrbbgspp 1", "", GameOptions{Impasse: true}, Status{Win, Gote, ImpasseCount}},
		{"3 to 23", "K4/5/5/5/4k b GSPrrbbgsp 1", "", GameOptions{Impasse: true}, Status{Result: Undecided, Reason: ImpasseCount}},
		{"entering", "5/K4/5/5/4k b RRBBGGSSPP 1", "5b5a", GameOptions{Impasse: true}, Status{Win, Sente, ImpasseCount}},
		{"one king only", "K4/5/5/5/5 b RRBBGGSSPP 1", "", GameOptions{Impasse: true}, Status{}},
	} {
		g := play(t, c.sfen, c.moves, c.options)
		if got := g.Status(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestImpassePoints(t *testing.T) {
	p := mustParse(t, "K+R3/2+B2/2+p2/2S2/2G1k b RGPbs 1")
	// Sente: +R +B R 5 each, S G G P 1 each. Gote: B 5, +P S 1 each.
	if sente, gote := p.ImpassePoints(Sente), p.ImpassePoints(Gote); sente != 19 || gote != 7 {
		t.Errorf("%d and %d points, want 19 and 7", sente, gote)
	}
}

func TestPlayErrors(t *testing.T) {
	g := play(t, StartSFEN, "5d5c", GameOptions{})
	var e *IllegalMoveError
	if err := g.Play(Drop(Pawn, 12)); !errors.As(err, &e) || e.Rule != NotInHand {
		t.Errorf("a drop of what is not in hand: %v", err)
	}
	if g.PlyCount() != 1 || len(g.Moves()) != 1 {
		t.Error("an illegal move was played")
	}
	for _, c := range []struct{ sfen, moves string }{
		{"3rk/5/3G1/5/K4 b G 1", "G*1b"},
		{StartSFEN, times(3, shuffle)},
	} {
		g := play(t, c.sfen, c.moves, GameOptions{})
		if err := g.Play(Step(20, 16, false)); !errors.As(err, &e) || e.Rule != GameOver {
			t.Errorf("after the end: %v", err)
		}
	}
	// An impasse is a claim: the players may go on.
	g = play(t, "K4/5/5/5/4k b RRBBGGSSPP 1", "5a4a 1e2e", GameOptions{Impasse: true})
	if got, want := g.Status(), (Status{Win, Sente, ImpasseCount}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestUndo(t *testing.T) {
	g := play(t, StartSFEN, times(3, shuffle), GameOptions{})
	start := g.Start()
	for plies := 12; plies > 0; plies-- {
		// The position before ply 0, 4, 8 and 12 is the same.
		if got, want := g.Occurrences(), plies/4+1; got != want {
			t.Errorf("%d occurrences after %d plies, want %d", got, plies, want)
		}
		if over := g.Status().Result != Ongoing; over != (plies == 12) {
			t.Errorf("over after %d plies: %v", plies, over)
		}
		if !g.Undo() {
			t.Fatalf("no move to take back after %d plies", plies)
		}
	}
	if g.Undo() {
		t.Error("a move before the first was taken back")
	}
	if g.Position() != start || g.PlyCount() != 0 || len(g.occurrences) != 1 {
		t.Errorf("%v, %d plies, %d positions kept", g.Position(), g.PlyCount(), len(g.occurrences))
	}
	if err := g.Play(Step(20, 16, false)); err != nil || g.PlyCount() != 1 {
		t.Errorf("playing on: %v", err)
	}
}

func TestParseRepetition(t *testing.T) {
	for text, want := range map[string]Repetition{
		"draw": RepetitionDraw, "first-player-loses": FirstPlayerLoses, "inventor": Inventor,
	} {
		if r, err := ParseRepetition(text); err != nil || r != want || r.String() != text {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "Draw", "draw ", "first"} {
		if _, err := ParseRepetition(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// The words of the program's JSON.
func TestStatusTexts(t *testing.T) {
	for r, want := range []string{"ongoing", "win", "draw", "undecided"} {
		if got := Result(r).String(); got != want {
			t.Errorf("result %d: %q, want %q", r, got, want)
		}
	}
	for r, want := range []string{"", "checkmate", "stalemate", "repetition", "perpetual", "ply-limit", "impasse"} {
		if got := Reason(r).String(); got != want {
			t.Errorf("reason %d: %q, want %q", r, got, want)
		}
	}
}
