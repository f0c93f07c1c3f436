package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"gogotb/rules/record"
	"gogotb/verify/mate"
	"gogotb/verify/puzzle"
)

// pliesRange is a flag for a number of plies, or the least and the most.
type pliesRange struct{ least, most int }

func (r *pliesRange) Type() string { return "A-B" }

func (r *pliesRange) String() string {
	switch r.least {
	case 0:
		return ""
	case r.most:
		return strconv.Itoa(r.least)
	}
	return fmt.Sprintf("%d-%d", r.least, r.most)
}

func (r *pliesRange) Set(text string) error {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	least, err := strconv.Atoi(first)
	most, wrong := strconv.Atoi(last)
	if err != nil || wrong != nil || least < 1 || most < least || most > mate.MaxMaxPlies {
		return usagef("not a number of plies, or two like 3-13, from 1 to %d", mate.MaxMaxPlies)
	}
	*r = pliesRange{least, most}
	return nil
}

// has tells whether a length is in the range; all are in one that was not given.
func (r *pliesRange) has(n int) bool { return r.least == 0 || r.least <= n && n <= r.most }

// usualPlies are the puzzles that --from looks for if nothing is said.
var usualPlies = pliesRange{3, 13}

// title is what a game is called: as it says itself, or by its place.
func (from *gameOfFile) title() string {
	g := from.game
	title := cmp.Or(g.Header("棋戦"), g.Header("EVENT"))
	if title == "" && g.Format == record.USI && len(g.Comments) > 0 {
		title = g.Comments[0] // the remark behind the moves
	}
	if title == "" {
		title = fmt.Sprintf("%s, game %d", filepath.Base(from.file), from.number)
	}
	if players := from.players(" - "); players != "" {
		title += ", " + players
	}
	return title
}

// foundInGame is what a game gives.
type foundInGame struct {
	puzzles []*puzzle.Found
	tally   puzzle.Tally
	err     error
}

// fromGames finds puzzles in games.
func (f *puzzleFlags) fromGames(cmd *cobra.Command, files []string) error {
	kinds, err := f.knownKinds(cmd)
	if err != nil {
		return err
	}
	games := slices.Collect(gamesOfFiles(cmd, files))
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	bar := newProgressBar(cmd, uint64(len(games)))
	defer bar.finish()
	results := f.search(ctx, games)
	out := newPuzzleWriter(cmd, f)
	var tally puzzle.Tally
	of := map[int]int{} // by plies
	alike, done, read, failed := 0, 0, 0, false
	for i, g := range games {
		result := <-results[i]
		if err := result.err; err != nil {
			if ctx.Err() == nil {
				return cmp.Or(out.flush(), err)
			}
			break
		}
		tally.Add(result.tally)
		for _, p := range result.puzzles {
			switch {
			case !f.wants(p.Puzzle):
			case f.each > 0 && of[p.Plies] == f.each:
			case !kinds.Add(p.Puzzle):
				alike++
			default:
				of[p.Plies]++
				bar.clear(cmd.ErrOrStderr())
				if err := out.write(p.Puzzle, g, p); err != nil {
					return err
				}
			}
		}
		if g.game != nil {
			read++
			g.sayNotes(cmd, bar)
		}
		if g.err != nil {
			failed = true
			bar.clear(cmd.ErrOrStderr())
			if err := out.complain(g); err != nil {
				return err
			}
		}
		done++
		bar.set(uint64(done), "searching", count(out.written, "puzzle"))
	}
	bar.finish()
	if !f.json {
		out.comment(describeTally(read, tally, alike, out.written))
	}
	switch err := out.flush(); {
	case err != nil:
		return err
	case done < len(games):
		return &interruptedError{fmt.Sprintf("interrupted after %d of %s", done, count(len(games), "game"))}
	case failed:
		return errSaid
	}
	return nil
}

// knownKinds returns the kinds of puzzles that are there already.
func (f *puzzleFlags) knownKinds(cmd *cobra.Command) (kinds puzzle.Kinds, err error) {
	if f.without == "" {
		return kinds, nil
	}
	data, err := readText(cmd, f.without)
	if err != nil {
		return kinds, fmt.Errorf("%s: %w", f.without, err)
	}
	for p, err := range puzzle.Read(f.without, data) {
		if err != nil {
			return kinds, err
		}
		kinds.Add(p)
	}
	return kinds, nil
}

// search looks through games with all workers. What comes of each is sent on its own channel.
func (f *puzzleFlags) search(ctx context.Context, games []*gameOfFile) []chan foundInGame {
	results := make([]chan foundInGame, len(games))
	for i := range results {
		results[i] = make(chan foundInGame, 1)
	}
	opt := puzzle.FindOptions{Least: f.plies.least, Most: f.plies.most, Beyond: f.options.Beyond, Nodes: f.options.Nodes}
	var next atomic.Int64
	for range min(int(f.jobs), len(games)) {
		go func() {
			finder := puzzle.NewFinder(opt)
			for i := next.Add(1) - 1; i < int64(len(games)); i = next.Add(1) - 1 {
				var r foundInGame
				if r.err = ctx.Err(); r.err == nil && games[i].game != nil {
					r.puzzles, r.tally, r.err = finder.Find(ctx, games[i].game)
				}
				results[i] <- r
			}
		}()
	}
	return results
}

// describeTally says in a line what became of the positions of games.
func describeTally(games int, t puzzle.Tally, alike, puzzles int) string {
	text := fmt.Sprintf("%s, %s, %s, %s", count(games, "game"), count(t.Positions, "position"), count(t.Mates, "mate"), count(puzzles, "puzzle"))
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{t.Ambiguous, "with another solution"}, {t.Trivial, "trivial"}, {t.Open, "not decided within the nodes"},
		{t.Unsound, "not sound"}, {alike, "of a kind with another"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if parts != nil {
		text += "; left out: " + strings.Join(parts, ", ")
	}
	return text
}
