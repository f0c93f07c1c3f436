package answer

import "gogotb/rules"

// USI are moves in USI notation.
func USI(moves []rules.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.USI()
	}
	return texts
}

// Japanese are moves that follow one another from a position, as Japanese books write them.
func Japanese(p rules.Position, moves []rules.Move) []string {
	texts := make([]string, len(moves))
	last := rules.NoSquare
	for i, m := range moves {
		texts[i] = p.Japanese(m, last)
		p.Make(m)
		last = m.To()
	}
	return texts
}

// Western are moves that follow one another from a position, in western notation.
func Western(p rules.Position, moves []rules.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = p.Western(m)
		p.Make(m)
	}
	return texts
}
