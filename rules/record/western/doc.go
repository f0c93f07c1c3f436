// Package western reads games as people write them in mails and forums: a list of moves in western notation or in USI,
// numbered or not.
//
//  1. G-44 S-22 {both come out}
//  2. S-34 Bx34 3. Sx34 resign
//
// The starting position is meant unless a line has another one, in SFEN or in the words of USI. A position begins a
// game, and so does the number 1 behind moves. What stands in braces, or behind a semicolon, is a comment; lines that
// start with # are left out. A word that says how the game ended, of USI or of PGN (1-0), ends it. What is no move and does not
// look like one is passed over with a note.
package western
