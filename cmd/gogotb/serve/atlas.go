package serve

import (
	"net/http"

	"gogotb/cmd/internal/atlas"
	"gogotb/index"
)

// atlasReply names the sets whose statistics the program brings along.
type atlasReply struct {
	Sets []string `json:"sets"` // in the order of index.Sets
}

// listAtlas answers GET atlas.
func (s *Server) listAtlas(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	a, err := atlas.Embedded()
	if err != nil {
		return nil, err
	}
	reply := atlasReply{Sets: []string{}}
	for _, stats := range a.Sets() {
		reply.Sets = append(reply.Sets, stats.Material)
	}
	return reply, nil
}

// atlasOf answers GET atlas/{material}, the statistics of a set that need not be installed.
func (s *Server) atlasOf(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	m, err := index.ParseMaterial(r.PathValue("material"))
	if err != nil {
		return nil, err
	}
	a, err := atlas.Embedded()
	if err != nil {
		return nil, err
	}
	stats, ok := a.Stats(m)
	if !ok {
		return nil, notFound("no-table", "the atlas does not have %s", m)
	}
	return stats, nil
}
