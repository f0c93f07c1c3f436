package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"gogotb/rules"
	"gogotb/storage"
	"gogotb/verify/mate"
	"gogotb/verify/puzzle"
)

// puzzleFlags are the flags of puzzle.
type puzzleFlags struct {
	json     bool
	tolerate string
	beyond   string
	hash     byteSize
	jobs     coreCount
	options  puzzle.Options
	make     int // puzzles to mine
	seed     uint64

	from       []string // files of games to find puzzles in
	collection *choice  // of the program's own
	plies      pliesRange
	grade      *choice
	each       int
	without    string // file of puzzles that are there already
	kif        bool
}

func newPuzzleCommand() *cobra.Command {
	f := puzzleFlags{hash: puzzle.DefaultHash}
	cmd := &cobra.Command{
		Use:   "puzzle FILE...",
		Short: "Check mating puzzles, or find new ones in games and tables",
		Long: `Check mating puzzles: the length claimed, every move of the solution, other mates (cooks), pieces left in hand,
futile interpositions, pawn-drop mates met on the way, wins because of a perpetual check.

A file (- is standard input) holds one puzzle a line, as an SFEN with or without "moves ..." (the solution, in USI)
and "; plies N" or "; a name" behind it; or games for 5x5 in KIF or CSA with the solution as moves. Variations of KIF are checked, too:
each that the defender chooses has to be mated in no more plies than the puzzle takes. What cannot be read is an object with
"error" in JSON, otherwise a line on standard error, and the rest is still checked. What was passed over in a file,
because it changes neither the position nor the moves, is in "notes", or on standard error. The exit status is 1 if
a puzzle is refuted or undecided, or something could not be read.

Tables answer where they cover the material, for mates of any length; search answers for the rest, and always for
--tsume. --beyond says how many plies more than the solution's it looks for other mates, and --nodes after how many
moves it gives up on a question.

--tolerate names the cooks that refute nothing: of the last move, unless it is also the first, the key (last),
promoting or not where nothing changes (promotion), in more plies (longer); and whether a claim may leave out futile
interpositions (futile). They are reported all the same. The default is last,promotion,futile with --tsume, otherwise longer, too:
a side that wins with any moves can mostly dally.

--from finds puzzles in games, in KIF, CSA, western notation or USI, in the files behind it and those that follow; - is standard
input. What is passed over in them is said on standard error, beside JSON, too.
Each is a position of a game or of one of its variations in which the side to move mates in --plies plies, every
move but the last is the only one that mates in time (and with --beyond in so many plies more) against every longest
defence, and the first is not trivial: not the only move, nor the only check, nor one that takes back. Of positions that are mirror
images, or the same with the colours exchanged, or of one mate that stays on the board, there is one. Each is sound to the
checker, and written with the move that led to it, the game it is from and its grade, with a comment that explains it:

` + puzzle.GradeHelp + `

--nodes is the effort for each position, and fifty times as much that for each question about a mate that was found; what
takes more is passed over. Ctrl-C ends the search and keeps what was written. --without leaves out what is of a kind with
the puzzles of another file, so that searches can be put together.

--collection writes the puzzles that the program brings along: tables, mined from tables, with few pieces, or games, with
all pieces, from games of two settings of Fairy-Stockfish.

--make mines the table of a material set for puzzles with a unique solution, at the last move, too. Without longer
in --tolerate no other move may win at all.`,
		Example: `  gogotb puzzle --tsume mates.kif
  echo '4k/5/5/5/K4 b RG 1 ; plies 3' | gogotb puzzle --json -
  gogotb puzzle --from games.kif --plies 5-9 --kif >new.kif
  gogotb puzzle --collection games --grade hard
  gogotb puzzle --make 10 --plies 7 --seed 1 GS >new.sfen`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.from) > 0 || f.collection.value != "" {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "write a JSON object a puzzle, one a line")
	flags.BoolVar(&f.options.Tsume, "tsume", false, "the attacker may only give check")
	flags.BoolVar(&f.options.CompleteHand, "complete-hand", false, "the defender holds all pieces of a full set that are nowhere else")
	flags.StringVar(&f.tolerate, "tolerate", "", "what refutes nothing: some of last,promotion,longer,futile, or none")
	flags.IntVar(&f.options.MaxPlies, "max-plies", puzzle.DefaultMaxPlies, "how far to search where the claim is false or missing")
	flags.StringVar(&f.beyond, "beyond", "", "search for other mates in `N` plies more than the solution's, or any (default any with --tsume, otherwise 0)")
	flags.Uint64Var(&f.options.Nodes, "nodes", puzzle.DefaultNodes, "limit of each search, in moves made (default with --from "+strconv.Itoa(puzzle.FindNodes)+")")
	hashFlag(cmd, &f.hash)
	jobsFlag(cmd, &f.jobs)
	flags.IntVar(&f.make, "make", 0, "mine `N` puzzles from the table of the set MATERIAL given in place of files")
	flags.Uint64Var(&f.seed, "seed", 1, "choice of the puzzles to mine")
	flags.StringArrayVar(&f.from, "from", nil, "find puzzles in the games of `FILE` and of the files that follow; may be repeated")
	f.collection = choiceFlag(cmd, "collection", "", "write the program's own puzzles: tables or games", collectionNames()...)
	flags.Var(&f.plies, "plies", "plies of the puzzles to find (default with --from "+usualPlies.String()+"), to write or to mine")
	f.grade = choiceFlag(cmd, "grade", "", "only puzzles of this grade, with --from and --collection: easy, medium or hard", gradeNames()...)
	flags.IntVar(&f.each, "each", 0, "with --from, at most `N` puzzles of each length, the first")
	flags.StringVar(&f.without, "without", "", "with --from, leave out what is of a kind with a puzzle in `FILE`")
	flags.BoolVar(&f.kif, "kif", false, "write the puzzles of --from or --collection as KIF")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.validate(cmd, args); err != nil {
			return err
		}
		switch {
		case f.collection.value != "":
			return f.writeCollection(cmd)
		case len(f.from) > 0:
			return f.fromGames(cmd, append(f.from, args...))
		}
		tables, err := openTables(cmd, 0)
		if err != nil {
			return err
		}
		defer tables.Close()
		source := &valueSource{tables: tables}
		f.options.Table = source.value
		if f.make > 0 {
			return f.mine(cmd, args[0], source)
		}
		return f.check(cmd, args, source)
	}
	return cmd
}

