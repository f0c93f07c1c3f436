// Package mate finds the shortest forced mate by search, for any material up to the full set.
//
// A mate in n plies means that the attacker can force, in n plies and no fewer, that the other side, the
// defender, has no legal move, in check or not. The attacker is the side to move (n odd) or the other (n even: the
// side to move is being mated, and holds out as long as it can). In tsume the side to move attacks and may only
// give check. Either king may be missing.
//
//	s := mate.New(1 << 30) // bytes
//	r, err := s.Solve(ctx, &pos, mate.Options{MaxPlies: 15})
//	switch {
//	case err != nil: // an illegal position, or options without sense
//	case r.Verdict == mate.MateIn || r.Verdict == mate.MatedIn: // in r.Plies, by r.Line
//	case r.Verdict == mate.NoMate: // neither side can mate, ever
//	case r.Verdict == mate.NoMateWithin: // neither side can mate within 15 plies
//	default: // mate.Unknown: r.Cause says why, r.Bounds what is proved all the same
//	}
//
// Every verdict but Unknown is a proof, as far as hashing goes (see below). A draw by repetition, or a loss by perpetual
// check, is no mate.
//
// # How it works
//
// For each side that might mate, three searches take turns (side.go): depth-first proof-number search without a limit, which
// finds mates fast; the same within 1, 3, 5... plies, which finds the short ones and excludes them; and a
// search for a closed set of positions that the defender can stay in, which proves that there is no mate at all. When a mate is
// proved, its length is narrowed down between what is proved and what is excluded. The line comes from the same
// searches: the attacker's move from a proof, the defender's from the disproof of anything shorter.
//
// With Options.Jobs, several workers search one tree by depth-first proof-number search, one question after the other
// (crew.go). Verdicts and lengths are then the same as with one worker; nodes are not, nor which of several best
// lines is found. The closures are searched by one worker.
//
// All results that are kept are of two kinds, "mate within n plies" and "no mate within n plies" (n may be
// infinite), and hold for the position, whatever led to it. How repetitions are kept out of them is
// explained in dfpn.go.
//
// # Hand dominance
//
// A mate within n plies stays one when pieces move from the defender's hand to the attacker's, and no mate stays
// none when they move back. So one entry of the table answers for many hands on one board. In some games this
// breaks down; here it never does:
//
//   - Let the attacker, with more in hand, play as if it did not have it. The same board comes up again and again, with more in
//     the attacker's hand and less in the defender's. The attacker's old moves remain legal, for they use what it had
//     before, and the defender can do nothing new.
//   - Pawn-drop mates: whether a pawn drop is legal might depend on what the hands hold. But the dropped pawn checks from the
//     next square, where nothing can be dropped in between: the king has to move, or the pawn to be captured. Hands do not
//     matter to that, for either side's drops. (A piece that checks from afar and may not be dropped to mate would
//     break it: the defender could make the drop legal by having a piece to put in between.)
//   - Stalemate: with less in hand the defender may be stalemated sooner. That loses, so that it only shortens the
//     mate. Were it a draw, dominance would break: a defender with a last piece to drop can be mated where one
//     without is stalemated.
//   - Zugzwang: having to move cannot hurt the attacker the more, because more in hand only adds moves.
//
// What dominance does need is that the rest is equal. Positions are compared only if the material as a whole is the same, because
// a piece more in the attacker's hand that the defender does not lack says nothing about a defender who has more.
// dominance_test.go compares with exhaustive search.
//
// # What a proof rests on
//
// The table keeps 64 bits of hash of the board, eight more of Sente's squares, and the attacker's whole hand
// (table.go). Two boards that agree in all of these would be taken for one. Where a board is looked up in a table of n
// entries, one of them passes for it by chance with probability n / 2^72, or n / 2^64 if Sente's pieces stand alike: with the
// 2^25 entries of a gigabyte and 10^8 look-ups, once in a million searches, or in five thousand. The closures
// compare whole positions, and a line that the rules do not play out to mate is no answer (ErrCollision). What must not
// rest on chance at all can be proved without hashes, with the solver's moves as mere hints, at the cost of another search:
// TestHandicapsPlainly (make handicaps-plain) and TestTwoPiecesPlainly (make handicap-two) do that.
//
// # Where things are
//
//	options.go solve.go         what is asked and answered
//	side.go                     the three searches take turns; the exact length
//	dfpn.go expand.go           depth-first proof-number search
//	crew.go                     several workers search one tree
//	save.go                     searches that are saved and gone on with
//	shallow.go                  the last few plies
//	closure.go graph.go         proofs that there is no mate
//	line.go probe.go            lines and trees of best play, by search or from a table
//	table.go hand.go            the transposition table, and dominance in it
//	game.go meter.go            the game that is searched; limits and counters
package mate
