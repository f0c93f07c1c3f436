package retro

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"gogotb/index"
	"gogotb/rules"
)

// Plan divides an analysis into parts by king pairs. The part that owns a pair looks for Sente's
// moves from the pair and for Gote's from the rotated one, so that both colours are the same to it.
// It depends on nothing but the set and the number of parts.
type Plan struct {
	material index.Material
	owner    []int // by king pair
	parts    []pairsOfPart
	readers  [2][][]int // by side to move and king pair: the parts that read what others find there
	name     string
}

// MaxParts is how many parts an analysis can be divided into: one for each king pair.
var MaxParts = len(kingPairs)

// PartsError says that an analysis cannot be divided into so many parts.
type PartsError struct{ Parts int }

func (e *PartsError) Error() string {
	return fmt.Sprintf("%d parts: 1 to %d are possible", e.Parts, MaxParts)
}

// NewPlan divides the analysis of a set into a number of parts that take about the same time.
func NewPlan(m index.Material, parts int) (*Plan, error) {
	if _, err := index.New(m); err != nil {
		return nil, err
	}
	if parts < 1 || parts > MaxParts {
		return nil, &PartsError{parts}
	}
	return planOf(m, divide(parts)), nil
}

// planOf is the plan in which every king pair has the given owner.
func planOf(m index.Material, owner []int) *Plan {
	p := &Plan{material: m, owner: owner, parts: make([]pairsOfPart, slices.Max(owner)+1)}
	for i := range p.parts {
		p.parts[i] = pairsOwned(owner, i)
	}
	for c := range p.readers {
		p.readers[c] = make([][]int, len(kingPairs))
	}
	for i := range p.parts {
		for _, c := range []rules.Color{rules.Sente, rules.Gote} {
			for pair, read := range p.parts[i].need[c.Other()] {
				if read && !p.parts[i].own[c][pair] {
					p.readers[c][pair] = append(p.readers[c][pair], i)
				}
			}
		}
	}
	text := fmt.Appendf(nil, "gogotb plan %d\nrules %d\nset %s\n", planVersion, rules.Version, m)
	for _, part := range owner {
		text = fmt.Appendf(text, "%d\n", part)
	}
	sum := sha256.Sum256(text)
	p.name = hex.EncodeToString(sum[:8])
	return p
}

// planVersion changes whenever a part finds other deltas, or in other steps, than before.
const planVersion = 1

// Material returns the set.
func (p *Plan) Material() index.Material { return p.material }

// Parts returns the number of parts.
func (p *Plan) Parts() int { return len(p.parts) }

// Name returns what tells the plan from all others: 16 hexadecimal digits. Plans of other rules or
// of a program that divides or exchanges otherwise have other names.
func (p *Plan) Name() string { return p.name }

// Readers returns the parts that read a delta, in order; the part that made it is none of them.
func (p *Plan) Readers(d *Delta) []int { return p.readers[d.Kind.sideToMove()][d.Pair] }

// divide gives each king pair an owner. A side's moves lead from a pair to pairs with the same king
// at rest, so the pairs of a resting king, and its mirror image, are taken whole where they are not
// too many, and in connected blocks otherwise.
func divide(parts int) []int {
	classes := pairClasses()
	var best []int
	least := 0.0
	for _, blocks := range []float64{1, 1.5, 2, 3} { // to a part
		owner := pack(splitClasses(classes, parts, blocks*float64(parts)/float64(len(kingPairs))), parts)
		most := 0.0
		for i := range parts {
			p := pairsOwned(owner, i)
			most = max(most, float64(p.own[rules.Sente].count())+weightOfNeed*float64(p.need[rules.Sente].count()))
		}
		if best == nil || most < least {
			best, least = owner, most
		}
	}
	return best
}

// weightOfNeed is what a pair costs that is only read, for its overlays, against one that is owned.
const weightOfNeed = 0.25

// pairClasses lists the king pairs that Sente's moves connect: those with one of Gote's squares, or
// its mirror image.
func pairClasses() (classes [][]int) {
	seen := make(pairSet, len(kingPairs))
	for first := range kingPairs {
		if seen[first] {
			continue
		}
		seen[first] = true
		class := []int{first}
		for i := 0; i < len(class); i++ {
			for _, step := range kingPairs[class[i]].steps[rules.Sente] {
				if !seen[step.pair] {
					seen[step.pair] = true
					class = append(class, step.pair)
				}
			}
		}
		classes = append(classes, class)
	}
	return classes
}

// splitClasses splits the classes into at least as many blocks as there are parts, about so many
// for each pair.
func splitClasses(classes [][]int, parts int, blocksOfPair float64) (blocks [][]int) {
	split := make([]int, len(classes))
	n := 0
	for i, class := range classes {
		split[i] = min(max(1, int(blocksOfPair*float64(len(class))+0.5)), len(class))
		n += split[i]
	}
	for ; n < parts; n++ {
		most := -1
		for i, class := range classes {
			if split[i] < len(class) && (most < 0 || len(class)*split[most] > len(classes[most])*split[i]) {
				most = i
			}
		}
		split[most]++
	}
	for i, class := range classes {
		blocks = append(blocks, grow(class, split[i])...)
	}
	return blocks
}

// grow cuts a class into n blocks. A block grows by the pair that has most neighbours in it and,
// of these, least outside.
func grow(class []int, n int) (blocks [][]int) {
	free := map[int]bool{}
	for _, pair := range class {
		free[pair] = true
	}
	for i := range n {
		size := (len(class)*(i+1))/n - len(class)*i/n
		var block []int
		for len(block) < size {
			best, score := -1, 0
			for _, pair := range class {
				if !free[pair] {
					continue
				}
				inside, outside := 0, 0
				for _, step := range kingPairs[pair].steps[rules.Sente] {
					switch {
					case slices.Contains(block, step.pair):
						inside++
					case free[step.pair]:
						outside++
					}
				}
				if s := 16*inside - outside; best < 0 || s > score {
					best, score = pair, s
				}
			}
			block = append(block, best)
			delete(free, best)
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// pack deals the blocks out to the parts, the largest first, each to the part that has least.
func pack(blocks [][]int, parts int) []int {
	slices.SortStableFunc(blocks, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	owner, load := make([]int, len(kingPairs)), make([]int, parts)
	for _, block := range blocks {
		least := slices.Index(load, slices.Min(load))
		for _, pair := range block {
			owner[pair] = least
		}
		load[least] += len(block)
	}
	return owner
}
