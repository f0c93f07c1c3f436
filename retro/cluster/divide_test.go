package cluster

import (
	"testing"

	"gogotb/retro"
)

// TestFewestParts: sets are divided as far as rooms ask for it, and no further.
func TestFewestParts(t *testing.T) {
	m := parse(t, "GSP")[0]
	of := func(parts int) (most uint64) {
		t.Helper()
		p, err := retro.NewPlan(m, parts)
		if err != nil {
			t.Fatal(err)
		}
		for part := range parts {
			e, err := p.EstimatePart(part, retro.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, e.Memory)
		}
		return most
	}
	half := of(2)
	third := of(3)
	for _, c := range []struct {
		what  string
		rooms []uint64
		want  int
	}{
		{"room for two halves", []uint64{half, half}, 2},
		{"room for three thirds", []uint64{third, third, third}, 3},
		{"one room for both halves", []uint64{2 * half}, 2},
		{"no room", []uint64{1 << 20}, 0},
		{"no worker", nil, 0},
	} {
		var rooms []Room
		for _, memory := range c.rooms {
			rooms = append(rooms, Room{Memory: memory, Jobs: 1})
		}
		if got := fewestParts(m, rooms); got != c.want {
			t.Errorf("%s: %d parts, want %d", c.what, got, c.want)
		}
	}
}
