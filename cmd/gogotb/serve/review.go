package serve

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/netip"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/formats"
	"gogotb/verify/mate"
	"gogotb/verify/review"
)

// Limits of reviews.
const (
	maxReviewBody   = 256 << 10 // bytes
	maxReviewPlies  = 1000      // of all games together
	usualReviewWork = 300_000   // moves made by the solver in a position
	mostReviewWork  = 3_000_000
	longestReview   = 10 * time.Minute
	// placeTime is how long a review that has begun waits until its client has a place in the queue of searches, which its other
	// searches may hold.
	placeTime = time.Minute
)

// newReviewQueue returns the queue for reviews, in which nobody waits: a client has one, and another while that is being given up. What
// takes time are their searches, which have a queue of their own.
func newReviewQueue() *queue {
	return newQueue(queueLimits{questions: "reviews", code: "too-many-reviews", slots: 16, perClient: 2, patience: time.Second})
}

// review answers POST review: the games of a file move by move, in a stream.
func (s *Server) review(r *http.Request) (any, error) {
	q, err := readQuery(r, "repetition", "first_player", "nodes", "plies")
	if err != nil {
		return nil, err
	}
	options, err := s.reviewOptions(r, q)
	if err != nil {
		return nil, err
	}
	text, err := readGameText(r)
	if err != nil {
		return nil, err
	}
	games, err := readGames(text)
	if err != nil {
		return nil, err
	}
	_, leave, err := s.reviews.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, s.closingError(err)
	}
	return stream(func(ctx context.Context, send func(any) error) error {
		defer leave()
		ctx, cancel := s.untilClosing(ctx)
		defer cancel()
		ctx, stop := context.WithTimeout(ctx, longestReview)
		defer stop()
		reviewer, err := review.New(options)
		if err != nil {
			return err
		}
		for i, g := range games {
			if err := g.review(ctx, reviewer, i+1, send); err != nil {
				return s.closingError(err)
			}
		}
		return nil
	}), nil
}

// reviewOptions returns the options of a review, whose searches have their turns in the client's name.
func (s *Server) reviewOptions(r *http.Request, q query) (o review.Options, err error) {
	if text := q.values.Get("repetition"); text != "" {
		if o.Game.Repetition, err = rules.ParseRepetition(text); err != nil {
			return o, badRequest("bad-parameter", "repetition: %v", err)
		}
	}
	if o.Game.FirstPlayer, err = readFirstPlayer(q.values.Get("first_player")); err != nil {
		return o, err
	}
	nodes, err := q.number("nodes", 1, mostReviewWork, usualReviewWork)
	if err != nil {
		return o, err
	}
	o.Nodes = uint64(nodes)
	if o.Plies, err = q.number("plies", 1, longestMate, review.DefaultPlies); err != nil {
		return o, err
	}
	o.Table = s.tableValue(r)
	client, waited := s.clientOf(r), false
	o.Lend = func(ctx context.Context) (context.Context, *mate.Solver, func(), error) {
		turn, leave, err := s.place(ctx, client, waited)
		if err != nil {
			return nil, nil, nil, err
		}
		waited = true
		solver := s.searches.solver()
		return turn, solver, func() {
			s.searches.rest(solver)
			leave()
		}, nil
	}
	return o, nil
}

// place waits for a client's turn to search. If the client has no place in the queue, it waits for that, too, if patient.
func (s *Server) place(ctx context.Context, client netip.Prefix, patient bool) (turn context.Context, leave func(), err error) {
	for begin := time.Now(); ; {
		turn, leave, err = s.searches.queue.enter(ctx, client)
		var full *apiError
		if !patient || !errors.As(err, &full) || time.Since(begin) > placeTime {
			return turn, leave, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// readGameText returns the text of the games in a body: the body, or the field game of a JSON object.
func readGameText(r *http.Request) ([]byte, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		var body struct {
			Game string `json:"game"`
		}
		err := readBody(r, &body)
		return []byte(body.Game), err
	}
	return readAll(r)
}

// gameRead is a game of a body, with what is wrong behind it; game is nil if nothing could be read.
type gameRead struct {
	game *record.Game
	err  error
}

// readGames reads all games of a text.
func readGames(text []byte) ([]gameRead, error) {
	var games []gameRead
	plies, readable := 0, false
	for g, err := range formats.Games(text) {
		games = append(games, gameRead{g, err})
		plies++
		if g != nil {
			plies += len(g.Moves)
			readable = true
		}
		if plies > maxReviewPlies {
			return nil, &apiError{Status: http.StatusRequestEntityTooLarge, Code: "too-large", Message: "the games are too long: they may have 1,000 plies together"}
		}
	}
	switch {
	case len(games) == 0:
		return nil, badRequest("bad-game", "there is no game in the body")
	case !readable:
		return nil, gameError(games[0].err)
	}
	return games, nil
}

// review sends what is to be said of a game.
func (g *gameRead) review(ctx context.Context, r *review.Reviewer, number int, send func(any) error) error {
	line, wrong := record.Located(g.err)
	if g.game == nil {
		return send(answer.ReviewFailureOf(number, "", line, wrong))
	}
	sum, err := r.Review(ctx, g.game, func(m *review.Move) error {
		return send(answer.ReviewedMoveOf(number, m, review.DefaultScale))
	})
	if err != nil {
		return err
	}
	return send(answer.ReviewOf(number, "", g.game, &sum, review.DefaultScale, true, line, wrong))
}
