// Package position reads positions, and moves, as people paste them: from web pages, other programs' output, logs
// of engines, links and files.
//
//	rbsgk/4p/5/P4/KGSBR b - 1                   SFEN, the move number or not
//	sfen rbsgk/4p/5/P4/KGSBR b - 1
//	position sfen 4k/5/5/5/K4 b RG 1 moves G*2c USI's command, with "position" or without
//	startpos moves 1e1d
//	rbsgk/4p/5/P4/KGSBR[] w - - 0 1             FEN as Fairy-Stockfish writes it: hands in brackets, White moves first
//	fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves e1e2
//	rbsgk/4p/5/P4/KGSBR_b_-_1                   as in links
//	naked-king                                  a handicap of package rules by its name
//
// Blanks may be any and anywhere between the words, and a byte order mark at the beginning is passed over. The words
// themselves are read strictly, as packages rules and dialect have it; errors count characters in the text as it was
// pasted.
//
//	position.go   one position
//	lines.go      many, one a line
//	move.go       moves in any notation
package position
