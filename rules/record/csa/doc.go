// Package csa reads games in the format of computer shogi tournaments, CSA, on 5x5 squares, where it is also
// called MSK.
//
// # The format
//
// A file holds one game or several, with a line "/" between them. A statement is a line, or a part of one between
// commas:
//
//	V2.2              version of the format
//	N+Alice           names of Sente and Gote
//	N-Bob
//	$EVENT:Cup        other headers
//	PI                the starting position, with squares and pieces behind it that are missing: PI51HI
//	P1-HI-KA-GI-KI-OU or the ranks of a board, with " * " for an empty square
//	P+00HI55OU        or single pieces of Sente (P-: of Gote); square 00 is the hand, 00AL all that is left
//	+                 the side to move
//	+1312KI           a move: its side, origin (00: a drop), target, and the piece as it is afterwards
//	T12               the seconds it took
//	%TORYO            how the game ended
//	'*words           a comment on the position; other lines that start with ' are left out
//
// Squares are file and rank from the upper right. Pieces are OU HI KA KI GI FU (king, rook, bishop, gold, silver,
// pawn) and, promoted, RY UM NG TO. Without a position the game begins in the starting position.
//
// # Where things are
//
//	statements.go   games and statements of a file
//	start.go        reading the first position
//	parse.go        reading a game: Games, GamesFrom
package csa
