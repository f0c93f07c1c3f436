package kif

import (
	"strconv"
	"strings"
	"time"
)

// narrowBrackets makes wide brackets narrow.
var narrowBrackets = strings.NewReplacer("（", "(", "）", ")")

// tail reads what follows a move: brackets, the first of which that holds a time says how long it took, and a + where
// a variation leaves. passed is all the rest.
func tail(text string) (spent time.Duration, passed string) {
	const between = " +"
	var others []string
	timed := false
	for rest := strings.TrimLeft(narrowBrackets.Replace(text), between); rest != ""; rest = strings.TrimLeft(rest, between) {
		end := strings.IndexByte(rest, ')')
		if rest[0] != '(' || end < 0 {
			others = append(others, rest)
			break
		}
		t, ok := parseTime(rest[1:end])
		if ok && !timed {
			spent, timed = t, true
		} else {
			others = append(others, rest[:end+1])
		}
		rest = rest[end+1:]
	}
	return spent, strings.Join(others, " ")
}

// parseTime reads the time of a move, minutes and seconds or hours, minutes and seconds, before a slash and the
// time of all moves.
func parseTime(text string) (time.Duration, bool) {
	text, _, _ = strings.Cut(text, "/")
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0
	for _, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 16)
		if err != nil {
			return 0, false
		}
		seconds = 60*seconds + int(n)
	}
	return time.Duration(seconds) * time.Second, true
}
