package rules

import "testing"

func TestValue(t *testing.T) {
	texts := map[Outcome]string{
		Illegal: "illegal", Open: "open", MateWin: "mate 7", MateLoss: "mate 7",
		PerpetualWin: "perpetual 7 (win)", PerpetualLoss: "perpetual 7 (loss)",
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
		if got := MakeValue(o, 7).String(); got != texts[o] {
			t.Errorf("outcome %d is written %q, want %q", o, got, texts[o])
		}
	}
}
