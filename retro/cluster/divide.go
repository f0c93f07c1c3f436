package cluster

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gogotb/index"
	"gogotb/retro"
)

// divisors are the numbers of parts that are tried where nobody says how many.
var divisors = []int{2, 3, 4, 6, 8, 12, 15, 25, 43, 86, 129, 258}

// DivideLarge has those sets of a plan made in parts that none of the workers that are there has room for, if their parts
// fit the workers together; it takes the least number of divisors. A plan that is known already, but for its parts, keeps these. It returns the
// sets that it has divided now.
func (c *Client) DivideLarge(ctx context.Context, p *Plan) ([]string, error) {
	plans, _, err := c.control.known(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range plans {
		whole := a.Plan
		whole.Parts = nil
		if !a.Cancelled && whole.ID() == p.ID() {
			p.Parts = a.Plan.Parts
			return nil, nil
		}
	}
	members, err := c.control.members(ctx)
	if err != nil {
		return nil, err
	}
	var rooms []Room
	for _, m := range members {
		if m.Kind == "worker" && !m.Draining {
			rooms = append(rooms, m.Room)
		}
	}
	parts := map[string]int{}
	for _, t := range p.tasks() {
		if t.kind == makeTask && tooLarge(t, slices.Clone(rooms)) != "" {
			if n := fewestParts(t.set, rooms); n > 0 {
				parts[t.set.String()] = n
			}
		}
	}
	if len(parts) > 0 {
		p.Parts = parts
	}
	return slices.Sorted(maps.Keys(parts)), nil
}

// fewestParts returns the least of divisors so that rooms have room for all parts of a set together; 0 if there is none.
func fewestParts(m index.Material, rooms []Room) int {
	if len(rooms) == 0 {
		return 0
	}
	for _, n := range divisors {
		p, err := partsOf(m, n)
		if err != nil {
			return 0
		}
		if haveRoom(p, rooms) {
			return n
		}
	}
	return 0
}

// haveRoom tells whether the parts of a set find room, each in the room that has most left, the largest first.
func haveRoom(p *retro.Plan, rooms []Room) bool {
	var needs []uint64
	for part := range p.Parts() {
		_, e, err := Room{Jobs: 1}.partOptions(p, part, "")
		if err != nil {
			return false
		}
		needs = append(needs, e.Memory)
	}
	slices.SortFunc(needs, func(a, b uint64) int { return cmp.Compare(b, a) })
	left := make([]uint64, len(rooms))
	for i, r := range rooms {
		left[i] = r.Memory
	}
	for _, need := range needs {
		most := slices.Index(left, slices.Max(left))
		if left[most] < need {
			return false
		}
		left[most] -= need
	}
	return true
}
