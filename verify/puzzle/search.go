package puzzle

import (
	"cmp"
	"context"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// mateSearch searches with a mate.Solver, which keeps what it has proved for the next
// questions. Its memory is taken at the first one.
func mateSearch(opt Options) search {
	var solver *mate.Solver
	return func(ctx context.Context, p *rules.Position, ask mate.Options) (mate.Result, error) {
		if solver == nil {
			solver = mate.New(opt.Hash)
		}
		ask.Tsume = opt.Tsume
		if ask.MaxNodes == 0 { // small efforts are the same every time
			ask.Jobs = opt.Jobs
		}
		ask.MaxNodes = cmp.Or(ask.MaxNodes, opt.Nodes)
		r, err := solver.Solve(ctx, p, ask)
		return r, cmp.Or(err, ctx.Err())
	}
}
