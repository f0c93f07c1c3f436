//go:build conformance

package dialect

import (
	"os/exec"
	"strings"
	"testing"

	"gogotb/rules"
)

// A "=" behind a move means to Fairy-Stockfish (Debian's package fairy-stockfish) what it means to us.
func TestPromotionDeclinedByFairyStockfish(t *testing.T) {
	path, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		path = "/usr/games/fairy-stockfish"
	}
	const position = "fen 4k/1R3/5/5/K4[] w - - 0 1 moves b4b5= e5e4 b5b4="
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Stdin = strings.NewReader("uci\nsetoption name UCI_Variant value minishogi\nposition " + position + "\nd\nquit\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v (Debian: apt-get install fairy-stockfish)", err)
	}
	_, shown, ok := strings.Cut(string(out), "\nSfen: ")
	shown, _, _ = strings.Cut(shown, "\n")
	theirs, err := rules.ParseSFEN(shown)
	if !ok || err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	p, moves, err := UCI.ParsePosition(strings.Fields(position))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		p.Make(m)
	}
	if !p.Same(&theirs) {
		t.Errorf("%v, Fairy-Stockfish has %v", &p, &theirs)
	}
}
