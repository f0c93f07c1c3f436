// Package puzzle checks mating puzzles for every flaw that a composer wants to know of, and
// mines sound ones from tables.
//
//	for p, err := range puzzle.Read("mates.sfen", data) {
//		...
//		report, err := checker.Check(ctx, p)
//	}
//
// # What a puzzle claims
//
// A puzzle is a position, and a claim: one side, the attacker, mates in so many plies, against
// the longest defence, by these moves. An odd number of plies means that the side to
// move attacks, an even one that it is mated. Mate means that a player has no legal move, in
// check or not. With Options.Tsume the attacker may give check only.
//
// The claim is true if the shortest mate takes that many plies, every move of the attacker
// keeps it, and every defence is the longest. If it is not, the report says what is true.
//
// # Flaws
//
// Each Flaw has the ply of the solution at which it occurs, from 1, and moves that show it, the
// first of them played at that ply.
//
//   - NoMate, Longer, Shorter: there is no mate, it takes more plies than claimed, or fewer.
//   - IllegalMove, WeakAttack, WeakDefence, Unfinished: a move of the solution is illegal, delays or
//     spoils the mate, or is not the longest defence; or the solution ends before the mate.
//   - Cook: another move of the attacker, at a position of the solution, that also mates, in as many
//     plies or in more.
//   - HandLeft: the attacker still holds pieces at the end. SameLength: there is another defence, as long, after
//     which he does not, whatever shortest mate he chooses.
//   - Futile: a futile interposition, see below.
//   - PawnDropMate: at a position of the solution a pawn drop would mate at once, and is illegal.
//   - Perpetual: no mate is found, but the attacker wins: the defender can hold out only by giving check for ever, which
//     loses. Without moves it is said of the puzzle itself, otherwise of another move of the attacker, for which
//     only a table is asked.
//
// The first two groups, and cooks, refute a puzzle. Options.Tolerate says which cooks do
// not: those of the last move (LastMove), those that differ from the solution in promoting or not where nothing changes
// (Promotion), those that take more plies (Longer). Nothing changes if the mate takes as
// many plies after either move and the solution can go on, move for move, after both; only whether the
// same piece promotes later may differ.
// Tolerated ones are reported, too. The other flaws are for the composer to judge.
//
// # Futile interpositions
//
// When a slider gives check from a distance, the defender can drop a piece in between. Often that only
// lengthens the line by a capture and another check. Exactly: let the defender be to move
// in a position P, and let a mate in k plies not count futile interpositions. A drop on a
// square between the checking slider and the king is futile in P if the slider can capture the piece at once, promoting or
// not, and if then, were the piece returned to the hand it came from, the defender would be mated in no more plies
// than in P without any interposing drop, futile interpositions again not counted. In other words: the
// slider has come closer, nothing else has changed, and that does not help the defender.
// Where all defences are futile the king counts as mated: the length is 0.
//
// The attacker's moves that count are those of the solution and, there and everywhere else, those that keep his
// shortest mate with all defences. Report.Plies
// is the length with all defences, Report.WithoutFutile the length without the
// futile ones. A claim that gives the latter, as custom has it, is true if Options.Tolerate has FutileLength.
//
// # How far alternatives are searched
//
// A table answers for mates of any length. Without one, and always for Tsume, search answers: Report.Searched is
// the number of plies within which other mates have been ruled out, or found. Where the search
// gives up, at Options.Nodes, the verdict is Undecided unless something else refutes the puzzle, or what stays open would be
// tolerated.
//
// # Where things are
//
//	puzzle.go       a puzzle and its claim
//	read.go         files of puzzles: SFEN lines and KIF
//	options.go      options, what is tolerated
//	report.go       verdicts and flaws
//	check.go        a check from beginning to end
//	solution.go     the moves claimed, and the best line
//	cooks.go        other moves of the attacker
//	leftover.go     pieces left in hand
//	futile.go       futile interpositions
//	perpetual.go    wins because of a perpetual check
//	lengths.go      how long a mate takes, by table or by search
//	search.go       the search
//	make.go         mining
package puzzle
