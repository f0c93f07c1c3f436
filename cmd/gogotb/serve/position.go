package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
)

// positionReply is what the rules say of a position. That one is not legal is an answer, too.
type positionReply struct {
	Legal    bool       `json:"legal"`
	SFEN     string     `json:"sfen"`
	Material string     `json:"material,omitempty"`
	Check    bool       `json:"check"`
	Table    bool       `json:"table"` // whether there is a table for it
	Moves    []moveName `json:"moves"` // legal ones, in the order of their USI texts
	Error    *apiError  `json:"error,omitempty"`
}

// moveName is a move in all notations.
type moveName struct {
	USI      string `json:"usi"`
	Western  string `json:"western"`
	Japanese string `json:"japanese"`
}

// nameOf names a legal move; last is the square that the move before it went to.
func nameOf(p *rules.Position, m rules.Move, last rules.Square) moveName {
	return moveName{m.USI(), p.Western(m), p.Japanese(m, last)}
}

// position answers GET position.
func (s *Server) position(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen")
	if err != nil {
		return nil, err
	}
	text, err := q.need("sfen")
	if err != nil {
		return nil, err
	}
	p, err := readPosition(text)
	if err != nil {
		err = q.explained("sfen", err)
		return positionReply{SFEN: text, Moves: []moveName{}, Error: asAPIError(err)}, nil
	}
	moves := p.Moves(nil)
	slices.SortFunc(moves, func(a, b rules.Move) int { return cmp.Compare(a.USI(), b.USI()) })
	names := make([]moveName, len(moves))
	for i, m := range moves {
		names[i] = nameOf(&p, m, rules.NoSquare)
	}
	set := index.MaterialOf(&p)
	_, missing := s.tables.Within(r.Context()).Set(set)
	both := p.King(rules.Sente) != rules.NoSquare && p.King(rules.Gote) != rules.NoSquare
	return positionReply{Legal: true, SFEN: p.SFEN(), Material: set.String(), Check: p.InCheck(), Table: missing == nil && both, Moves: names}, nil
}

// moveReply tells whether a move is legal: its notation and the position after it, or the
// rule that it breaks.
type moveReply struct {
	SFEN     string `json:"sfen"`
	USI      string `json:"usi"`
	Legal    bool   `json:"legal"`
	Western  string `json:"western,omitempty"`
	Japanese string `json:"japanese,omitempty"`
	After    string `json:"after,omitempty"` // SFEN
	Rule     string `json:"rule,omitempty"`
	Message  string `json:"message,omitempty"`
}

// move answers GET move.
func (s *Server) move(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "usi")
	if err != nil {
		return nil, err
	}
	p, err := q.position()
	if err != nil {
		return nil, err
	}
	text, err := q.need("usi")
	if err != nil {
		return nil, err
	}
	m, err := rules.ParseUSI(text)
	if err != nil {
		return nil, q.explained("usi", err)
	}
	reply := moveReply{SFEN: p.SFEN(), USI: m.USI()}
	var illegal *rules.IllegalMoveError
	if errors.As(p.Legal(m), &illegal) {
		reply.Rule, reply.Message = illegal.Rule.Code(), illegal.Error()
		return reply, nil
	}
	reply.Legal, reply.Western, reply.Japanese = true, p.Western(m), p.Japanese(m, rules.NoSquare)
	p.Make(m)
	reply.After = p.SFEN()
	return reply, nil
}

// maxGamePlies is the longest game that is adjudicated.
const maxGamePlies = 1000

// gameReply is how a game stands, with its moves where they are asked for.
type gameReply struct {
	answer.Game
	Moves *[]moveName `json:"moves,omitempty"`
}

// game answers GET game: how a game stands after moves, repetitions counted.
func (s *Server) game(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "moves", "repetition", "first_player", "max_plies", "names")
	if err != nil {
		return nil, err
	}
	start, err := q.position()
	if err != nil {
		return nil, err
	}
	var options rules.GameOptions
	if text := q.values.Get("repetition"); text != "" {
		if options.Repetition, err = rules.ParseRepetition(text); err != nil {
			return nil, badRequest("bad-parameter", "repetition: %q is not one of draw, first-player-loses, inventor", text)
		}
	}
	if options.FirstPlayer, err = readFirstPlayer(q.values.Get("first_player")); err != nil {
		return nil, err
	}
	if options.MaxPlies, err = q.number("max_plies", 0, maxGamePlies, 0); err != nil {
		return nil, err
	}
	names, err := q.choice("names", "true", "false")
	if err != nil {
		return nil, err
	}
	options.Impasse = index.MaterialOf(&start).PieceCount() == 2*rules.HandKinds
	g := rules.NewGame(start, options)
	moves, last := []moveName{}, rules.NoSquare
	for text := range strings.FieldsFuncSeq(q.values.Get("moves"), func(c rune) bool { return c == ',' }) {
		if g.PlyCount() == maxGamePlies {
			return nil, badRequest("bad-parameter", "moves: more than %d", maxGamePlies)
		}
		before := g.Position()
		m, err := rules.ParseUSI(text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			e := asAPIError(q.explained("moves", err))
			e.Message = fmt.Sprintf("ply %d: %s", g.PlyCount()+1, e.Message)
			return nil, e
		}
		moves = append(moves, nameOf(&before, m, last))
		last = m.To()
	}
	reply := gameReply{Game: answer.GameOf(g)}
	if names == "true" {
		reply.Moves = &moves
	}
	return reply, nil
}
