package answer

import (
	"gogotb/index"
	"gogotb/storage"
)

// Stats are the statistics of a material set, with the sizes of its files.
type Stats struct {
	Material        string   `json:"material"`
	IndexSize       uint64   `json:"index_size"`
	Legal           uint64   `json:"legal"`
	MateWins        uint64   `json:"mate_wins"`
	MateLosses      uint64   `json:"mate_losses"`
	PerpetualWins   uint64   `json:"perpetual_wins"`
	PerpetualLosses uint64   `json:"perpetual_losses"`
	Open            uint64   `json:"open"`
	MaxWin          int      `json:"max_win"`
	MaxLoss         int      `json:"max_loss"`
	Histogram       []uint64 `json:"histogram"`
	RankWins        []uint64 `json:"rank_wins"`
	RankLosses      []uint64 `json:"rank_losses"`
	LongestWin      *string  `json:"longest_win"`
	LongestLoss     *string  `json:"longest_loss"`
	MutualZugzwangs uint64   `json:"mutual_zugzwangs"`
	MutualChecks    uint64   `json:"mutual_checks"`
	OutcomeBytes    int64    `json:"outcome_bytes"`
	DistanceBytes   int64    `json:"distance_bytes"`
	Checkmates      uint64   `json:"checkmates"`
	Stalemates      uint64   `json:"stalemates"`
}

// StatsOf returns the statistics kept in the tables of a set.
func StatsOf(s *storage.Set) (Stats, error) {
	stats := s.Stats()
	r := Stats{
		Material:        s.Index().Material().String(),
		IndexSize:       s.Index().Size(),
		Legal:           stats.Legal,
		MateWins:        stats.MateWins,
		MateLosses:      stats.MateLosses,
		PerpetualWins:   stats.PerpetualWins,
		PerpetualLosses: stats.PerpetualLosses,
		Open:            stats.Open,
		MaxWin:          stats.MaxWin,
		MaxLoss:         stats.MaxLoss,
		Histogram:       list(stats.Histogram),
		RankWins:        list(stats.RankWins),
		RankLosses:      list(stats.RankLosses),
		MutualZugzwangs: stats.MutualZugzwangs,
		MutualChecks:    stats.MutualChecks,
		Checkmates:      stats.Checkmates,
		Stalemates:      stats.Stalemates,
	}
	r.OutcomeBytes, r.DistanceBytes = s.Bytes()
	var err error
	if r.LongestWin, err = longest(s.Index(), stats.MaxWin, stats.LongestWin); err != nil {
		return r, err
	}
	r.LongestLoss, err = longest(s.Index(), stats.MaxLoss, stats.LongestLoss)
	return r, err
}

// list makes an empty list one that JSON shows as [].
func list(counts []uint64) []uint64 {
	if counts == nil {
		return []uint64{}
	}
	return counts
}

// longest returns the position of a longest mate, nil if there is no mate.
func longest(x *index.Index, plies int, i uint64) (*string, error) {
	if plies < 0 {
		return nil, nil
	}
	p, err := x.Decode(i)
	if err != nil {
		return nil, err
	}
	sfen := p.SFEN()
	return &sfen, nil
}
