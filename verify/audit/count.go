package audit

import (
	"fmt"

	"gogotb/rules"
)

// tally counts values as rules.Stats defines the counts.
type tally struct{ rules.Stats }

func emptyStats() rules.Stats { return rules.Stats{MaxWin: -1, MaxLoss: -1} }

func newTally() tally { return tally{emptyStats()} }

// add counts the value of a position, which stands for so many; check tells whether a
// position lost at once is in check. Indices ascend.
func (t *tally) add(v rules.Value, check bool, i, weight uint64) {
	n := v.Number()
	t.Legal += weight
	switch v.Outcome() {
	case rules.Open:
		t.Open += weight
	case rules.MateWin:
		t.MateWins += weight
		count(&t.Histogram, n, weight)
		longest(&t.MaxWin, &t.LongestWin, n, i)
	case rules.MateLoss:
		t.MateLosses += weight
		count(&t.Histogram, n, weight)
		longest(&t.MaxLoss, &t.LongestLoss, n, i)
		if n == 0 && check {
			t.Checkmates += weight
		} else if n == 0 {
			t.Stalemates += weight
		}
	case rules.PerpetualWin:
		t.PerpetualWins += weight
		count(&t.RankWins, n-1, weight)
	case rules.PerpetualLoss:
		t.PerpetualLosses += weight
		count(&t.RankLosses, n-1, weight)
	}
}

// count adds weight to list[n]. A number below the list is a wrong value, found elsewhere.
func count(list *[]uint64, n int, weight uint64) {
	if n < 0 {
		return
	}
	for len(*list) <= n {
		*list = append(*list, 0)
	}
	(*list)[n] += weight
}

// longest keeps the greatest number, and the lowest index that has it.
func longest(number *int, at *uint64, n int, i uint64) {
	if n > *number || n == *number && i < *at {
		*number, *at = n, i
	}
}

// moveTo adds the tally to a sum and empties it.
func (t *tally) moveTo(sum *rules.Stats) {
	for n, c := range numbers(&t.Stats) {
		*numbers(sum)[n].count += *c.count
	}
	for n, l := range lists(&t.Stats) {
		for i, weight := range *l.counts {
			count(lists(sum)[n].counts, i, weight)
		}
	}
	longest(&sum.MaxWin, &sum.LongestWin, t.MaxWin, t.LongestWin)
	longest(&sum.MaxLoss, &sum.LongestLoss, t.MaxLoss, t.LongestLoss)
	*t = newTally()
}

type namedCount struct {
	name  string
	count *uint64
}

type namedCounts struct {
	name   string
	first  int // number of the first count
	counts *[]uint64
}

// numbers returns the counts in statistics, named as in their JSON.
func numbers(s *rules.Stats) []namedCount {
	return []namedCount{
		{"legal", &s.Legal}, {"mate_wins", &s.MateWins}, {"mate_losses", &s.MateLosses},
		{"perpetual_wins", &s.PerpetualWins}, {"perpetual_losses", &s.PerpetualLosses}, {"open", &s.Open},
		{"mutual_zugzwangs", &s.MutualZugzwangs}, {"mutual_checks", &s.MutualChecks},
		{"checkmates", &s.Checkmates}, {"stalemates", &s.Stalemates},
	}
}

// lists returns the lists of counts.
func lists(s *rules.Stats) []namedCounts {
	return []namedCounts{
		{"histogram", 0, &s.Histogram}, {"rank_wins", 1, &s.RankWins}, {"rank_losses", 1, &s.RankLosses},
	}
}

// Miscount is a number in the statistics of a table that is not what its values add up to.
type Miscount struct {
	Name            string // as in the JSON of the statistics; "histogram 7" for an entry of a list
	Found, Expected int64
}

func (m *Miscount) Error() string {
	return fmt.Sprintf("statistics: %s is %d, expected %d", m.Name, m.Found, m.Expected)
}

// miscounts compares statistics with what was counted.
func miscounts(found, counted *rules.Stats) []Miscount {
	var list []Miscount
	compare := func(name string, found, expected int64) {
		if found != expected {
			list = append(list, Miscount{name, found, expected})
		}
	}
	for n, c := range numbers(counted) {
		compare(c.name, int64(*numbers(found)[n].count), int64(*c.count))
	}
	compare("max_win", int64(found.MaxWin), int64(counted.MaxWin))
	compare("max_loss", int64(found.MaxLoss), int64(counted.MaxLoss))
	if counted.MaxWin >= 0 {
		compare("longest_win", int64(found.LongestWin), int64(counted.LongestWin))
	}
	if counted.MaxLoss >= 0 {
		compare("longest_loss", int64(found.LongestLoss), int64(counted.LongestLoss))
	}
	for n, l := range lists(counted) {
		other := *lists(found)[n].counts
		compare(l.name+" length", int64(len(other)), int64(len(*l.counts)))
		for i := range min(len(other), len(*l.counts)) {
			compare(fmt.Sprintf("%s %d", l.name, l.first+i), int64(other[i]), int64((*l.counts)[i]))
		}
	}
	return list
}

// disagreements returns the statistics that contradict others.
func disagreements(s *rules.Stats) []Miscount {
	var list []Miscount
	compare := func(name string, found, expected uint64) {
		if found != expected {
			list = append(list, Miscount{name, int64(found), int64(expected)})
		}
	}
	sum := func(counts []uint64) (n uint64) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	compare("legal", s.Legal, s.MateWins+s.MateLosses+s.PerpetualWins+s.PerpetualLosses+s.Open)
	compare("perpetual_wins", s.PerpetualWins, sum(s.RankWins))
	compare("perpetual_losses", s.PerpetualLosses, sum(s.RankLosses))
	compare("mutual_checks", s.MutualChecks, 0)
	wins, losses := uint64(0), uint64(0)
	maxWin, maxLoss := -1, -1
	for n, c := range s.Histogram {
		switch {
		case c == 0:
		case n%2 == 0:
			losses, maxLoss = losses+c, n
		default:
			wins, maxWin = wins+c, n
		}
	}
	compare("mate_wins", s.MateWins, wins)
	compare("mate_losses", s.MateLosses, losses)
	if s.MaxWin != maxWin {
		list = append(list, Miscount{"max_win", int64(s.MaxWin), int64(maxWin)})
	}
	if s.MaxLoss != maxLoss {
		list = append(list, Miscount{"max_loss", int64(s.MaxLoss), int64(maxLoss)})
	}
	if len(s.Histogram) > 0 {
		compare("histogram 0", s.Histogram[0], s.Checkmates+s.Stalemates)
	}
	return list
}
