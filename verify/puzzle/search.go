package puzzle

import (
	"context"

	"gogotb/rules"
)

func mateSearch(opt Options) search {
	memo := map[[3]uint64]bool{}
	return func(ctx context.Context, p *rules.Position, limit int) (length, uint64, error) {
		limit = min(limit, 9)
		for n := 1; n <= limit; n += 2 {
			if bruteAttack(p, n, opt.Tsume, memo) {
				return length{state: mates, plies: n}, 0, nil
			}
		}
		return length{state: fails, plies: limit}, 0, nil
	}
}

func bruteAttack(p *rules.Position, n int, tsume bool, memo map[[3]uint64]bool) bool {
	key := [3]uint64{p.Key(), p.BoardKey(), uint64(n)}
	if v, ok := memo[key]; ok {
		return v
	}
	moves := p.Moves(nil)
	if tsume {
		moves = p.Checks(nil)
	}
	won := false
	for _, m := range moves {
		u := p.Make(m)
		won = bruteDefence(p, n-1, tsume, memo)
		p.Unmake(u)
		if won {
			break
		}
	}
	memo[key] = won
	return won
}

func bruteDefence(p *rules.Position, n int, tsume bool, memo map[[3]uint64]bool) bool {
	for _, m := range p.Moves(nil) {
		if n == 0 {
			return false
		}
		u := p.Make(m)
		won := bruteAttack(p, n-1, tsume, memo)
		p.Unmake(u)
		if !won {
			return false
		}
	}
	return true
}
