// Package puzzle checks mating puzzles for every flaw that a composer wants to know of, and
// finds sound ones in games and tables.
//
//	for p, err := range puzzle.Read("mates.sfen", data) {
//		...
//		report, err := checker.Check(ctx, p)
//	}
//
// # What a puzzle claims
//
// A puzzle is a position, and a claim: one side, the attacker, mates in n plies, against
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
//   - MateMissed: of a variation that is said not to mate, and does.
//   - PawnDropMate: at a position of the solution a pawn drop would mate at once, and is illegal.
//   - Perpetual: no mate is found, but the attacker wins: the defender can hold out only by giving check for ever, which
//     loses. Without moves it is said of the puzzle itself, otherwise of another move of the attacker. A table knows all
//     of these. Without one, the alternatives are not looked at, and of the puzzle itself it is found out only where few
//     positions matter, and every quiet move of the defender is met by a mate that is soon found (rank 1 in the terms of
//     package rules; higher ranks take whole tables, RB has some of rank 28). It does not occur in tsume, where both
//     sides would give check for ever.
//
// Report.Omissions say what was not looked into, or not to the end: where PerpetualRanks or PerpetualAlternatives
// are among them, there may be wins by perpetual check that are not reported.
//
// The first two groups, and cooks, refute a puzzle. Where the search gives up on the puzzle itself, a complete
// solution is looked at from its end, where few plies are left; a flaw there refutes it, too. Where nothing is
// claimed, NoMate is proved for any length; where none is found within Options.MaxPlies, the puzzle is Undecided.
// Options.Tolerate says which cooks do not refute it: those of the last move, unless it is the attacker's first,
// the key (LastMove), those that differ from the solution in promoting or not where nothing changes (Promotion),
// those that take more plies (LongerMate). Nothing changes if the mate takes as many plies after either move and
// the solution can go on, move for move, after both; only whether the same piece promotes later may differ.
// Tolerated ones are reported, too. The other flaws are for the composer to judge.
//
// # Variations
//
// A KIF file may give other lines beside the solution. They are part of the claim: a flaw with a number in
// Flaw.Variation is one of them, and refutes the puzzle. What a variation claims depends on who leaves the line:
//
//   - The defender: it is mated all the same, in no more plies than the puzzle takes. Each move of the attacker
//     has to keep such a mate (WeakAttack if not); the defender's moves may be any.
//   - The attacker: nothing, unless the line ends with mate, or with the word 詰み. Then it is another mate, in as many
//     plies as the puzzle or the line has, and a Cook besides.
//   - A line that ends with 不詰 does not mate: MateMissed if the attacker, from its end, mates in the plies that are left.
//
// A line that says 詰み where there is still something to play is Unfinished. A line that just stops is not. Where
// the puzzle has no mate, variations are only checked for illegal moves. What is true of each is in
// Report.Variations.
//
// # Futile interpositions
//
// When a slider gives check from a distance, the defender can drop a piece in between. Often that only lengthens
// the line by a capture and another check. Exactly: let the defender be to move in a position P, and let a mate in
// k plies not count futile interpositions. A drop on a square between the checking slider and the king is futile in
// P if the slider can capture the piece at once, promoting or not, and if then, were the piece returned to the hand
// it came from, the defender would be mated in no more plies than in P without any interposing drop, futile
// interpositions again not counted. In other words: the slider has come closer, nothing else has changed, and that
// does not help the defender. Where all defences are futile the king counts as mated: the length is 0.
//
// The attacker's moves that count are those of the solution and, there and everywhere else, those that keep his
// shortest mate with all defences. Report.Plies is the length with all defences; mates that futile interpositions
// lengthen by more than six plies do not count as shorter. Report.WithoutFutile the length without the futile ones.
// A claim that gives the latter, as custom has it, is true if Options.Tolerate has FutileLength.
//
// # How far alternatives are searched
//
// A table answers for mates of any length. Without one, and always for Tsume, search answers: Report.Searched is
// the number of plies within which other mates have been ruled out, or found. Where the search gives up, at
// Options.Nodes, the verdict is Undecided unless something else refutes the puzzle, or what stays open would be
// tolerated.
//
// # Puzzles from games
//
// A Finder looks for positions of a game in which the side to move mates in some number of plies and has one solution: at
// each of its turns but the last, against every longest defence, one move only mates in time. Not wanted are the trivial
// (trivial.go) and more than one of a kind (Kinds). GradeHelp says how a puzzle gets its grade.
//
// # Where things are
//
//	puzzle.go       a puzzle and its claim
//	read.go         files of puzzles: SFEN lines, KIF and CSA
//	options.go      options, what is tolerated
//	report.go       verdicts and flaws
//	check.go        a check from beginning to end
//	solution.go     the moves claimed, and the best line
//	cooks.go        other moves of the attacker
//	backward.go     from the end of a solution that is too hard from its beginning
//	variations.go   other lines of a file
//	leftover.go     pieces left in hand
//	futile.go       futile interpositions
//	perpetual.go    wins because of a perpetual check
//	lengths.go      how long a mate takes, by table or by search
//	search.go       the search
//	make.go         mining tables
//	find.go         puzzles in games
//	unique.go       one solution
//	trivial.go      what is solved without thinking
//	kinds.go        what is one puzzle, seen twice
//	grade.go        how hard a puzzle is
//	write.go        a puzzle as a line of a file
package puzzle
