// Package review judges the moves of games: where a mate was missed, where one was allowed, which move was the only
// one. What it says is proved by a table or by the mate solver, or marked as not proved, or called unknown.
//
//	r, err := review.New(review.Options{Nodes: review.DefaultNodes, Plies: review.DefaultPlies, Jobs: 2})
//	if err != nil { ... }
//	summary, err := r.Review(ctx, game, func(m review.Move) error {
//		fmt.Println(m.Ply, m.Move, m.Judgement)
//		return nil
//	})
//
// Only the main line of a game is judged, not its variations.
//
// # How a position is valued
//
// Where a table covers it, by the table. Otherwise the mate solver looks for a mate by either side, within limits; what it
// does not find is unknown, and it says within how many plies there certainly is none. If a back end is given, it
// estimates what is unknown. A mate that it claims is looked for with more effort, and is a claim as long as the
// solver has not found it.
//
// A value assumes a fresh history, as all values do. Where the rules have ended the game, by the fourth occurrence of a
// position for example, they decide.
//
// A mate that is found in one position says something about its neighbours in the game, whose own searches may have
// found nothing: a move into a position in which the opponent is mated wins, and the first move of a mate leads to
// a position in which the opponent is mated. Both is used. And where a mate stands beside a position of which nothing is
// known, that position is looked at again with more effort: to say that a mate was missed, or allowed, is
// to say something about both.
//
// # How a move is judged
//
// By the values before and after it (see Judgement), and where the opponent mates afterwards by those after all other
// moves: a mate was allowed if another move avoids it. A move is the only one if all others are known to lose. What a
// judgement claims is proved (Move.Proved) if a table or the solver have excluded everything else:
//
//   - missed a mate in n: there is a mate in n, and none within n plies that begins with the move made;
//   - allowed a mate in n: there is one, and for another move there is none within n plies.
//
// One search by one worker, with an empty memory, gives the same answer every time; so does a review, whatever Options.Jobs.
//
// # Where things are
//
//	options.go    what is asked, and how much it may cost
//	value.go      what is known of a position
//	search.go     the value of a position by itself: table, solver, back end
//	settle.go     what its neighbours in the game add
//	others.go     what the moves that were not made come to
//	judge.go      judgements; by_table.go those that a table gives
//	review.go     the order of work: Reviewer, Review
//	outcome.go    what the rules say of a game, and whether the file agrees
//	summary.go    counts
//	annotate.go   the game with what is said of it, as comments and variations
package review
