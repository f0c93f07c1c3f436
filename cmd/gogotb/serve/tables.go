package serve

import (
	"net/http"
	"sync"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
)

// tableReply describes the tables of a set.
type tableReply struct {
	Material      string `json:"material"`
	Legal         uint64 `json:"legal"`
	MaxWin        int    `json:"max_win"`
	MaxLoss       int    `json:"max_loss"`
	OutcomeBytes  int64  `json:"outcome_bytes"`
	DistanceBytes int64  `json:"distance_bytes"` // 0: not installed
}

type tablesReply struct {
	Tables  []tableReply   `json:"tables"`  // in the order of index.Sets
	Damaged []damagedReply `json:"damaged"` // files found to be damaged, whether others have taken their place or not
}

// damagedReply is a file that is damaged.
type damagedReply struct {
	Material string `json:"material"`
	Table    string `json:"table"` // outcomes or distances
}

// damaged returns the files known to be damaged, those that a request has come upon among them.
func (s *Server) damaged() []damagedReply {
	list := []damagedReply{}
	for _, f := range s.tables.Damaged() {
		list = append(list, damagedReply{f.Material.String(), f.Kind.String()})
	}
	return list
}

// listing keeps the list of tables for a while, since making it looks at every file.
type listing struct {
	mu    sync.Mutex
	until time.Time
	reply tablesReply
	err   error
}

// listingAge is how long new tables may go unnoticed.
const listingAge = 5 * time.Second

// listTables answers GET tables: the sets that can be probed. Files that cannot be used are left
// out, and named in the log.
func (s *Server) listTables(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	reply, err := s.knownTables()
	reply.Damaged = s.damaged()
	return reply, err
}

func (s *Server) knownTables() (tablesReply, error) {
	l := &s.listing
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.After(l.until) {
		l.reply, l.err = s.lookForTables()
		l.until = now.Add(listingAge)
	}
	return l.reply, l.err
}

func (s *Server) lookForTables() (tablesReply, error) {
	reply := tablesReply{Tables: []tableReply{}}
	files, err := s.tables.Glance()
	if err != nil {
		s.log.Warn("a folder of tables cannot be read", "error", err)
	}
	for _, f := range files {
		if f.Err != nil {
			s.log.Warn("a table cannot be used", "file", f.Path, "error", f.Err)
		}
	}
	for _, set := range s.tables.SetsOf(files) {
		stats := set.Stats()
		t := tableReply{Material: set.Index().Material().String(), Legal: stats.Legal, MaxWin: stats.MaxWin, MaxLoss: stats.MaxLoss}
		t.OutcomeBytes, t.DistanceBytes = set.Bytes()
		reply.Tables = append(reply.Tables, t)
	}
	return reply, nil
}

// stats answers GET stats/{material}.
func (s *Server) stats(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	m, err := index.ParseMaterial(r.PathValue("material"))
	if err != nil {
		return nil, err
	}
	set, err := s.tables.Within(r.Context()).Set(m)
	if err != nil {
		return nil, err
	}
	return answer.StatsOf(set)
}
