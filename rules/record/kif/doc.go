// Package kif reads and writes KIF, the common file format of Japanese shogi programs, for
// games and puzzles on 5x5 squares.
//
// # The format
//
// A file holds one game or several, one after the other. A game starts with headers
// ("key：value") that say where the pieces are: either
//
//	手合割：5五将棋
//
// for the starting position, or a diagram and what both sides hold (先手 is Sente, 後手
// is Gote, drawn with a v; nobody mentioned holds nothing, and Sente moves first if nothing
// else is said):
//
//	後手の持駒：飛　金二
//	  ５ ４ ３ ２ １
//	+---------------+
//	|v飛v角v銀v金v玉|一
//	| ・ ・ ・ ・v歩|二
//	| ・ ・ ・ ・ ・|三
//	| 歩 ・ ・ ・ ・|四
//	| 玉 金 銀 角 飛|五
//	+---------------+
//	先手の持駒：なし
//	後手番
//
// Then come the moves: a number, the target (file and rank, or 同 for the target of the
// move before), the piece, 成 if it promotes, and 打 for a drop or the origin in digits. A
// word may say how the game ended. Variations follow, each with the number of the
// move that it replaces:
//
//	手数----指手---------消費時間--
//	   1 ３二金打
//	   2 同　金(21)+
//	   3 同　角成(43)
//	   4 投了
//
//	変化：2手
//	   2 １二玉(11)
//	   3 詰み
//
// A variation belongs to the nearest line above it that starts earlier than it does; so
// those of one line are written from the last to the first.
//
// Lines that start with * are comments on the position that has been reached; those that start with # or & are about
// programs and are left out.
//
// # What is read beside it
//
// Files have much that no description names. A line, or a part of one, that is not known is passed over with a
// note; a word in the place of a move ends its line. Digits may be narrow or wide, and stand for ranks and numbers
// of pieces, too; triangles before moves and any brackets behind them are fine. What changes the position or the
// moves, such as a diagram of another size or a move that cannot be played, is an error.
//
// # Where things are
//
//	lines.go digits.go       kinds of lines, numbers
//	split.go                 where games begin in a file
//	parse.go start.go        reading: Games, GamesFrom; the starting position
//	moves.go ends.go tail.go moves and variations, words for ends, what stands behind a move
//	move.go                  reading and writing one move: ParseMove, FormatMove
//	write.go                 writing: String, Diagram
package kif
