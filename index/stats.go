package index

// Stats are the statistics of a solved material set. Counts are of legal positions
// with Sente to move, mirror images counted, identical pieces not told apart.
type Stats struct {
	Legal           uint64
	MateWins        uint64
	MateLosses      uint64
	PerpetualWins   uint64
	PerpetualLosses uint64
	Open            uint64
	MaxWin          int      // plies of the longest mate for the side to move, -1 if there is none
	MaxLoss         int      // plies of the longest mate against the side to move, -1 if there is none
	Histogram       []uint64 // [n]: positions with "mate n"
	RankWins        []uint64 // [i]: perpetual wins of rank i+1
	RankLosses      []uint64 // [i]: perpetual losses of rank i+1
	LongestWin      uint64   // perfect index of the first position with MaxWin
	LongestLoss     uint64   // perfect index of the first position with MaxLoss
	MutualZugzwangs uint64   // not in check, lost, and lost for the other side if it were to move
	MutualChecks    uint64   // positions in which both sides can give check for ever; tables exist only where there are none
	Checkmates      uint64   // "mate 0" in check
	Stalemates      uint64   // "mate 0" not in check
}
