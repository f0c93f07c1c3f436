package index

import (
	"fmt"
	"strings"

	"gogotb/rules"
)

// MaxPieces is the largest number of pieces, kings not counted, that an Index can have.
const MaxPieces = 5

// maxOfAKind is how many pieces of one kind the game has.
const maxOfAKind = 2

// letters of the kinds in canonical order, and the name of the set without pieces.
const (
	letters = "RBGSP"
	noneSet = "none"
)

// Material is a material set: how many pieces of each kind Rook..Pawn there are
// beside the two kings, 0 to 2 each, whoever owns them and wherever they are. Captures
// only change a piece's owner, so a set is closed under play. The zero value is the set
// of the two kings alone, "none".
type Material [rules.HandKinds]uint8

// ParseMaterial reads a set: its letters R, B, G, S, P in any order, at most two of
// each, or "none". The error is a *SyntaxError.
func ParseMaterial(text string) (Material, error) {
	var m Material
	if text == noneSet {
		return m, nil
	}
	if text == "" {
		return m, &SyntaxError{Problem: "no letters; the two kings alone are the set none"}
	}
	for i, letter := range text {
		k := strings.IndexRune(letters, letter)
		if k < 0 {
			return Material{}, &SyntaxError{text, i, fmt.Sprintf("%q is not one of R, B, G, S, P", letter)}
		}
		if m[k] == maxOfAKind {
			return Material{}, &SyntaxError{text, i, fmt.Sprintf("more than two %c", letter)}
		}
		m[k]++
	}
	return m, nil
}

// String returns the set in canonical form: its letters in the order R B G S P, or "none".
func (m Material) String() string {
	if m == (Material{}) {
		return noneSet
	}
	var b strings.Builder
	for k, n := range m {
		for range n {
			b.WriteByte(letters[k])
		}
	}
	return b.String()
}

// PieceCount returns the number of pieces of the set, kings not counted.
func (m Material) PieceCount() int {
	n := 0
	for _, c := range m {
		n += int(c)
	}
	return n
}

// Sets returns all sets of up to maxPieces pieces, the smaller ones first and those of one
// size in canonical order: none, R, B, G, S, P, RR, RB, ... PP, RRB, ...
func Sets(maxPieces int) []Material {
	var sets []Material
	var add func(m Material, kind, left int)
	add = func(m Material, kind, left int) {
		if left == 0 {
			sets = append(sets, m)
			return
		}
		for k := kind; k < rules.HandKinds; k++ {
			if m[k] < maxOfAKind {
				m[k]++
				add(m, k, left-1)
				m[k]--
			}
		}
	}
	for n := 0; n <= min(maxPieces, maxOfAKind*rules.HandKinds); n++ {
		add(Material{}, 0, n)
	}
	return sets
}

// MaterialOf returns the material set of a position.
func MaterialOf(p *rules.Position) Material {
	var m Material
	for k := rules.Rook; k <= rules.Pawn; k++ {
		for c := rules.Sente; c <= rules.Gote; c++ {
			n := int(p.HandCount(c, k)) + p.Pieces(c, k).Count()
			if k.CanPromote() {
				n += p.Pieces(c, k.Promote()).Count()
			}
			m[k] += uint8(n)
		}
	}
	return m
}
