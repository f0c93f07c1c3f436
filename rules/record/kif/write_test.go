package kif

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
)

// TestRoundTrip writes random games with random variations and reads them back.
func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		g := randomGame(t, random)
		again, err := one(t, String(g))
		if err != nil {
			t.Fatalf("%v in\n%s", err, String(g))
		}
		again.FileLine = 0
		if !reflect.DeepEqual(g, again) {
			t.Fatalf("wrote %+v %+v\n%s\nread %+v %+v\n%s", g.Headers, g.Line, String(g), again.Headers, again.Line, String(again))
		}
	}
}

// deepest is how far variations of variations go.
const deepest = 3

func randomGame(t *testing.T, random *rand.Rand) *record.Game {
	t.Helper()
	p, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		t.Fatal(err)
	}
	// A few moves lead to other first positions, with hands, of either side.
	for range random.IntN(3) * random.IntN(20) {
		m := randomMove(&p, random)
		if m == 0 {
			break
		}
		p.Make(m)
	}
	// A diagram has no place for the move number.
	board := [rules.Squares]rules.Piece{}
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	p, err = rules.New(board, [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.SideToMove())
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Format: record.KIF, Start: p, Players: [2]string{"先", ""}, Headers: []record.Header{{Key: "作者", Value: "x"}}}
	g.Line = randomLine(p, 1, deepest, random)
	return g
}

func randomMove(p *rules.Position, random *rand.Rand) rules.Move {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return 0
	}
	return moves[random.IntN(len(moves))]
}

func randomLine(p rules.Position, ply, depth int, random *rand.Rand) record.Line {
	l := record.Line{Ply: ply}
	positions := []rules.Position{p}
	for range 1 + random.IntN(12) {
		m := randomMove(&p, random)
		if m == 0 {
			break
		}
		move := record.Move{Move: m, Time: time.Duration(random.IntN(2)*random.IntN(5000)) * time.Second}
		if random.IntN(5) == 0 {
			move.Comments = []string{"あ", "b"}
		}
		l.Moves = append(l.Moves, move)
		p.Make(m)
		positions = append(positions, p)
	}
	if random.IntN(2) == 0 {
		kind := record.Resigns + record.EndKind(random.IntN(int(record.PlyLimit-record.Resigns)+1))
		l.End = record.End{Text: formatEnd(record.End{Kind: kind}), Kind: kind}
	}
	for i := len(positions) - 1; i >= 0 && depth > 0; i-- {
		if i == 0 && depth < deepest { // such a one belongs to the line above
			break
		}
		if random.IntN(4) == 0 {
			l.Variations = append(l.Variations, randomLine(positions[i], ply+i, depth-1, random))
		}
	}
	return l
}

// TestWritten: what is written, character by character. A + for a variation stands behind a time, as the strictest
// readers want it, and the times of all moves are added up for each side.
func TestWritten(t *testing.T) {
	g, err := one(t, mateDiagram+"先手：あ\n作者：い\n*前\n1 １二金(13) (1:05/)+\n*一\n2 同玉(11) (0:02/)\n3 １三飛打 (60:00/)\n4 詰\n変化：2手\n2 同金(21) (0:03/)\n3 なんだ\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "#KIF version=2.0 encoding=UTF-8\n先手：あ\n作者：い\n" + mateDiagram + `手数----指手---------消費時間--
*前
   1 １二金(13)   ( 1:05/00:01:05)
*一
   2 同　玉(11)   ( 0:02/00:00:02)+
   3 １三飛打   (60:00/01:01:05)
   4 詰み

変化：2手
   2 同　金(21)   ( 0:03/00:00:03)
   3 なんだ
`
	if got := String(g); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
	// A variation that replaces the end of a line is marked there.
	ends, err := one(t, mateDiagram+"1 １二金(13)\n2 投了\n変化：2手\n2 同玉(11)\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := String(ends); !strings.Contains(got, "   2 投了   ( 0:00/00:00:00)+\n") {
		t.Errorf("wrote\n%s", got)
	} else if again, err := one(t, got); err != nil || len(again.Variations) != 1 || again.End != ends.End {
		t.Errorf("read back: %+v, %v", again, err)
	}
	// Without variations and times there are none to write.
	plain, err := one(t, mateDiagram+mateText)
	if err != nil {
		t.Fatal(err)
	}
	if got := String(plain); !strings.HasSuffix(got, "--\n   1 １二金(13)\n   2 同　玉(11)\n   3 １三飛打\n") {
		t.Errorf("wrote\n%s", got)
	}
	// With a variation, all have one.
	plain.Variations = g.Variations
	plain.Variations[0].Moves[0].Time = 0
	if got := String(plain); strings.Count(got, "( 0:00/00:00:00)") != 4 || !strings.Contains(got, "同　玉(11)   ( 0:00/00:00:00)+\n") {
		t.Errorf("wrote\n%s", got)
	}
}
