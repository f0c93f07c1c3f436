package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/verify"
	"gogotb/verify/puzzle"
)

// Limits of a file of puzzles that a visitor opens.
const (
	maxPuzzleBody = 1 << 20 // bytes
	maxPuzzles    = 5000    // with those that cannot be read
	maxComplaints = 20
)

// puzzleReply is a puzzle for the page: the side to move mates.
type puzzleReply struct {
	SFEN       string     `json:"sfen"`
	Plies      *int       `json:"plies"` // nil if nobody says
	Moves      []string   `json:"moves"` // the solution in the file, USI
	Name       string     `json:"name"`
	Collection string     `json:"collection"`
	Grade      *string    `json:"grade"` // nil if nobody says
	Last       *lastReply `json:"last"`  // nil if nobody says
}

// lastReply is the move of the other side that led to a puzzle.
type lastReply struct {
	SFEN string `json:"sfen"` // before it
	USI  string `json:"usi"`
}

// puzzlesReply are puzzles, what was wrong with others, and what was passed over.
type puzzlesReply struct {
	Name    string        `json:"name"`
	Puzzles []puzzleReply `json:"puzzles"`
	Errors  []string      `json:"errors"`
	Notes   []string      `json:"notes"`
	// Collections tell what can be asked for, whatever was.
	Collections []collectionReply `json:"collections"`
}

// collectionReply counts the puzzles of a collection.
type collectionReply struct {
	Name   string         `json:"name"`
	Count  int            `json:"count"`
	Grades map[string]int `json:"grades"`
	Plies  []int          `json:"plies"` // plies[n]: of n plies; those without a length are in none
}

// Names of collections that verify.Collections does not have.
const (
	fileCollection = "file" // someone's own
	allCollections = "all"
)

// loadPuzzles reads the puzzles that the server was started with.
func (s *Server) loadPuzzles(opt *Options) {
	collections := opt.Collections
	if opt.Puzzles != nil {
		collections = []verify.Collection{{Name: fileCollection, Puzzles: opt.Puzzles}}
	}
	for _, c := range collections {
		reply := s.listPuzzles(opt.PuzzlesName, c.Name, c.Puzzles)
		for _, text := range reply.Errors {
			s.log.Warn("a puzzle is left out", "file", cmp.Or(opt.PuzzlesName, c.Name), "error", text)
		}
		s.puzzles = append(s.puzzles, reply)
	}
}

// ownPuzzles answers GET puzzles: those that the server was started with, of the first collection unless another, or
// all, are asked for.
func (s *Server) ownPuzzles(r *http.Request) (any, error) {
	q, err := readQuery(r, "collection", "grade", "min_plies", "max_plies")
	if err != nil {
		return nil, err
	}
	all := puzzlesReply{Puzzles: []puzzleReply{}, Errors: []string{}, Notes: []string{}, Collections: []collectionReply{}}
	names := []string{allCollections}
	for _, reply := range s.puzzles {
		all.Collections = append(all.Collections, reply.Collections...)
		names = append(names, reply.Collections[0].Name)
	}
	collection, err := q.choice("collection", names...)
	if err != nil {
		return nil, err
	}
	wanted, err := q.wantedPuzzles()
	if err != nil {
		return nil, err
	}
	for i, reply := range s.puzzles {
		if collection == allCollections || collection == reply.Collections[0].Name || collection == "" && i == 0 {
			all.Name = reply.Name
			all.Puzzles = append(all.Puzzles, wanted.among(reply.Puzzles)...)
			all.Errors = append(all.Errors, reply.Errors...)
			all.Notes = append(all.Notes, reply.Notes...)
		}
	}
	return all, nil
}

// puzzleFilter tells which puzzles are wanted.
type puzzleFilter struct {
	grade       string // "": any
	least, most int    // plies
}

func (q query) wantedPuzzles() (f puzzleFilter, err error) {
	var grades []string
	for _, g := range puzzle.Grades {
		grades = append(grades, g.String())
	}
	if f.grade, err = q.choice("grade", grades...); err != nil {
		return f, err
	}
	if f.least, err = q.number("min_plies", 1, puzzle.MaxClaim, 0); err != nil {
		return f, err
	}
	if f.most, err = q.number("max_plies", 1, puzzle.MaxClaim, puzzle.MaxClaim); err != nil {
		return f, err
	}
	if f.least > f.most {
		return f, badRequest("bad-parameter", "min_plies: %d is more than max_plies, %d", f.least, f.most)
	}
	return f, nil
}

