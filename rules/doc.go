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
// Position.ParseWestern), which does. Position.Legal says of any Move whether it is
// legal, and if not, which rule it breaks.
//
// # Games
//
// A player without a legal move loses, in check or not: a Position can tell. What depends
// on the moves before (repetition, perpetual check, a limit of plies) needs a Game,
// which adjudicates by the rules in its GameOptions, impasse included.
//
// # Values
//
// A Value is what a position is worth with best play. This package only defines it: tables
// and solvers share the type.
//
// # Where things are
//
//	square.go piece.go move.go value.go   the vocabulary
//	position.go validate.go zobrist.go    positions, what makes them legal, their hash keys
//	fault.go                              why a position is not legal
//	attacks.go generate.go checks.go      attack tables, legal moves, checks
//	make.go legal.go perft.go             playing moves, naming broken rules, counting
//	predecessors.go                       taking moves back
//	sfen.go usi.go western.go             notation
//	game.go repetition.go impasse.go      games and their end
package rules
