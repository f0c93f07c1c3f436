package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
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
	SFEN  string   `json:"sfen"`
	Plies *int     `json:"plies"` // nil if nobody says
	Moves []string `json:"moves"` // the solution in the file, USI
	Name  string   `json:"name"`
}

// puzzlesReply are the puzzles of a file, what was wrong with others, and what was passed over.
type puzzlesReply struct {
	Name    string        `json:"name"`
	Puzzles []puzzleReply `json:"puzzles"`
	Errors  []string      `json:"errors"`
	Notes   []string      `json:"notes"`
}

// ownPuzzles answers GET puzzles: those of the file that the server was started with.
func (s *Server) ownPuzzles(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	return s.puzzles, nil
}

// readPuzzles answers POST puzzles: it reads a visitor's file, SFEN lines, KIF or CSA.
func (s *Server) readPuzzles(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, err
		}
		return nil, badRequest("bad-body", "the body could not be read: %v", err)
	}
	_, done, err := s.heavy.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, err
	}
	defer done()
	reply := s.listPuzzles("", data)
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
func (s *Server) listPuzzles(name string, data []byte) puzzlesReply {
	reply := puzzlesReply{Name: name, Puzzles: []puzzleReply{}, Errors: []string{}, Notes: []string{}}
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
			reply.Puzzles = append(reply.Puzzles, puzzleReply{
				SFEN: p.Position.SFEN(), Plies: s.puzzlePlies(p), Moves: answer.USI(p.Moves), Name: p.Name,
			})
		}
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
