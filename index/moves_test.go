package index

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// The legal positions of a set and their moves are as many as other programs count,
// mirror images included.
func TestLegalMoves(t *testing.T) {
	f, err := os.Open("testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sets := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var want struct {
			Material      string `json:"material"`
			Legal         int    `json:"legal"`
			LegalMoves    int    `json:"legal_moves"`
			MaxLegalMoves int    `json:"max_legal_moves"`
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		m, err := ParseMaterial(want.Material)
		if err != nil {
			t.Fatal(err)
		}
		if m.PieceCount() > 2 || testing.Short() && m.PieceCount() > 1 {
			continue
		}
		sets++
		legal, moves, most := 0, 0, 0
		for c := mustIndex(t, want.Material).Cursor(0); ; {
			if p := c.Position(); p.Validate() == nil {
				n := p.CountMoves()
				legal += c.Weight
				moves += n * c.Weight
				most = max(most, n)
			}
			if !c.Next() {
				break
			}
		}
		if legal != want.Legal || moves != want.LegalMoves || most != want.MaxLegalMoves {
			t.Errorf("%s: %d positions, %d moves, at most %d; want %d, %d, %d",
				want.Material, legal, moves, most, want.Legal, want.LegalMoves, want.MaxLegalMoves)
		}
	}
	if sets < 4 {
		t.Errorf("only %d sets", sets)
	}
}
