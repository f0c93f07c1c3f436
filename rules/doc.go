// Package rules is the game of minishogi: shogi on 5x5 squares, with drops.
//
// # Positions
//
// A Position is a small value: a board, two hands and the side to move. It may hold any
// material up to the full set (two rooks, bishops, golds, silvers and pawns), and one of the
// two kings may be missing, as puzzles have it. Read one with ParseSFEN, which is strict,
// or put one together with New; both refuse what is not a legal position. Place does not,
// for tables whose index covers illegal placements.
//
// Squares run from 0 to 24 in reading order, and a Bitboard is a set of them. Sente
// (Black) moves up the board and Gote (White) down. Each side promotes on its far rank
// only, on a move that starts or ends there.
//
// # Moves
//
// A Move is 16 bits. Moves lists the legal ones, Checks those that give check; CountMoves and
// HasMove answer without a list. Make plays a move and returns the Undo that Unmake
// needs; neither allocates. Key is a hash that both keep up to date.
//
//	p, err := rules.ParseSFEN(rules.StartSFEN)
//	if err != nil { ... }
//	buf := make([]rules.Move, 0, rules.MaxMoves)
//	for _, m := range p.Moves(buf) {
//		undo := p.Make(m)
//		...
//		p.Unmake(undo)
//	}
//
// Moves are written in USI (5e4d, 5b5a+, G*3c; ParseUSI and Move.USI), which needs no position,
// and in the western notation of the servers (G-43, Px52, R*33; Position.Western and
// Position.ParseWestern), which does. Position.Japanese writes them as Japanese books do.
// Position.Legal says of any Move whether it is legal, and if not, which rule it breaks.
//
// # Games
//
// A player without a legal move loses, in check or not: a Position can tell. What depends
// on the moves before (repetition, perpetual check, a limit of plies) needs a Game,
// which adjudicates by the rules in its GameOptions, impasse included.
//
// # Values
//
// A Value is what a position is worth with best play, Stats what the values of a material set
// add up to. This package only defines them: tables and solvers share the types.
//
// # Words
//
// Code, help and documents use one word for each thing. JSON, and Python after it, say category and by for an
// outcome, dtm for a distance; there an open position is a draw, or what the rule for repetition makes of it.
//
//	side to move            whoever makes the next move; what is said of a position is seen from there
//	own, opposing           of the side to move, of the other side
//	Sente, Gote             Black, who moves up the board, and White, who moves down
//	ply                     a move of one side; lengths are counted in plies, the last move included
//	drop                    a move that places a piece from the hand
//	promotion zone          the rank farthest from a side; also its far rank
//	win, loss               for the side to move, with best play by both sides
//	mate in n plies         a player has no legal move n plies from now, in check or not; n is the distance,
//	                        dtm in JSON
//	perpetual check         checks by one side for ever, which loses
//	rank (of a win or loss  one more than the most moves without check that the loser can still make before it
//	by perpetual check)     is mated or has nothing left but checks
//	open                    neither side can force a win; the game goes on until a position is repeated. How that
//	                        ends depends on the rule for repetition, so that JSON says who wins by it: "draw", or
//	                        "win" or "loss", by "repetition"
//	outcome, value          win, loss or open, and by what; an outcome with its distance or rank
//	rank (of the board)     a row of squares, a to e in USI; files are the columns
//	mirrored                left and right exchanged
//	rotated                 turned by 180 degrees, with the colours exchanged: the same position seen by the
//	                        other side
//	material set            the pieces beside the kings; slice: where each of them is (in a hand, on the board,
//	                        promoted) and whose
//	placement, position     pieces on squares and in hands, legal or not; a placement that is legal
//	index                   the number of a placement in its set: an index encodes and decodes
//	table, block            a file with the outcomes or the distances of a set; a part of it that is read at once
//	game record             the moves of a game in a file, with variations and comments
//
// # Where things are
//
//	square.go piece.go move.go value.go   squares, pieces, moves, values
//	stats.go version.go                   statistics of a set, the version of the rules
//	position.go validate.go zobrist.go    positions, what makes them legal, their hash keys
//	fault.go                              why a position is not legal
//	attacks.go generate.go checks.go      attack tables, legal moves, checks
//	make.go legal.go perft.go             playing moves, naming broken rules, counting
//	predecessors.go                       taking moves back
//	sfen.go usi.go western.go japanese.go notation
//	game.go repetition.go impasse.go      games and their end
//	start.go                              the starting position and the handicaps
//
// Pawn drops that mate are left out in generate.go (pawnDropMates), and named by legal.go (PawnDropMate).
package rules
