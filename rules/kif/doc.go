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
// Comments (lines that start with # * &), times and the closing まで line are skipped. Text is UTF-8,
// with or without a byte order mark, or Shift_JIS.
//
// # Where things are
//
//	game.go         a game, its lines and endings
//	text.go         encodings, kinds of lines, where games begin in a file
//	parse.go        reading: Games, Parse
//	start.go        reading the starting position
//	move.go         reading and writing one move
//	write.go        writing
//	errors.go       Error
package kif
