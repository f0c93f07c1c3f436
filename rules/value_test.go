package rules

import "testing"

func TestValue(t *testing.T) {
	texts := map[Outcome]string{
		Illegal: "illegal", Open: "open", MateWin: "win in 7", MateLoss: "loss in 8",
		PerpetualWin: "win by perpetual check, rank 7", PerpetualLoss: "loss by perpetual check, rank 7",
	}
	seen := map[Value]bool{}
	for o := Illegal; o <= PerpetualLoss; o++ {
		for n := range MaxNumber + 1 {
			v := MakeValue(o, n)
			if v.Outcome() != o || v.Number() != n || seen[v] {
				t.Fatalf("outcome %d, number %d: %d, %d", o, n, v.Outcome(), v.Number())
			}
			seen[v] = true
		}
		n := 7
		if o == MateLoss {
			n = 8
		}
		if got := MakeValue(o, n).String(); got != texts[o] {
			t.Errorf("outcome %d is written %q, want %q", o, got, texts[o])
		}
	}
}

// TestValueQuestions asks each value everything: who wins, by what, and the numbers, known or not.
func TestValueQuestions(t *testing.T) {
	type answers struct {
		wins, loses, byMate, byPerpetual bool
		distance                         int // -1: not known
		rank                             int
		text                             string
	}
	for v, want := range map[Value]answers{
		MakeValue(Illegal, 0):       {distance: -1, rank: -1, text: "illegal"},
		MakeValue(Open, 0):          {distance: -1, rank: -1, text: "open"},
		MakeValue(MateWin, 0):       {wins: true, byMate: true, distance: -1, rank: -1, text: "win by mate"},
		MakeValue(MateWin, 1):       {wins: true, byMate: true, distance: 1, rank: -1, text: "win in 1"},
		MakeValue(MateLoss, 0):      {loses: true, byMate: true, distance: 0, rank: -1, text: "loss in 0"},
		MakeValue(MateLoss, 12):     {loses: true, byMate: true, distance: 12, rank: -1, text: "loss in 12"},
		MakeValue(PerpetualWin, 0):  {wins: true, byPerpetual: true, distance: -1, rank: -1, text: "win by perpetual check"},
		MakeValue(PerpetualWin, 2):  {wins: true, byPerpetual: true, distance: -1, rank: 2, text: "win by perpetual check, rank 2"},
		MakeValue(PerpetualLoss, 0): {loses: true, byPerpetual: true, distance: -1, rank: -1, text: "loss by perpetual check"},
		MakeValue(PerpetualLoss, 1): {loses: true, byPerpetual: true, distance: -1, rank: 1, text: "loss by perpetual check, rank 1"},
	} {
		known := func(n int, ok bool) int {
			if !ok {
				return -1
			}
			return n
		}
		o := v.Outcome()
		got := answers{o.Wins(), o.Loses(), o.ByMate(), o.ByPerpetual(), known(v.Distance()), known(v.Rank()), v.String()}
		if got != want || v.Wins() != want.wins || v.Loses() != want.loses {
			t.Errorf("%v, number %d: %+v, want %+v", o, v.Number(), got, want)
		}
	}
}
