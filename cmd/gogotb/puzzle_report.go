package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/verify/puzzle"
)

// puzzleReport is the JSON of puzzle.
type puzzleReport struct {
	File     string       `json:"file"`
	Line     int          `json:"line"`
	Name     *string      `json:"name"`
	SFEN     string       `json:"sfen"` // with the defender's hand completed, if so told
	Tsume    bool         `json:"tsume"`
	Attacker string       `json:"attacker"`
	Claim    puzzleClaim  `json:"claim"`
	Verdict  string       `json:"verdict"`  // sound, refuted, undecided
	Category string       `json:"category"` // mate, no-mate, unknown
	MaxPlies *int         `json:"max_plies,omitempty"`
	Plies    *int         `json:"plies"`
	NoFutile *int         `json:"plies_without_futile"`
	Solution []string     `json:"solution"`
	Searched *int         `json:"searched"` // plies within which other mates were looked for; null: any
	Flaws    []puzzleFlaw `json:"flaws"`
	Omitted  []string     `json:"omitted"` // what was not looked into, or not to the end
	// Variations are those of the file.
	Variations []puzzleVariation `json:"variations"`
	Nodes      uint64            `json:"nodes"`
	Notes      []puzzleNote      `json:"notes"` // what was passed over in the file
}

type puzzleNote struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

type puzzleClaim struct {
	Plies *int     `json:"plies"`
	Moves []string `json:"moves"`
	True  bool     `json:"true"`
}

type puzzleVariation struct {
	Ply   int      `json:"ply"`   // of the first move that is another
	Moves []string `json:"moves"` // from the position of the puzzle on
	Says  string   `json:"says"`  // mate, no-mate, nothing
	State string   `json:"state"` // holds, fails, open
	Plies *int     `json:"plies"` // of the puzzle by this line, where it is known to mate
}

type puzzleFlaw struct {
	Kind      string   `json:"kind"`
	Variation *int     `json:"variation"` // from 1; null: the solution
	Ply       *int     `json:"ply"`
	Moves     []string `json:"moves"`
	Plies     *int     `json:"plies"`
	Hand      *string  `json:"hand"`
	Rule      *string  `json:"rule"` // that an illegal move breaks: the code of rules.Rule, or no-check
	Tolerated *string  `json:"tolerated"`
	Refutes   bool     `json:"refutes"`
}

// puzzleErrorReport takes the place of what could not be read.
type puzzleErrorReport struct {
	File  string `json:"file"`
	Line  *int   `json:"line"`
	Error string `json:"error"`
	answer.Refusal
}

// puzzleJSON returns the answer about an item of a file.
func puzzleJSON(item puzzleItem, r *puzzle.Report, tsume bool) any {
	var e *puzzle.ReadError
	if errors.As(item.err, &e) {
		return puzzleErrorReport{e.File, positive(e.Line), e.Err.Error(), answer.RefusalOf(e.Err)}
	}
	report := puzzleReport{
		File: r.Puzzle.File, Line: r.Puzzle.Line, SFEN: r.Position.SFEN(), Tsume: tsume,
		Attacker: r.Attacker.String(), Verdict: r.Verdict.String(), Category: "unknown",
		Claim:    puzzleClaim{positive(r.Puzzle.Claimed()), answer.USI(r.Puzzle.Moves), r.Claim},
		Solution: answer.USI(r.Solution), Flaws: make([]puzzleFlaw, len(r.Flaws)), Nodes: r.Nodes,
	}
	if r.Puzzle.Name != "" {
		report.Name = &r.Puzzle.Name
	}
	switch r.Outcome {
	case puzzle.Mate:
		report.Category, report.Plies = "mate", &r.Plies
		if r.WithoutFutile >= 0 {
			report.NoFutile = &r.WithoutFutile
		}
		report.Searched = limited(r.Searched)
	case puzzle.NoMateFound:
		report.Category, report.MaxPlies = "no-mate", limited(r.NoMateWithin)
	}
	for i := range r.Flaws {
		report.Flaws[i] = flawJSON(&r.Flaws[i])
	}
	report.Omitted = make([]string, len(r.Omissions))
	for i, o := range r.Omissions {
		report.Omitted[i] = o.String()
	}
	report.Variations = make([]puzzleVariation, len(r.Variations))
	for i, result := range r.Variations {
		v := &r.Puzzle.Variations[i]
		report.Variations[i] = puzzleVariation{v.Ply, answer.USI(v.Moves), v.Says.String(), result.State.String(), positive(result.Plies)}
	}
	report.Notes = make([]puzzleNote, len(r.Puzzle.Notes))
	for i, n := range r.Puzzle.Notes {
		report.Notes[i] = puzzleNote{n.Line, n.Text}
	}
	return report
}

