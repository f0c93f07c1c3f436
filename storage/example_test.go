package storage_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
	"gogotb/storage"
)

// folder makes a folder with the tables of some sets, as `gogotb generate` does.
func folder(sets ...string) (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range sets {
		if err := generate(dir, name); err != nil {
			log.Fatal(err)
		}
	}
	return dir, func() { os.RemoveAll(dir) }
}

func generate(dir, set string) error {
	m, err := index.ParseMaterial(set)
	if err != nil {
		return err
	}
	solution, err := retro.Solve(context.Background(), m, retro.Options{})
	if err != nil {
		return err
	}
	w, err := storage.Create(dir, solution.Index(), storage.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Abort() // does nothing after Commit
	stats, err := solution.Values(context.Background(), w.Append)
	if err != nil {
		return err
	}
	return w.Commit(stats)
}

func Example() {
	dir, remove := folder("R", "G")
	defer remove()

	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()
	p, err := rules.ParseSFEN("4k/5/3K1/5/5 b G 1")
	if err != nil {
		log.Fatal(err)
	}
	result, err := tables.Probe(&p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Value)
	line, err := tables.Line(&p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(line)
	// Output:
	// win in 1
	// [G*1b]
}

// Values are those after the move, for the opponent.
func ExampleTables_Moves() {
	dir, remove := folder("G")
	defer remove()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()

	p, err := rules.ParseSFEN("4k/5/3K1/5/5 b G 1")
	if err != nil {
		log.Fatal(err)
	}
	moves, err := tables.Moves(&p, storage.Adjudication{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range moves[:5] {
		fmt.Println(m.Move, m.Value)
	}
	// Output:
	// G*1b loss in 0
	// G*2b loss in 0
	// G*3a loss in 0
	// G*3b loss in 0
	// 2c1c loss in 2
}

// A program with a board of its own hands over its squares, in reading order, and hands.
func ExampleTables_ProbeRaw() {
	dir, remove := folder("G")
	defer remove()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()

	var board [rules.Squares]rules.Piece
	board[4] = rules.MakePiece(rules.Gote, rules.King)
	board[13] = rules.MakePiece(rules.Sente, rules.King)
	var hands [2]rules.Hand
	hands[rules.Sente][rules.Gold] = 1
	result, err := tables.ProbeRaw(&board, &hands, rules.Sente)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Value)
	// Output: win in 1
}

// In a search only the outcome matters, and the outcomes of a set can be held in memory.
// What the tables do not cover is told apart from what went wrong.
func ExampleTables_Outcome() {
	dir, remove := folder("G")
	defer remove()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()
	set, err := tables.Set(index.Material{rules.Gold: 1})
	if err != nil {
		log.Fatal(err)
	}
	if err := set.LoadOutcomes(); err != nil {
		log.Fatal(err)
	}

	for _, sfen := range []string{"4k/5/3K1/5/5 b G 1", "4k/5/5/5/K4 b RB 1"} {
		p, err := rules.ParseSFEN(sfen)
		if err != nil {
			log.Fatal(err)
		}
		outcome, err := tables.Outcome(&p)
		var missing *storage.MissingTableError
		switch {
		case errors.As(err, &missing):
			fmt.Println("no tables of", missing.Material)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(outcome == rules.MateWin)
		}
	}
	// Output:
	// true
	// no tables of RB
}

// A search takes what is in memory, and leaves to a thread that can wait what is not.
func ExampleTables_SoftProbe() {
	dir, remove := folder("G")
	defer remove()
	tables, err := storage.Open([]string{dir}, &storage.Options{CacheBytes: 16 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()
	p, err := rules.ParseSFEN("4k/5/3K1/5/5 b G 1")
	if err != nil {
		log.Fatal(err)
	}

	_, ok := tables.SoftProbe(&p)
	fmt.Println(ok)
	if _, err := tables.Probe(&p); err != nil {
		log.Fatal(err)
	}
	result, ok := tables.SoftProbe(&p)
	fmt.Println(ok, result.Value)
	stats := tables.CacheStats()
	fmt.Println(stats.Misses > 0, stats.Hits > 0, stats.Bytes > 0)
	// Output:
	// false
	// true win in 1
	// true true true
}

// Open positions are a draw, or lost by whoever made the first move of the game.
func ExampleAdjudication() {
	dir, remove := folder("none")
	defer remove()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()
	p, err := rules.ParseSFEN("4k/5/5/5/K4 b - 1")
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := tables.Outcome(&p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(storage.Adjudication{}.Verdict(outcome, p.SideToMove()) == storage.Draw)
	tournament := storage.Adjudication{Repetition: rules.FirstPlayerLoses}
	fmt.Println(tournament.Verdict(outcome, p.SideToMove()) == storage.Loss)
	// Output:
	// true
	// true
}
