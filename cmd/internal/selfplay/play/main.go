// Command play writes games between two settings of an engine, in USI, one a line.
//
//	play [--engine COMMAND] [--jobs N] FIRST LAST
//
// The games have the numbers from FIRST to LAST, and are written in that order, whatever the jobs.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync"

	"gogotb/cmd/internal/selfplay"
)

func main() {
	engine := flag.String("engine", "fairy-stockfish", "command line of the engine")
	jobs := flag.Int("jobs", runtime.NumCPU(), "games at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *engine, *jobs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, engine string, jobs int, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("the numbers of the first and the last game are wanted")
	}
	var numbers [2]uint64
	for i, arg := range args {
		var err error
		if numbers[i], err = strconv.ParseUint(arg, 10, 32); err != nil {
			return err
		}
	}
	first, last := numbers[0], numbers[1]
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	played := make([]chan *selfplay.Game, jobs) // game i comes from played[i % jobs]
	for j := range played {
		played[j] = make(chan *selfplay.Game, 16)
		wg.Go(func() {
			m, err := selfplay.NewMatch(ctx, engine, selfplay.Settings)
			if err != nil {
				cancel(err)
				return
			}
			defer m.Close()
			for seed := first + uint64(j); seed <= last; seed += uint64(jobs) {
				g, err := m.Play(ctx, seed)
				if err != nil {
					cancel(err)
					return
				}
				select {
				case played[j] <- g:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	out := bufio.NewWriter(os.Stdout)
	for seed := first; seed <= last; seed++ {
		select {
		case g := <-played[(seed-first)%uint64(jobs)]:
			fmt.Fprint(out, "startpos moves")
			for _, m := range g.Moves {
				fmt.Fprint(out, " ", m.USI())
			}
			fmt.Fprintf(out, " ; seed %d\n", g.Seed)
			if err := out.Flush(); err != nil {
				cancel(err)
			}
		case <-ctx.Done():
			wg.Wait()
			return context.Cause(ctx)
		}
	}
	wg.Wait()
	return nil
}
