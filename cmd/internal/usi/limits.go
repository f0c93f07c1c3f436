package usi

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// request is what the words behind go ask for.
type request struct {
	limits   engine.Limits
	clock    engine.Clock
	infinite bool
	ponder   bool
	mate     bool          // USI: look for a mate only, and answer checkmate
	mateTime time.Duration // for that; 0: until told to stop
}

// unlimited is how long a search goes on that nothing else bounds.
const unlimited = 5 * time.Second

// parseGo reads the words behind go. What is not understood is passed over, and is the error.
func parseGo(d dialect.Dialect, words []string, sideToMove rules.Color, overhead time.Duration) (r request, err error) {
	r.clock.Overhead = overhead
	ours := map[string]bool{"b": sideToMove == rules.Sente, "w": sideToMove == rules.Gote}
	if d == dialect.UCI { // White moves first
		ours = map[string]bool{"w": sideToMove == rules.Sente, "b": sideToMove == rules.Gote}
	}
	complain := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("go: "+format, args...)
		}
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		number := func() int64 {
			if i+1 == len(words) {
				complain("no number behind %s", word)
				return 0
			}
			n, bad := strconv.ParseInt(words[i+1], 10, 64)
			if bad != nil {
				complain("%s: %q is no number", word, words[i+1])
				return 0
			}
			i++
			return min(max(n, 0), math.MaxInt32)
		}
		milliseconds := func() time.Duration { return time.Duration(number()) * time.Millisecond }
		switch word {
		case "infinite":
			r.infinite = true
		case "ponder":
			r.ponder = true
		case "btime", "wtime":
			if t := milliseconds(); ours[word[:1]] {
				r.clock.Remaining, r.clock.Limited = t, true
			}
		case "binc", "winc":
			if t := milliseconds(); ours[word[:1]] {
				r.clock.Increment, r.clock.Limited = t, true
			}
		case "byoyomi":
			r.clock.Byoyomi, r.clock.Limited = milliseconds(), true
		case "movestogo":
			r.clock.Moves = int(number())
		case "movetime":
			r.clock.PerMove = max(milliseconds(), time.Millisecond)
		case "depth":
			r.limits.Depth = int(number())
		case "nodes":
			r.limits.Nodes = uint64(number())
		case "mate":
			if d == dialect.UCI {
				r.limits.Mate = int(max(2*number()-1, 0))
				continue
			}
			r.mate = true
			if i+1 < len(words) && words[i+1] == "infinite" {
				i++
			} else if i+1 < len(words) {
				r.mateTime = max(milliseconds(), time.Millisecond)
			}
		case "searchmoves":
			for i+1 < len(words) {
				m, bad := d.ParseMove(words[i+1])
				if bad != nil {
					break
				}
				r.limits.Among = append(r.limits.Among, m)
				i++
			}
		default:
			complain("%q is not understood", word)
		}
	}
	r.limits.Budget, r.limits.Slack = r.clock.Budget()
	if r.limits.Budget == 0 && r.limits.Depth == 0 && r.limits.Nodes == 0 && r.limits.Mate == 0 {
		r.limits.Budget, r.limits.Slack = unlimited, engine.Unlimited
	}
	return r, err
}
