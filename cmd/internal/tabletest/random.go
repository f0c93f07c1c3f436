package tabletest

import (
	"math/rand/v2"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// RandomPosition returns a random legal position of a set, with either side to move.
func RandomPosition(t testing.TB, random *rand.Rand, set string) rules.Position {
	t.Helper()
	m, err := index.ParseMaterial(set)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for {
		p, err := x.Decode(random.Uint64N(x.Size()))
		if err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 1 {
			p = p.Rotated()
		}
		if p.Validate() == nil {
			return p
		}
	}
}