// validate completes the options.
func (f *puzzleFlags) validate(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	if err := f.chooseWay(flags, args); err != nil {
		return err
	}
	switch {
	case flags.Changed("make") && f.make < 1:
		return usagef("--make %d: at least 1", f.make)
	case f.make > 0 && (len(args) != 1 || !flags.Changed("plies")):
		return usagef("--make needs one material set, and --plies")
	case f.make > 0 && (f.plies.least != f.plies.most || f.plies.most%2 == 0):
		return usagef("--plies %s: an odd number, as the side to move mates", &f.plies)
	case f.make > 0 && f.options.Tsume:
		return usagef("--make and --tsume exclude each other: tables do not know which mates are all checks")
	case f.options.MaxPlies < 1 || f.options.MaxPlies > mate.MaxMaxPlies:
		return usagef("--max-plies %d: 1 to %d", f.options.MaxPlies, mate.MaxMaxPlies)
	case f.options.Nodes == 0:
		return usagef("--nodes 0: at least 1")
	}
	if err := checkHash(f.hash); err != nil {
		return err
	}
	f.options.Hash, f.options.Jobs = int64(f.hash), int(f.jobs)
	if f.options.Tsume {
		f.options.Beyond = puzzle.AnyLength
	}
	switch n, err := strconv.Atoi(f.beyond); {
	case f.beyond == "":
	case f.beyond == "any":
		f.options.Beyond = puzzle.AnyLength
	case err != nil || n < 0 || n > puzzle.AnyLength:
		return usagef("--beyond %s: a number of plies, 0 or more, or any", f.beyond)
	default:
		f.options.Beyond = n
	}
	f.options.Tolerate = puzzle.DefaultTolerance(f.options.Tsume)
	if flags.Changed("tolerate") {
		var err error
		if f.options.Tolerate, err = puzzle.ParseTolerance(f.tolerate); err != nil {
			return usagef("--tolerate: %w", err)
		}
	}
	return nil
}

// valueSource gives the values that tables know. An error other than that there is no table, or no more time, is kept.
type valueSource struct {
	tables *storage.Tables

	mu  sync.Mutex
	err error
}

func (s *valueSource) value(p *rules.Position) (rules.Value, bool) {
	r, err := s.tables.Probe(p)
	if err != nil {
		if !errors.Is(err, storage.ErrNotCovered) && !errors.Is(err, context.Canceled) {
			s.mu.Lock()
			s.err = cmp.Or(s.err, err)
			s.mu.Unlock()
		}
		return 0, false
	}
	return r.Value, r.Exact
}