func flawJSON(f *puzzle.Flaw) puzzleFlaw {
	j := puzzleFlaw{Kind: f.Kind.String(), Variation: positive(f.Variation), Ply: positive(f.Ply), Moves: answer.USI(f.Moves), Plies: positive(f.Plies), Refutes: f.Refutes}
	if f.Kind == puzzle.HandLeft {
		j.Hand = pointer(handLetters(f.Hand))
	}
	if f.Err != nil {
		j.Rule = pointer(cmp.Or(answer.RuleOf(f.Err), noCheck))
	}
	if f.Tolerated != 0 {
		j.Tolerated = pointer(f.Tolerated.String())
	}
	return j
}

// positive returns a number, or nil for 0.
func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// limited returns a number of plies, or nil for any number.
func limited(n int) *int {
	if n >= puzzle.AnyLength {
		return nil
	}
	return &n
}

// handLetters returns a hand as one word: "RG".
func handLetters(h rules.Hand) string {
	var b strings.Builder
	for k, n := range h {
		for range n {
			b.WriteByte(rules.Kind(k).Letter())
		}
	}
	return b.String()
}

// noCheck is the code of the rule that only a tsume has.
const noCheck = "no-check"

// brokenRule returns the rule alone that an illegal move breaks.
func brokenRule(err error) string {
	var illegal *rules.IllegalMoveError
	if errors.As(err, &illegal) {
		return illegal.Rule.String()
	}
	return err.Error()
}

// describePuzzle returns the report for people.
func describePuzzle(r *puzzle.Report, opt *puzzle.Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, line %d", r.Puzzle.File, r.Puzzle.Line)
	if r.Puzzle.Name != "" {
		fmt.Fprintf(&b, ": %s", r.Puzzle.Name)
	}
	b.WriteString("\n\n")
	drawBoard(&b, &r.Position)
	fmt.Fprintf(&b, "%s\n\n%s\n", r.Position.SFEN(), puzzleVerdict(r, opt))
	if len(r.Solution) > 0 {
		fmt.Fprintf(&b, "Solution: %s\n", numberedMoves(r.Position, r.Solution, 1))
	}
	if n := r.Searched; r.Outcome == puzzle.Mate && n < puzzle.AnyLength {
		fmt.Fprintf(&b, "Other mates were looked for up to %s.\n", plies(n))
	}
	for flaws := r.Flaws; len(flaws) > 0; {
		n := cooksAlike(flaws)
		fmt.Fprintf(&b, "- %s\n", describeFlaws(r, flaws[:n]))
		flaws = flaws[n:]
	}
	for i := range r.Variations {
		fmt.Fprintf(&b, "%s\n", describeVariation(r, i))
	}
	for _, o := range r.Omissions {
		fmt.Fprintf(&b, "Not looked into: %s.\n", omissionTexts[o])
	}
	b.WriteString("\n")
	return b.String()
}

// cooksAlike returns how many flaws at the start of a list go in one line: cooks of one ply, of which there can be
// dozens, of the same length or, if longer mates are tolerated, longer.
func cooksAlike(flaws []puzzle.Flaw) int {
	f := &flaws[0]
	n := 1
	for f.Kind == puzzle.Cook && n < len(flaws) {
		g := &flaws[n]
		if g.Kind != puzzle.Cook || g.Ply != f.Ply || g.Tolerated != f.Tolerated || g.Plies != f.Plies && !dallies(f) {
			break
		}
		n++
	}
	return n
}

