package storage

import (
	"encoding/binary"
	"slices"

	"gogotb/rules"
)

// maxNumbers bounds the lists of the statistics: no value has more plies, or a higher
// rank, than rules.MaxNumber.
const maxNumbers = 1 << 12

// encodeStatistics writes the statistics as FORMAT.md defines them: fourteen numbers of
// eight bytes, then three lists, each its length in four bytes and its counts in eight.
func encodeStatistics(s *rules.Stats) []byte {
	var b []byte
	for _, v := range statisticsNumbers(s) {
		b = binary.LittleEndian.AppendUint64(b, *v)
	}
	for _, v := range [...]int{s.MaxWin, s.MaxLoss} {
		b = binary.LittleEndian.AppendUint64(b, uint64(int64(v)))
	}
	for _, list := range statisticsLists(s) {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(*list)))
		for _, v := range *list {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return b
}

// decodeStatistics returns the reverse; false if the bytes are no statistics.
func decodeStatistics(b []byte) (rules.Stats, bool) {
	var s rules.Stats
	numbers := statisticsNumbers(&s)
	if len(b) < 8*(len(numbers)+2) {
		return s, false
	}
	next := func() uint64 {
		v := binary.LittleEndian.Uint64(b)
		b = b[8:]
		return v
	}
	for _, v := range numbers {
		*v = next()
	}
	s.MaxWin, s.MaxLoss = int(int64(next())), int(int64(next()))
	for _, list := range statisticsLists(&s) {
		if len(b) < 4 {
			return s, false
		}
		n := int(binary.LittleEndian.Uint32(b))
		b = b[4:]
		if n > maxNumbers || len(b) < 8*n {
			return s, false
		}
		for range n {
			*list = append(*list, next())
		}
	}
	return s, len(b) == 0
}

func statisticsNumbers(s *rules.Stats) []*uint64 {
	return []*uint64{
		&s.Legal, &s.MateWins, &s.MateLosses, &s.PerpetualWins, &s.PerpetualLosses, &s.Open,
		&s.LongestWin, &s.LongestLoss, &s.MutualZugzwangs, &s.MutualChecks, &s.Checkmates, &s.Stalemates,
	}
}

func statisticsLists(s *rules.Stats) []*[]uint64 {
	return []*[]uint64{&s.Histogram, &s.RankWins, &s.RankLosses}
}

// cloneStatistics keeps what a table holds apart from what callers are given.
func cloneStatistics(s rules.Stats) rules.Stats {
	for _, list := range statisticsLists(&s) {
		*list = slices.Clone(*list)
	}
	return s
}
