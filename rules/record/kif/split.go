package kif

import "strings"

// part are the lines of a file that belong to one game.
type part struct {
	lines []textLine
	// position: it says where the pieces are. first is the number of its first move, -1 if there are none.
	position bool
	first    int
}

// split cuts a file into games. A game starts at the first line that says something, and then where, after moves, a
// header or a diagram comes, or where the pieces are placed for the second time; headers before that which are
// repeated belong to the second game. So a game in which something is wrong does not spoil the next one.
func split(text string) []part {
	var parts []part
	s := splitter{current: part{first: -1}, repeated: -1, seen: map[string]bool{}}
	number := 0
	for raw := range strings.Lines(text) {
		number++
		l := classify(number, raw)
		if l.kind == blankLine {
			continue
		}
		if ended, ok := s.add(l); ok {
			parts = append(parts, ended)
		}
	}
	if s.current.lines != nil {
		parts = append(parts, s.current)
	}
	return join(parts)
}

// splitter looks for the line where the next game begins.
type splitter struct {
	current part
	seen    map[string]bool // what a game has once, before its moves
	// repeated is the first line of current from which on nothing but headers has come, the first of them for the
	// second time; -1 if there is none.
	repeated  int
	moving    bool // current has moves, or the line above them
	inDiagram bool
}

// add adds a line. If it begins another game, ended is the one before.
func (s *splitter) add(l textLine) (ended part, ok bool) {
	name, diagram := "", false
	switch l.kind {
	case headerLine:
		name = l.key
	case fileNamesLine, borderLine, rankLine:
		if diagram = true; !s.inDiagram {
			name = "a diagram"
		}
	case numberedLine, variationLine:
		if !s.moving { // there is nothing to end, or to vary
			l.kind = unknownLine
		} else if l.kind == numberedLine {
			l.kind = moveLine
		}
	}
	s.inDiagram = diagram
	places := diagram || placesPieces(l.key)
	switch {
	case name == "":
	case s.moving:
		ended, ok = s.cut(len(s.current.lines)), true
	case places && s.seen[name]:
		at := len(s.current.lines)
		if s.repeated >= 0 {
			at = s.repeated
		}
		ended, ok = s.cut(at), true
	case places:
		s.repeated = -1
	case s.seen[name] && s.repeated < 0:
		s.repeated = len(s.current.lines)
	}
	if name != "" {
		s.seen[name] = true
	}
	if l.kind == tableLine || l.kind == moveLine {
		s.moving, s.repeated = true, -1
	}
	if l.kind == moveLine && s.current.first < 0 {
		s.current.first = l.ply
	}
	s.current.position = s.current.position || diagram || name == handicapKey
	s.current.lines = append(s.current.lines, l)
	return ended, ok
}

// cut ends the current game before one of its lines, with which the next one begins.
func (s *splitter) cut(at int) part {
	ended := s.current
	s.current = part{lines: ended.lines[at:], first: -1}
	ended.lines = ended.lines[:at:at]
	s.moving, s.repeated = false, -1
	clear(s.seen)
	for _, l := range s.current.lines {
		if l.kind == headerLine {
			s.seen[l.key] = true
		}
	}
	return ended
}

// join gives parts that are no games to the game that they belong to: moves that go on to the one before, headers to
// the one behind, or, at the end of the file, to the one before.
func join(parts []part) []part {
	var games []part
	var heads []textLine // of the next game
	for _, p := range parts {
		switch last := len(games) - 1; {
		case !p.position && p.first < 0:
			heads = append(heads, p.lines...)
			continue
		case p.position || p.first == 1 || last < 0:
			p.lines = append(heads, p.lines...)
			games = append(games, p)
		default:
			games[last].lines = append(append(games[last].lines, heads...), p.lines...)
		}
		heads = nil
	}
	switch last := len(games) - 1; {
	case heads == nil:
	case last >= 0:
		games[last].lines = append(games[last].lines, heads...)
	default:
		games = append(games, part{lines: heads, first: -1})
	}
	return games
}
