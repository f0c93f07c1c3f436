package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// The numbers in the header are those of package rules, which programs in C were compiled with.
func TestHeaderNumbers(t *testing.T) {
	text, err := os.ReadFile("gogotb.h")
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]int{}
	for _, m := range regexp.MustCompile(`GOGOTB_([A-Z_]+)(?: =)? (\d+)`).FindAllStringSubmatch(string(text), -1) {
		if header[m[1]], err = strconv.Atoi(m[2]); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{
		"EMPTY": int(rules.NoPiece), "GOTE_PIECE": int(rules.MakePiece(rules.Gote, rules.King)) - int(rules.MakePiece(rules.Sente, rules.King)),
		"SENTE": int(rules.Sente), "GOTE": int(rules.Gote),
		"OPEN": int(rules.Open), "MATE_WIN": int(rules.MateWin), "MATE_LOSS": int(rules.MateLoss),
		"PERPETUAL_WIN": int(rules.PerpetualWin), "PERPETUAL_LOSS": int(rules.PerpetualLoss),
		"MAX_MOVES": rules.MaxMoves, "MAX_LINE": mate.MaxMaxPlies,
	}
	for name, kind := range map[string]rules.Kind{
		"ROOK": rules.Rook, "BISHOP": rules.Bishop, "GOLD": rules.Gold, "SILVER": rules.Silver, "PAWN": rules.Pawn, "KING": rules.King,
		"DRAGON": rules.Dragon, "HORSE": rules.Horse, "PROMOTED_SILVER": rules.PromotedSilver, "TOKIN": rules.Tokin,
	} {
		want[name] = int(rules.MakePiece(rules.Sente, kind))
	}
	for name, n := range want {
		if got, ok := header[name]; !ok || got != n {
			t.Errorf("GOGOTB_%s is %d, in package rules %d", name, got, n)
		}
	}
}
