package rules

// Stats are the statistics of a solved material set. Counts are of legal positions with Sente to move, mirror
// images counted, identical pieces not told apart. The tags are the names that the commands give them in JSON, for
// those who read it back; there the longest mates are SFEN.
type Stats struct {
	Legal           uint64   `json:"legal"`
	MateWins        uint64   `json:"mate_wins"`
	MateLosses      uint64   `json:"mate_losses"`
	PerpetualWins   uint64   `json:"perpetual_wins"`
	PerpetualLosses uint64   `json:"perpetual_losses"`
	Open            uint64   `json:"open"`
	MaxWin          int      `json:"max_win"`     // plies of the longest mate for the side to move, -1 if there is none
	MaxLoss         int      `json:"max_loss"`    // plies of the longest mate against the side to move, -1 if there is none
	Histogram       []uint64 `json:"histogram"`   // [n]: positions with a mate in n plies
	RankWins        []uint64 `json:"rank_wins"`   // [i]: wins by perpetual check of rank i+1
	RankLosses      []uint64 `json:"rank_losses"` // [i]: losses by perpetual check of rank i+1
	LongestWin      uint64   `json:"-"`           // perfect index of the first position with MaxWin
	LongestLoss     uint64   `json:"-"`           // perfect index of the first position with MaxLoss
	// MutualZugzwangs counts positions in which the side to move is not in check and loses, as the other side would if
	// it were to move instead.
	MutualZugzwangs uint64 `json:"mutual_zugzwangs"`
	// MutualChecks counts positions in which both sides can give check for ever. Their values would need another
	// rule, so that tables exist only where there are none.
	MutualChecks uint64 `json:"mutual_checks"`
	Checkmates   uint64 `json:"checkmates"` // no legal move, in check
	Stalemates   uint64 `json:"stalemates"` // no legal move, not in check
}
