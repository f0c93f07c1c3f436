package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/position"
	"gogotb/index"
)

// Limits of a request for many positions.
const (
	maxPositions = 1000
	maxProbeBody = 256 << 10 // bytes
)

// probe answers GET probe: a position's value and those of its moves.
func (s *Server) probe(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "repetition", "first_player", "names")
	if err != nil {
		return nil, err
	}
	p, err := q.position()
	if err != nil {
		return nil, err
	}
	a, err := q.adjudication()
	if err != nil {
		return nil, err
	}
	names, err := q.choice("names", "true", "false")
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	found, err := answer.ProbeOf(s.tables.Within(r.Context()), &p, a)
	if err == nil && names == "true" {
		found.NameInJapanese(&p)
	}
	return found, err
}

// manyRequest is the body of POST probe.
type manyRequest struct {
	Positions   []string `json:"positions"`
	Repetition  string   `json:"repetition"`
	FirstPlayer string   `json:"first_player"`
}

// manyReply answers it, in the order of the positions: each an answer.Probe or an
// answer.Failure.
type manyReply struct {
	Answers []any `json:"answers"`
}

// probeMany answers POST probe. What is wrong with a position is said in its place, and the
// others are answered.
func (s *Server) probeMany(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	var request manyRequest
	if err := readBody(r, &request); err != nil {
		return nil, err
	}
	switch n := len(request.Positions); {
	case n == 0:
		return nil, badRequest("bad-body", `"positions": at least one`)
	case n > maxPositions:
		return nil, &apiError{Status: http.StatusRequestEntityTooLarge, Code: "too-many",
			Message: fmt.Sprintf(`"positions": %d, at most %d`, n, maxPositions)}
	}
	a, err := readAdjudication(request.Repetition, request.FirstPlayer)
	if err != nil {
		return nil, err
	}
	ctx, done, err := s.heavy.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, err
	}
	defer done()
	answers := make([]any, len(request.Positions))
	for i, text := range request.Positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := position.Read(text)
		var found answer.Probe
		if err == nil {
			found, err = answer.ProbeOf(s.tables.Within(ctx), &p, a)
		}
		if answers[i] = found; err != nil {
			s.noteTrouble(r, err)
			wrong := asAPIError(err)
			answers[i] = answer.Failure{SFEN: text, Error: wrong.Message, Refusal: wrong.Refusal}
		}
	}
	s.metrics.positions.Add(float64(len(answers)))
	return manyReply{answers}, nil
}

// readBody reads a JSON object that has no other fields than those of v.
func readBody(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		if err == nil {
			err = errors.New("more follows the object")
		}
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return badRequest("bad-body", "the body is not the JSON object wanted: %s", bodyFault(err))
}

// bodyFault says in words of JSON what is wrong with a body.
func bodyFault(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Sprintf("it is a JSON %s", kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("%q cannot be a JSON %s", kind.Field, kind.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// lineReply is the answer of GET line.
type lineReply struct {
	SFEN     string `json:"sfen"`
	Material string `json:"material"`
	answer.Value
	Line     []string `json:"line"` // best play by both sides, USI
	Western  []string `json:"western"`
	Japanese []string `json:"japanese"`
}

// line answers GET line.
func (s *Server) line(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "repetition", "first_player")
	if err != nil {
		return nil, err
	}
	p, err := q.position()
	if err != nil {
		return nil, err
	}
	a, err := q.adjudication()
	if err != nil {
		return nil, err
	}
	value, err := s.tables.Within(r.Context()).Probe(&p)
	if err != nil {
		return nil, err
	}
	moves, err := s.tables.Within(r.Context()).Line(&p)
	if err != nil {
		return nil, err
	}
	return lineReply{p.SFEN(), index.MaterialOf(&p).String(), answer.ValueOf(&p, value, a), answer.USI(moves),
		answer.Western(p, moves), answer.Japanese(p, moves)}, nil
}
