package puzzle

import (
	"context"
	"fmt"
	"strings"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// Grade is how hard a puzzle is to solve, in one word.
type Grade uint8

const (
	// NoGrade: nobody says.
	NoGrade Grade = iota
	Easy
	Medium
	Hard
)

// Grades are all of them, the easiest first.
var Grades = []Grade{Easy, Medium, Hard}

func (g Grade) String() string { return [...]string{"", "easy", "medium", "hard"}[g] }

// parseGrade reads the word for a grade.
func parseGrade(word string) (Grade, bool) {
	for _, g := range Grades {
		if g.String() == word {
			return g, true
		}
	}
	return NoGrade, false
}

// GradeHelp says how a grade comes about.
const GradeHelp = `A grade is made of points: 1 for each move of the attacker before the last; 1, 2 or 3 if there are 8, 16 or 24 first
moves that one looks at before others (checks, captures, promotions; in check all); 2 for each quiet move in the solution (one
that gives no check and gets out of none); 1 for two drops; 1 for each sacrifice (a piece that the reply captures); 1, 2, 3 or
4 if the mate solver, which starts from nothing, takes 1,000, 10,000, 100,000 or 1,000,000 nodes. Up to 4 points are easy,
up to 8 medium, more are hard.`

// Difficulty is what makes a puzzle hard. Each number gives points, and the points a grade, see GradeHelp.
type Difficulty struct {
	// Plies of the mate.
	Plies int
	// Plausible is how many first moves one looks at before others: checks, captures and promotions; in check all
	// that there are.
	Plausible int
	// Quiet are the attacker's moves in the solution that give no check, and get out of none.
	Quiet int
	// Drops are the attacker's drops in the solution.
	Drops int
	// Sacrifices are the attacker's moves in the solution whose piece is captured by the reply.
	Sacrifices int
	// Nodes are the moves that the mate solver makes, with nothing known before, until it knows the shortest mate; at
	// most mostNodes, when it stops.
	Nodes uint64
}

// Most points of a grade.
const (
	easyPoints   = 4
	mediumPoints = 8
)

// Rate finds out what makes a sound puzzle hard. Its Moves have to be the whole solution.
func Rate(ctx context.Context, p *Puzzle) (Difficulty, error) {
	d := difficultyOf(p)
	r, err := mate.New(rateHash).Solve(ctx, &p.Position, mate.Options{MaxPlies: min(d.Plies, mate.MaxMaxPlies), MaxNodes: mostNodes})
	d.Nodes = min(r.Nodes, mostNodes)
	if err == nil {
		err = ctx.Err()
	}
	return d, err
}

// Limits of the solver in Rate. The number of nodes depends on its memory.
const (
	rateHash  = 16 << 20 // bytes
	mostNodes = 1_000_000
)

// difficultyOf is the difficulty without nodes.
func difficultyOf(p *Puzzle) Difficulty {
	d := Difficulty{Plies: len(p.Moves)}
	q := p.Position
	for _, m := range q.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		if q.InCheck() || q.GivesCheck(m) || q.At(m.To()) != rules.NoPiece || m.Promotes() {
			d.Plausible++
		}
	}
	for i, m := range p.Moves {
		if i%2 == 0 {
			if !q.InCheck() && !q.GivesCheck(m) {
				d.Quiet++
			}
			if m.IsDrop() {
				d.Drops++
			}
			if i+1 < len(p.Moves) && p.Moves[i+1].To() == m.To() {
				d.Sacrifices++
			}
		}
		q.Make(m)
	}
	return d
}

// reason is a part of the points.
type reason struct {
	points int
	what   string
}

func (d *Difficulty) reasons() []reason {
	nodes := 0
	for n := d.Nodes / 1000; n > 0 && nodes < 4; n /= 10 {
		nodes++
	}
	return []reason{
		{(d.Plies - 1) / 2, counted(d.Plies, "ply", "plies")},
		{min(d.Plausible/8, 3), counted(d.Plausible, "plausible first move", "plausible first moves")},
		{2 * d.Quiet, counted(d.Quiet, "quiet move", "quiet moves")},
		{d.Drops / 2, counted(d.Drops, "drop", "drops")},
		{d.Sacrifices, counted(d.Sacrifices, "sacrifice", "sacrifices")},
		{nodes, counted(int(d.Nodes), "node", "nodes")},
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Points adds up what makes the puzzle hard.
func (d *Difficulty) Points() int {
	points := 0
	for _, r := range d.reasons() {
		points += r.points
	}
	return points
}

// Grade returns the points in one word.
func (d *Difficulty) Grade() Grade {
	switch n := d.Points(); {
	case n <= easyPoints:
		return Easy
	case n <= mediumPoints:
		return Medium
	}
	return Hard
}

// String explains the grade: "medium, 5 points: 3 for 7 plies, 2 for 1 quiet move".
func (d *Difficulty) String() string {
	var parts []string
	for _, r := range d.reasons() {
		if r.points > 0 {
			parts = append(parts, fmt.Sprintf("%d for %s", r.points, r.what))
		}
	}
	text := fmt.Sprintf("%s, %s", d.Grade(), counted(d.Points(), "point", "points"))
	if parts != nil {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}
