package serve

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/kif"
)

// Limits of a game that is written.
const (
	maxWritten = 5000    // positions
	longestUse = 1000000 // seconds for a move
)

// kifRequest is a game as POST games returns it. Only the start needs its SFEN, and the others their moves.
type kifRequest struct {
	Players   players            `json:"players"`
	Headers   []header           `json:"headers"`
	Positions []recordedPosition `json:"positions"`
}

type kifReply struct {
	KIF string `json:"kif"`
}

// writeKIF answers POST kif: it writes a game with its variations and comments.
func (s *Server) writeKIF(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	var request kifRequest
	if err := readBody(r, &request); err != nil {
		return nil, err
	}
	_, done, err := s.heavy.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, err
	}
	defer done()
	g, err := request.game()
	if err != nil {
		return nil, err
	}
	return kifReply{kif.String(g)}, nil
}

// game returns the game that is asked for.
func (k *kifRequest) game() (*record.Game, error) {
	switch n := len(k.Positions); {
	case n == 0:
		return nil, badRequest("bad-body", `"positions": at least one`)
	case n > maxWritten:
		return nil, &apiError{Status: http.StatusRequestEntityTooLarge, Code: "too-many", Message: fmt.Sprintf(`"positions": %d, at most %d`, n, maxWritten)}
	case k.Positions[0].Before != nil:
		return nil, badRequest("bad-body", `"positions": the first is the start, and has none before it`)
	}
	start, err := readPosition(k.Positions[0].SFEN)
	if err != nil {
		return nil, err
	}
	g := &record.Game{Start: start, Players: [2]string{rules.Sente: oneLine(k.Players.Sente), rules.Gote: oneLine(k.Players.Gote)}}
	for _, h := range k.Headers {
		g.Headers = append(g.Headers, record.Header{Key: oneLine(h.Key), Value: oneLine(h.Value)})
	}
	after := make([][]int, len(k.Positions))
	for i, p := range k.Positions[1:] {
		if p.Before == nil || *p.Before < 0 || *p.Before > i {
			return nil, badRequest("bad-body", `"positions": number %d needs the number of one before it`, i+1)
		}
		after[*p.Before] = append(after[*p.Before], i+1)
	}
	t := tree{k.Positions, after}
	if g.End, err = t.end(0); err != nil {
		return nil, err
	}
	g.Ply, g.Comments = 1, lines(k.Positions[0].Comments)
	return g, t.fill(&g.Line, 0, start, after[0])
}

// tree are positions with the numbers of those after each.
type tree struct {
	positions []recordedPosition
	after     [][]int
}

// fill adds to a line, which has reached a position, the moves to those that are next, with all that comes after. The first goes
// on with the line, unless it has ended; the others are variations.
func (t tree) fill(l *record.Line, at int, p rules.Position, next []int) error {
	for {
		variations := next
		if l.End.Kind == record.NoEnd && len(next) > 0 {
			variations = next[1:]
		}
		for i := range variations {
			v := record.Line{Ply: l.Ply + len(l.Moves)}
			if err := t.fill(&v, at, p, variations[i:i+1]); err != nil {
				return err
			}
			l.Variations = append(l.Variations, v)
		}
		if len(variations) == len(next) {
			return nil
		}
		at = next[0]
		next = t.after[at]
		said := &t.positions[at]
		m, err := rules.ParseUSI(said.USI)
		if err == nil {
			err = p.Legal(m)
		}
		if err != nil {
			e := *asAPIError(err)
			e.Message = fmt.Sprintf(`"positions": number %d: %s`, at, e.Message)
			return &e
		}
		if said.Seconds < 0 || said.Seconds > longestUse {
			return badRequest("bad-body", `"positions": number %d: %g seconds are not from 0 to %d`, at, said.Seconds, longestUse)
		}
		p.Make(m)
		l.Moves = append(l.Moves, record.Move{Move: m, Comments: lines(said.Comments), Time: time.Duration(said.Seconds * float64(time.Second))})
		if l.End, err = t.end(at); err != nil {
			return err
		}
	}
}

// end returns how a line ends in a position, if it does.
func (t tree) end(at int) (record.End, error) {
	end := t.positions[at].End
	if end == nil {
		return record.End{}, nil
	}
	kind, ok := record.EndOf(end.Code)
	if !ok {
		return record.End{}, badRequest("bad-body", `"positions": number %d: %q is no code of an end`, at, end.Code)
	}
	return record.End{Kind: kind, Text: oneLine(end.Text)}, nil
}

// lines returns comments without ends of lines in them.
func lines(comments []string) []string {
	var all []string
	for _, c := range comments {
		all = append(all, strings.Split(strings.ReplaceAll(c, "\r", "\n"), "\n")...)
	}
	return all
}

// oneLine returns a text that may stand behind others in a line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
