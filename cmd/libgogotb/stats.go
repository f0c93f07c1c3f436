package main

// #include "gogotb.h"
import "C"

import (
	"gogotb/cmd/internal/answer"
	"gogotb/storage"
)

//export libgogotb_get_stats
func libgogotb_get_stats(tables C.gogotb_tables, material *C.char, stats *C.gogotb_stats) C.int {
	return withSet(tables, material, func(set *storage.Set) error {
		if stats == nil {
			return errNull
		}
		s, err := answer.StatsOf(set)
		if err != nil {
			return err
		}
		*stats = C.gogotb_stats{
			index_size:       C.uint64_t(s.IndexSize),
			legal:            C.uint64_t(s.Legal),
			mate_wins:        C.uint64_t(s.MateWins),
			mate_losses:      C.uint64_t(s.MateLosses),
			perpetual_wins:   C.uint64_t(s.PerpetualWins),
			perpetual_losses: C.uint64_t(s.PerpetualLosses),
			open:             C.uint64_t(s.Open),
			checkmates:       C.uint64_t(s.Checkmates),
			stalemates:       C.uint64_t(s.Stalemates),
			mutual_zugzwangs: C.uint64_t(s.MutualZugzwangs),
			mutual_checks:    C.uint64_t(s.MutualChecks),
			outcome_bytes:    C.uint64_t(s.OutcomeBytes),
			distance_bytes:   C.uint64_t(s.DistanceBytes),
			max_win:          C.int32_t(s.MaxWin),
			max_loss:         C.int32_t(s.MaxLoss),
		}
		if s.LongestWin != nil {
			setText(stats.longest_win[:], *s.LongestWin)
		}
		if s.LongestLoss != nil {
			setText(stats.longest_loss[:], *s.LongestLoss)
		}
		return nil
	})
}

//export libgogotb_get_counts
func libgogotb_get_counts(tables C.gogotb_tables, material *C.char, which C.int, counts *C.uint64_t, room C.size_t,
	count *C.size_t) C.int {
	return withSet(tables, material, func(set *storage.Set) error {
		if noList(counts, room, count) {
			return errNull
		}
		s := set.Stats()
		var found []uint64
		switch which {
		case C.GOGOTB_HISTOGRAM:
			found = s.Histogram
		case C.GOGOTB_RANK_WINS:
			found = s.RankWins
		case C.GOGOTB_RANK_LOSSES:
			found = s.RankLosses
		default:
			return argumentError("no such counts")
		}
		list := make([]C.uint64_t, len(found))
		for i, n := range found {
			list[i] = C.uint64_t(n)
		}
		return writeList(list, counts, room, count)
	})
}
