package mate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gogotb/rules"
)

// endless has no mate that a search could find soon, nor an end to the positions to look at.
const endless = rules.StartSFEN

func TestCancellation(t *testing.T) {
	pos := mustParse(t, endless)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := New(1<<20).Solve(done, &pos, Options{})
	if err != nil || r.Verdict != Unknown || r.Cause != context.Canceled {
		t.Errorf("cancelled before: %v, %v, %v", r.Verdict, r.Cause, err)
	}

	why := errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	r, err = New(1<<20).Solve(ctx, &pos, Options{Progress: func(Progress) { stop(why) }})
	if err != nil || r.Verdict != Unknown || r.Cause != why || r.Nodes == 0 {
		t.Errorf("cancelled by the progress report: %v, %v, %v", r.Verdict, r.Cause, err)
	}

	r, err = New(1<<20).Solve(context.Background(), &pos, Options{Timeout: 30 * time.Millisecond})
	if err != nil || r.Verdict != Unknown || r.Cause != ErrTimeout {
		t.Errorf("out of time: %v, %v, %v", r.Verdict, r.Cause, err)
	}
}

func TestMaxNodes(t *testing.T) {
	for _, sfen := range []string{endless, "2k2/5/1+P3/5/5 b 2S 1"} {
		pos := mustParse(t, sfen)
		for _, limit := range []uint64{1, 10, 1000, 100_000} {
			r := mustSolve(t, New(1<<20), &pos, Options{MaxNodes: limit})
			if sfen == endless && (r.Verdict != Unknown || r.Cause != ErrMaxNodes) {
				t.Errorf("%s, %d nodes: %v, %v", sfen, limit, r.Verdict, r.Cause)
			}
			// The moves of one node, and a plain search of one ply below each, are not cut short.
			if r.Nodes > limit+rules.MaxMoves*rules.MaxMoves {
				t.Errorf("%s: %d nodes, the limit is %d", sfen, r.Nodes, limit)
			}
		}
	}
}

// What is proved when a search ends early is true: here, that the naked king is lost in 8 plies, is approached from below.
func TestBoundsAndProgress(t *testing.T) {
	pos := mustParse(t, "4k/5/5/P4/KGSBR w - 1")
	last := Bounds{0, -1}
	for limit := uint64(100); ; limit *= 3 {
		r := mustSolve(t, New(8<<20), &pos, Options{MaxNodes: limit})
		b := r.Bounds
		if b.None > 7 || b.Most >= 0 && (b.Most < 8 || b.Most%2 != 0) || b.None < last.None {
			t.Fatalf("after %d nodes: %+v, before %+v", limit, b, last)
		}
		last = b
		if r.Verdict == MatedIn {
			break
		}
		if r.Verdict != Unknown {
			t.Fatalf("%v", r.Verdict)
		}
	}
	if last != (Bounds{7, 8}) {
		t.Errorf("bounds %+v", last)
	}
	kings := mustParse(t, "2k2/5/5/5/2K2 b - 1")
	if r := mustSolve(t, New(8<<20), &kings, Options{}); r.Verdict != NoMate || r.Bounds != (Bounds{math.MaxInt, -1}) {
		t.Errorf("two kings: %v, %+v", r.Verdict, r.Bounds)
	}

	reports, nodes := 0, uint64(0)
	start := mustParse(t, endless)
	mustSolve(t, New(8<<20), &start, Options{Timeout: time.Second, Progress: func(p Progress) {
		if p.Nodes < nodes || p.Bounds.None > 60 || p.Bounds.Most >= 0 {
			t.Errorf("%+v after %d nodes", p, nodes)
		}
		nodes = p.Nodes
		reports++
	}})
	if reports == 0 {
		t.Error("no progress was reported")
	}
}

// Pause is called as long as the solver works, and waits as long as it likes: what ends meanwhile is noticed.
func TestPause(t *testing.T) {
	start := mustParse(t, endless)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	r, err := New(8<<20).Solve(ctx, &start, Options{Pause: func() {
		if calls++; calls == 20 {
			cancel()
		}
	}})
	if err != nil || r.Verdict != Unknown || r.Cause != context.Canceled || calls < 20 || r.Nodes > 20*pollEvery {
		t.Errorf("%+v, %v after %d pauses", r, err, calls)
	}
}

func TestBadInput(t *testing.T) {
	pos := mustParse(t, endless)
	for _, opt := range []Options{{MaxPlies: -1}, {Tree: -1}, {Timeout: -time.Second}} {
		var bad *OptionError
		if _, err := Solve(context.Background(), &pos, opt); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	var board [rules.Squares]rules.Piece
	board[0], board[1] = rules.MakePiece(rules.Sente, rules.King), rules.MakePiece(rules.Gote, rules.King)
	touching := rules.Place(&board, &[2]rules.Hand{}, rules.Sente)
	var illegal *rules.PositionError
	if _, err := Solve(context.Background(), &touching, Options{}); !errors.As(err, &illegal) {
		t.Errorf("kings that touch: %v", err)
	}
}

// However little memory there is, an answer is right or there is none.
func TestTinyMemory(t *testing.T) {
	for _, test := range []struct {
		tsume         bool
		pieces, limit int
	}{{false, 2, 5}, {true, 10, 7}} {
		rnd := rand.New(rand.NewPCG(9, 9))
		answers := 0
		s := New(1)
		for range 100 {
			pos := randomPosition(rnd, randomKinds(rnd, test.pieces), bothKings)
			want := bruteLength(pos, test.tsume, test.limit)
			r := mustSolve(t, s, &pos, Options{Tsume: test.tsume, MaxPlies: test.limit, MaxNodes: 200_000})
			if r.Verdict == Unknown {
				if r.Bounds.None >= want && want >= 0 || r.Bounds.Most >= 0 && (want < 0 || r.Bounds.Most < want) {
					t.Fatalf("%s: bounds %+v, mate in %d", pos.SFEN(), r.Bounds, want)
				}
				continue
			}
			answers++
			checkAgainst(t, pos, test.tsume, test.limit, want, r)
		}
		if answers < 50 {
			t.Errorf("only %d answers", answers)
		}
	}
	if size := len(newTable(1).slots) * slotBytes; size > 4096 {
		t.Errorf("the smallest table takes %d bytes", size)
	}
}

// TestBeyondReach: what is deeper than the search goes is refused, and a search that has come to
// its end without an answer says so.
func TestBeyondReach(t *testing.T) {
	p, err := rules.ParseSFEN("4k/5/5/5/K4 b 2G 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{MaxPlies: MaxMaxPlies + 1}, {MaxPlies: 70_000, Tsume: true}} {
		var wrong *OptionError
		if _, err := Solve(t.Context(), &p, opt); !errors.As(err, &wrong) {
			t.Errorf("MaxPlies %d: error %v", opt.MaxPlies, err)
		}
	}
	for _, limit := range []int{MaxMaxPlies - 1, MaxMaxPlies} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		r, err := Solve(ctx, &p, Options{MaxPlies: limit, Tsume: true})
		cancel()
		if err != nil || r.Verdict == Unknown {
			t.Errorf("MaxPlies %d: %v, %v, %v", limit, r.Verdict, r.Cause, err)
		}
	}
}
