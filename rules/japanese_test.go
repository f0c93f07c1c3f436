package rules

import "testing"

// Every expected text is worked out from the rules of the Japan Shogi Association for writing moves.
func TestJapanese(t *testing.T) {
	for _, c := range []struct{ sfen, usi, last, japanese string }{
		{StartSFEN, "4e4d", "", "４四金"},
		{StartSFEN, "1e1b", "", "１二飛"},
		{StartSFEN, "5e4d", "", "４四玉"},
		{"4k/5/5/2+p2/K1G2 b - 1", "3e3d", "3d", "同金"},
		{"4k/5/5/2+p2/K1G2 b - 1", "3e3d", "3e", "３四金"},
		// Promotion, and where it is declined; a promoted piece has nothing to decline.
		{"4k/2S2/5/5/K4 b - 1", "3b3a+", "", "３一銀成"},
		{"4k/2S2/5/5/K4 b - 1", "3b3a", "", "３一銀不成"},
		{"2R2/4k/5/5/K4 b - 1", "3a3d", "", "３四飛不成"},
		{"4k/2+S2/5/5/K4 b - 1", "3b3a", "", "３一成銀"},
		{"4k/2+P2/5/5/K4 b - 1", "3b3a", "", "３一と"},
		{"4k/5/5/2+R2/K4 b - 1", "3d3b", "", "３二竜"},
		{"4k/5/5/2+B2/K4 b - 1", "3d4c", "", "４三馬"},
		{"4k/5/5/2s2/K4 w - 1", "3d3e", "", "３五銀不成"},
		// A drop is said to be one only where a piece of the same name can go, too.
		{"4k/5/5/5/K4 b G 1", "G*3c", "", "３三金"},
		{"4k/5/5/2G2/K4 b G 1", "G*3c", "", "３三金打"},
		{"4k/5/5/2G2/K4 b G 1", "3d3c", "", "３三金"},
		{"4k/5/5/2+S2/K4 b G 1", "G*3c", "", "３三金"},
		{"4k/5/5/2+S2/K4 b S 1", "S*3c", "", "３三銀"},
		{"4k/5/5/R4/K4 b R 1", "R*2d", "", "２四飛打"},
		{"4k/5/5/RP3/K4 b R 1", "R*2d", "", "２四飛"}, // the pawn is in the way
		// The gold is pinned to its king, but it moves that way.
		{"k1r2/5/5/2G2/2K2 b G 1", "G*4d", "", "４四金打"},
		// Two golds, one of which moves forward, sideways or back, and the other otherwise.
		{"4k/5/5/G1G2/4K b - 1", "5d4d", "", "４四金左"}, // both sideways
		{"4k/5/5/G1G2/4K b - 1", "3d4d", "", "４四金右"},
		{"4k/5/5/G4/1G2K b - 1", "5d4d", "", "４四金寄"},
		{"4k/5/5/G4/1G2K b - 1", "4e4d", "", "４四金上"},
		{"4k/5/1G3/5/G3K b - 1", "4c4d", "", "４四金引"},
		{"4k/5/1G3/5/G3K b - 1", "5e4d", "", "４四金上"},
		{"4k/5/1G3/G4/4K b - 1", "5d4d", "", "４四金寄"},
		// Side by side: straight ahead is 直, and left and right are the player's.
		{"4k/5/5/5/1GG1K b - 1", "4e4d", "", "４四金直"},
		{"4k/5/5/5/1GG1K b - 1", "3e4d", "", "４四金右"},
		{"4k/5/5/5/1GG1K b - 1", "3e3d", "", "３四金直"},
		{"4k/5/5/5/1GG1K b - 1", "4e3d", "", "３四金左"},
		{"4k/5/5/5/G1G1K b - 1", "5e4d", "", "４四金左"},
		{"k1gg1/5/5/5/4K w - 1", "3a3b", "", "３二金直"},
		{"k1gg1/5/5/5/4K w - 1", "2a3b", "", "３二金左"},
		{"k1gg1/5/5/5/4K w - 1", "3a2b", "", "２二金右"},
		{"k1g2/5/3g1/5/4K w - 1", "2c2b", "", "２二金引"},
		{"k1g2/5/3g1/5/4K w - 1", "3a2b", "", "２二金上"},
		// Silvers go back on the diagonals.
		{"4k/5/S1S2/5/4K b - 1", "5c4d", "", "４四銀左"},
		{"4k/5/S1S2/5/4K b - 1", "3c4d", "", "４四銀右"},
		{"4k/5/5/5/1SS1K b - 1", "4e4d", "", "４四銀直"},
		{"4k/S1S2/5/5/4K b - 1", "5b4a+", "", "４一銀左成"},
		{"4k/S1S2/5/5/4K b - 1", "3b4a", "", "４一銀右不成"},
		{"4k/+S1S2/5/5/4K b - 1", "5b4a", "", "４一成銀"}, // of different names
		{"4k/5/5/5/1+P+P1K b - 1", "4e4d", "", "４四と直"},
		// Rooks and bishops.
		{"4k/R4/5/2R2/4K b - 1", "5b3b", "", "３二飛寄"},
		{"4k/R4/5/2R2/4K b - 1", "3d3b", "", "３二飛上"},
		{"3k1/5/R3R/5/2K2 b - 1", "5c3c", "", "３三飛左"},
		{"3k1/5/R3R/5/2K2 b - 1", "1c3c", "", "３三飛右"},
		{"k4/4B/5/B4/4K b - 1", "1b2c", "", "２三角"}, // the other one does not aim there
		{"k4/5/B3B/5/2K2 b - 1", "5c3a+", "", "３一角左成"},
		{"k4/5/B3B/5/2K2 b - 1", "1c3a", "", "３一角右不成"},
		// Dragons and horses are left and right, never 直.
		{"k4/5/5/1+R3/2+R1K b - 1", "3e3c", "", "３三竜右"},
		{"k4/5/5/1+R3/2+R1K b - 1", "4d3c", "", "３三竜左"},
		{"k4/5/2+R2/1+R3/4K b - 1", "4d3d", "", "３四竜寄"},
		{"k4/5/2+R2/1+R3/4K b - 1", "3c3d", "", "３四竜引"},
		{"k4/5/5/2+B2/4K b B 1", "B*3c", "", "３三角"},
		{"k4/5/5/5/+B+B2K b - 1", "5e4d", "", "４四馬左"},
		{"k4/5/5/5/+B+B2K b - 1", "4e4d", "", "４四馬右"},
		{"k2+b+b/5/5/5/2K2 w - 1", "1a2b", "", "２二馬左"},
		{"k2+b+b/5/5/5/2K2 w - 1", "2a2b", "", "２二馬右"},
	} {
		p := mustParse(t, c.sfen)
		m, err := ParseUSI(c.usi)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Legal(m); err != nil {
			t.Errorf("%s: %v", c.sfen, err)
			continue
		}
		last := NoSquare
		if c.last != "" {
			last, _ = parseSquare(c.last)
		}
		if got := p.Japanese(m, last); got != c.japanese {
			t.Errorf("%s %s: %s, want %s", c.sfen, c.usi, got, c.japanese)
		}
	}
}

// Every move of many positions has a text of its own.
func TestJapaneseIsUnambiguous(t *testing.T) {
	var buf [MaxMoves]Move
	forRandomPositions(t, 3000, func(p *Position) {
		texts := map[string]Move{}
		for _, m := range p.Moves(buf[:0]) {
			text := p.Japanese(m, NoSquare)
			if other, ok := texts[text]; ok {
				t.Fatalf("%v: %s stands for %v and %v", p, text, other, m)
			}
			texts[text] = m
		}
	})
}