// failure returns the first error, or nil.
func (s *valueSource) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// check checks the puzzles of files.
func (f *puzzleFlags) check(cmd *cobra.Command, files []string, source *valueSource) error {
	items := readPuzzles(cmd, files)
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	bar := newProgressBar(cmd, uint64(len(items)))
	defer bar.finish()
	checker := puzzle.NewChecker(f.options)
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16) // a report and more
	var t puzzleTally
	for i, item := range items {
		var report *puzzle.Report
		var err error
		if item.err == nil {
			report, err = checker.Check(ctx, item.puzzle)
			if err = cmp.Or(source.failure(), err); err != nil {
				return cmp.Or(out.Flush(), err)
			}
		}
		t.add(item, report)
		switch {
		case f.json:
			err = writeJSON(out, puzzleJSON(item, report, f.options.Tsume))
		case item.err != nil:
			bar.say(cmd.ErrOrStderr(), cmd.CommandPath()+": "+oneLine(item.err.Error()))
		default:
			for _, n := range item.puzzle.Notes {
				bar.say(cmd.ErrOrStderr(), fmt.Sprintf("%s: %s, line %d: %s", cmd.CommandPath(), item.puzzle.File, n.Line, n.Text))
			}
			_, err = io.WriteString(out, describePuzzle(report, &f.options))
		}
		bar.clear(cmd.ErrOrStderr())
		if err = cmp.Or(err, out.Flush()); err != nil {
			return err
		}
		bar.set(uint64(i+1), "checking", "")
	}
	bar.finish()
	if !f.json {
		fmt.Fprintln(out, t.String())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if t.sound < len(items) {
		return errSaid
	}
	return nil
}

// puzzleItem is a puzzle of a file, or what is wrong with it.
type puzzleItem struct {
	puzzle *puzzle.Puzzle
	err    error // a *puzzle.ReadError
}

// errNoPuzzle is what is wrong with a file that has nothing but comments.
var errNoPuzzle = errors.New("there is no puzzle in it")

// readPuzzles reads all puzzles of files.
func readPuzzles(cmd *cobra.Command, files []string) []puzzleItem {
	var items []puzzleItem
	for _, name := range files {
		before := len(items)
		data, err := readText(cmd, name)
		if name == inputName {
			name = inputWords
		}
		if err == nil {
			for p, err := range puzzle.Read(name, data) {
				items = append(items, puzzleItem{p, err})
			}
			err = errNoPuzzle
		}
		if len(items) == before { // the other files are checked all the same
			items = append(items, puzzleItem{nil, &puzzle.ReadError{File: name, Err: err}})
		}
	}
	return items
}

// puzzleTally counts verdicts, and files in which there was nothing to give one on.
type puzzleTally struct{ all, sound, refuted, undecided, unread, files int }

func (t *puzzleTally) add(item puzzleItem, r *puzzle.Report) {
	var e *puzzle.ReadError
	if errors.As(item.err, &e) && e.Line == 0 {
		t.files++
		return
	}
	t.all++
	switch {
	case item.err != nil:
		t.unread++
	case r.Verdict == puzzle.Sound:
		t.sound++
	case r.Verdict == puzzle.Refuted:
		t.refuted++
	default:
		t.undecided++
	}
}

func (t *puzzleTally) String() string {
	text := fmt.Sprintf("%s: %d sound", count(t.all, "puzzle"), t.sound)
	for _, part := range []struct {
		n    int
		what string
	}{{t.refuted, "refuted"}, {t.undecided, "undecided"}, {t.unread, "not readable"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if t.files > 0 {
		text += "; " + count(t.files, "file") + " without one"
	}
	return text + "."
}

// count returns a number of things in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mine writes new puzzles.
func (f *puzzleFlags) mine(cmd *cobra.Command, material string, source *valueSource) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	sets, err := parseMaterials([]string{material})
	if err != nil {
		return err
	}
	if set, err := source.tables.Set(sets[0]); err != nil {
		return err
	} else if !set.HasDistances() {
		return &storage.MissingTableError{Material: sets[0], Kind: storage.Distances, Dirs: source.tables.Dirs()}
	}
	var bar *progressBar
	puzzles, err := puzzle.Make(ctx, puzzle.MakeOptions{
		Material: sets[0], Plies: f.plies.most, Count: f.make, Seed: f.seed,
		Tolerate: f.options.Tolerate, Table: source.value,
		Progress: func(done, total uint64, found int) {
			if bar == nil {
				bar = newProgressBar(cmd, total)
			}
			bar.set(done, "mining "+sets[0].String(), fmt.Sprintf("%d found", found))
		},
	})
	bar.finish()
	if err = cmp.Or(source.failure(), err); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	for _, p := range puzzles {
		if f.json {
			err = writeJSON(out, givenJSON(p, nil, nil))
		} else {
			_, err = fmt.Fprintln(out, p.Text())
		}
		if err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(puzzles) < f.make {
		return fmt.Errorf("the whole table gives no more than %d of %d such puzzles", len(puzzles), f.make)
	}
	return nil
}