// among returns the puzzles that are wanted. One that does not say its grade or its length is so only where none is
// asked for.
func (f puzzleFilter) among(puzzles []puzzleReply) []puzzleReply {
	var chosen []puzzleReply
	for _, p := range puzzles {
		switch {
		case f.grade != "" && (p.Grade == nil || *p.Grade != f.grade):
		case p.Plies == nil && (f.least > 0 || f.most < puzzle.MaxClaim):
		case p.Plies != nil && (*p.Plies < f.least || *p.Plies > f.most):
		default:
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// countPuzzles counts the puzzles of a collection.
func countPuzzles(name string, puzzles []puzzleReply) collectionReply {
	c := collectionReply{Name: name, Count: len(puzzles), Grades: map[string]int{}, Plies: []int{}}
	for _, p := range puzzles {
		if p.Grade != nil {
			c.Grades[*p.Grade]++
		}
		if p.Plies != nil {
			for len(c.Plies) <= *p.Plies {
				c.Plies = append(c.Plies, 0)
			}
			c.Plies[*p.Plies]++
		}
	}
	return c
}

// readPuzzles answers POST puzzles: it reads a visitor's file, SFEN lines, KIF or CSA.
func (s *Server) readPuzzles(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	data, err := readAll(r)
	if err != nil {
		return nil, err
	}
	_, done, err := s.heavy.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, err
	}
	defer done()
	reply := s.listPuzzles("", fileCollection, data)
	if len(reply.Puzzles) == 0 {
		why := "it is empty"
		if len(reply.Errors) > 0 {
			why = reply.Errors[0]
		}
		return nil, badRequest("bad-body", "there is no puzzle in the file: %s", why)
	}
	return reply, nil
}

// listPuzzles reads a file of puzzles, and has the tables say how long they are where
// the file does not.
func (s *Server) listPuzzles(name, collection string, data []byte) (reply puzzlesReply) {
	reply = puzzlesReply{Name: name, Puzzles: []puzzleReply{}, Errors: []string{}, Notes: []string{}}
	defer func() { reply.Collections = []collectionReply{countPuzzles(collection, reply.Puzzles)} }()
	say := func(list *[]string, format string, args ...any) {
		if len(*list) < maxComplaints {
			*list = append(*list, fmt.Sprintf(format, args...))
		}
	}
	n := 0
	for p, err := range puzzle.Read(name, data) {
		if n++; n > maxPuzzles {
			say(&reply.Errors, "only %d puzzles are read", maxPuzzles)
			return reply
		}
		var where *puzzle.ReadError
		switch {
		case errors.As(err, &where):
			say(&reply.Errors, "line %d: %v", where.Line, where.Err)
		case err != nil:
			say(&reply.Errors, "%v", err)
		case p.Attacker() != p.Position.SideToMove():
			say(&reply.Errors, "line %d: the side to move is mated; here it has to mate", p.Line)
		default:
			for _, n := range p.Notes {
				say(&reply.Notes, "line %d: %s", n.Line, n.Text)
			}
			reply.Puzzles = append(reply.Puzzles, s.puzzleReply(collection, p))
		}
	}
	return reply
}

func (s *Server) puzzleReply(collection string, p *puzzle.Puzzle) puzzleReply {
	reply := puzzleReply{
		SFEN: p.Position.SFEN(), Plies: s.puzzlePlies(p), Moves: answer.USI(p.Moves), Name: p.Name, Collection: collection,
	}
	if p.Grade != puzzle.NoGrade {
		grade := p.Grade.String()
		reply.Grade = &grade
	}
	if p.Last != nil {
		reply.Last = &lastReply{p.Last.Before.SFEN(), p.Last.Move.USI()}
	}
	return reply
}

// puzzlePlies returns how many plies a puzzle takes: as it claims, as a table knows, or as its
// solution has moves.
func (s *Server) puzzlePlies(p *puzzle.Puzzle) *int {
	n := p.Plies
	if n == 0 {
		if r, err := s.tables.Probe(&p.Position); err == nil && r.Exact && r.Value.Outcome() == rules.MateWin {
			n = r.Value.Number()
		}
	}
	if n == 0 && len(p.Moves)%2 == 1 {
		n = len(p.Moves)
	}
	if n == 0 {
		return nil
	}
	return &n
}
