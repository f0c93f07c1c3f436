package atlas

import (
	"bytes"
	"fmt"

	"github.com/dustin/go-humanize"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
)

const heading = `# The material sets of minishogi

All positions with the kings and the pieces named, in every distribution: on the board or in hand, of either side, promoted or not. Positions are
counted with Sente to move, mirror images too. Made by ` + "`make atlas`" + ` from the tables; stats.jsonl has more, and the page shows it.

- **won**, **lost**: the side to move mates, or is mated. **perpetual**: wins and losses by perpetual check, which the loser can
  avoid only by being mated. **open**: neither side can force a win.
- **longest mate**: in plies; the side to move mates if that is odd, and is mated if it is even.
- **rank**: the highest of a win or loss by perpetual check.
- **zugzwangs**: mutual ones, positions that are won for whoever is not to move.

`

// Markdown returns the atlas as a document for people.
func (a *Atlas) Markdown() []byte {
	var b bytes.Buffer
	b.WriteString(heading)
	fmt.Fprintf(&b, "%d of the %d sets of up to four pieces are here.\n\n", len(a.sets), len(index.Sets(4)))
	b.WriteString("| set | legal positions | won | lost | perpetual | open | longest mate | rank | zugzwangs | a position with the longest mate |\n")
	b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	bothCheck := 0
	for _, s := range a.sets {
		plies, sfen := s.MaxWin, s.LongestWin
		if s.MaxLoss > s.MaxWin {
			plies, sfen = s.MaxLoss, s.LongestLoss
		}
		longest, position := "–", ""
		if sfen != nil {
			longest, position = fmt.Sprint(plies), "`"+*sfen+"`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %d | %s | %s |\n", s.Material, humanize.Comma(int64(s.Legal)),
			share(s.MateWins, s), share(s.MateLosses, s), share(s.PerpetualWins+s.PerpetualLosses, s), share(s.Open, s),
			longest, max(len(s.RankWins), len(s.RankLosses)), humanize.Comma(int64(s.MutualZugzwangs)), position)
		if s.MutualChecks > 0 {
			bothCheck++
			fmt.Fprintf(&b, "\n%s has %s positions in which both sides could check for ever.\n\n", s.Material, humanize.Comma(int64(s.MutualChecks)))
		}
	}
	if bothCheck == 0 {
		b.WriteString("\nIn none of these sets is there a position in which both sides could check for ever.\n")
	}
	return b.Bytes()
}

// share writes a number of positions of a set as a percentage, or how many there are if these are few.
func share(n uint64, s answer.Stats) string {
	percent := 100 * float64(n) / float64(s.Legal)
	if n > 0 && percent < 0.01 {
		return humanize.Comma(int64(n)) + " in all"
	}
	return fmt.Sprintf("%.2f %%", percent)
}