// dallies tells whether a flaw is a longer mate that is tolerated.
func dallies(f *puzzle.Flaw) bool { return f.Tolerated&puzzle.LongerMate != 0 }

// describeFlaws returns a line for flaws that go together.
func describeFlaws(r *puzzle.Report, flaws []puzzle.Flaw) string {
	f := &flaws[0]
	if len(flaws) == 1 && !dallies(f) {
		return describeFlaw(r, f)
	}
	words := make([]string, len(flaws))
	for i := range flaws {
		words[i] = flaws[i].Moves[0].USI()
		if dallies(f) {
			words[i] += fmt.Sprintf(" (%d)", flaws[i].Plies)
		}
	}
	moves := strings.Join(words, ", ")
	var text string
	if dallies(f) {
		text = fmt.Sprintf("longer mates, with their plies in all: %s", moves)
	} else {
		text = fmt.Sprintf("%d other mates, %s in all: %s", len(flaws), plies(f.Plies), moves)
		if len(f.Moves) > 1 {
			text += "; such as " + flawMoves(r, f)
		}
	}
	return fmt.Sprintf("ply %d: %s", f.Ply, text) + tolerated(f)
}

// puzzleVerdict says what is claimed, and what is true.
func puzzleVerdict(r *puzzle.Report, opt *puzzle.Options) string {
	attacker := capital(r.Attacker.String())
	how := ""
	if opt.Tsume {
		how = " with checks only"
	}
	truth := fmt.Sprintf("Whether %s mates%s is not known within the limits.", attacker, how)
	switch {
	case r.Outcome == puzzle.Mate:
		truth = fmt.Sprintf("%s mates%s in %s", attacker, how, plies(r.Plies))
		if r.WithoutFutile >= 0 && r.WithoutFutile < r.Plies {
			truth += fmt.Sprintf(", in %d without futile interpositions", r.WithoutFutile)
		}
		truth += "."
	case r.Outcome == puzzle.NoMateFound && r.NoMateWithin >= puzzle.AnyLength:
		truth = fmt.Sprintf("%s has no mate%s.", attacker, how)
	case r.Outcome == puzzle.NoMateFound:
		truth = fmt.Sprintf("%s has no mate%s within %s.", attacker, how, plies(r.NoMateWithin))
	}
	claim := ""
	if n := r.Puzzle.Claimed(); n > 0 {
		claim = fmt.Sprintf(" Claimed: %s.", plies(n))
	}
	return fmt.Sprintf("%s.%s %s", strings.ToUpper(r.Verdict.String()), claim, truth)
}

// numberedMoves returns moves with their numbers from ply on, in USI and in western notation, as far as they are legal.
func numberedMoves(p rules.Position, moves []rules.Move, ply int) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = fmt.Sprintf("%d. %s", ply+i, m)
		if p.Legal(m) == nil {
			words[i] += " (" + p.Western(m) + ")"
			p.Make(m)
		}
	}
	return strings.Join(words, "  ")
}

// describeVariation returns a variation and what is true of it in one line.
func describeVariation(r *puzzle.Report, i int) string {
	v, result := &r.Puzzle.Variations[i], &r.Variations[i]
	p := lineEnd(r.Position, v.Moves[:v.Ply-1])
	text := fmt.Sprintf("Variation %d: %s", i+1, numberedMoves(p, v.Moves[v.Ply-1:], v.Ply))
	switch {
	case result.State == puzzle.VariationFails:
		return text + ": false"
	case result.State == puzzle.VariationOpen && r.Outcome == puzzle.Mate:
		return text + ": not known within the limits"
	case result.State == puzzle.VariationOpen:
		return text + ": not looked into, as no mate is known"
	case result.Plies > 0:
		return fmt.Sprintf("%s: mates, %s in all", text, plies(result.Plies))
	}
	return text + ": no mate in time"
}

// lineEnd returns the position after moves, as far as they are legal.
func lineEnd(p rules.Position, moves []rules.Move) rules.Position {
	for _, m := range moves {
		if p.Legal(m) != nil {
			break
		}
		p.Make(m)
	}
	return p
}

// describeFlaw returns a flaw in one line.
func describeFlaw(r *puzzle.Report, f *puzzle.Flaw) string {
	text := flawTexts[f.Kind]
	switch f.Kind {
	case puzzle.NoMate:
		if r.NoMateWithin < puzzle.AnyLength {
			text += " within " + plies(r.NoMateWithin)
		}
	case puzzle.Longer, puzzle.Shorter:
		text = fmt.Sprintf(text, plies(f.Plies))
	case puzzle.HandLeft:
		text = fmt.Sprintf(text, handLetters(f.Hand))
	case puzzle.IllegalMove:
		text = fmt.Sprintf(text, brokenRule(f.Err))
	case puzzle.Cook:
		text = fmt.Sprintf(text, plies(f.Plies))
	}
	if len(f.Moves) == 0 {
		text, _, _ = strings.Cut(text, ";") // what would be better is not known
	}
	if f.Ply > 0 {
		text = fmt.Sprintf("ply %d: %s", f.Ply, text)
	}
	if f.Variation > 0 {
		text = fmt.Sprintf("variation %d, %s", f.Variation, text)
	}
	if len(f.Moves) > 0 {
		text += ": " + flawMoves(r, f)
	}
	return text + tolerated(f)
}

// flawMoves returns the moves that show a flaw.
func flawMoves(r *puzzle.Report, f *puzzle.Flaw) string {
	line := r.Solution
	switch {
	case f.Variation > 0:
		line = r.Puzzle.Variations[f.Variation-1].Moves
	case r.Outcome != puzzle.Mate:
		line = r.Puzzle.Moves
	}
	p := lineEnd(r.Position, line[:min(f.Ply-1, len(line))])
	return numberedMoves(p, f.Moves, f.Ply)
}

// tolerated says why a flaw is forgiven, if it is.
func tolerated(f *puzzle.Flaw) string {
	if f.Tolerated == 0 {
		return ""
	}
	return " (tolerated: " + f.Tolerated.String() + ")"
}

var omissionTexts = map[puzzle.Omission]string{
	puzzle.PerpetualRanks:        "wins by perpetual check, but for those in which a mate is soon found after every quiet move of the defender (no table covers the position)",
	puzzle.PerpetualAlternatives: "other moves that win only because of a perpetual check (no table covers the position)",
	puzzle.SameLengthLines:       "some defences of the same length, too many, that may leave nothing in hand",
	puzzle.FutileCounts:          "some lengths without futile interpositions, because of too many lines",
}

var flawTexts = map[puzzle.FlawKind]string{
	puzzle.NoMate:       "there is no mate",
	puzzle.Longer:       "the mate takes longer than claimed, %s",
	puzzle.Shorter:      "the mate is shorter than claimed, %s",
	puzzle.IllegalMove:  "illegal: %s",
	puzzle.WeakAttack:   "the attacker's move gives away time, or the mate; better",
	puzzle.WeakDefence:  "the defence is not the longest; better",
	puzzle.Unfinished:   "the solution ends before the mate; on with",
	puzzle.Cook:         "another mate, %s in all",
	puzzle.HandLeft:     "the attacker is left with %s in hand",
	puzzle.SameLength:   "a defence of the same length leaves the attacker nothing in hand",
	puzzle.Futile:       "a futile interposition, captured at once",
	puzzle.PawnDropMate: "a pawn drop that would mate, and is illegal for that",
	puzzle.MateMissed:   "said not to mate, but it does",
	puzzle.Perpetual:    "wins only because the defender's last resort is a perpetual check, which loses",
}
