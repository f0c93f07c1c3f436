package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// TestValues asks for the fixtures' positions, a thousand at a time.
func TestValues(t *testing.T) {
	server := startServer(t, Options{})
	for _, set := range []string{"none", "R", "G", "P", "RB", "GP"} {
		var sfens []string
		list := fixtures(t, set)
		for _, f := range list {
			sfens = append(sfens, f.sfen)
		}
		var answers struct{ Answers []answer.Probe }
		for part := range slices.Chunk(sfens, maxPositions) {
			var some struct{ Answers []answer.Probe }
			if r := post(t, server.URL+"/api/v1/probe", manyRequest{Positions: part}, &some); r.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s", set, r.Status)
			}
			answers.Answers = append(answers.Answers, some.Answers...)
		}
		for i, f := range list {
			got := answers.Answers[i]
			number := got.DTM
			if f.by == answer.ByPerpetual {
				number = got.Rank
			}
			if got.Category != f.category || got.By != f.by || (f.n == nil) != (number == nil) || f.n != nil && *f.n != *number {
				t.Errorf("%s: %+v, want %s by %s", f.sfen, got.Value, f.category, f.by)
			}
		}
	}
}

func TestRepetitionRule(t *testing.T) {
	server := startServer(t, Options{})
	for parameters, want := range map[string]string{
		"": "draw", "&repetition=draw": "draw", "&repetition=first-player-loses": "loss", "&repetition=first-player-loses&first_player=w": "win",
	} {
		var got answer.Probe
		ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_-"+parameters, &got)
		if got.Category != want || got.By != answer.ByRepetition {
			t.Errorf("%s: %+v, want %s", parameters, got.Value, want)
		}
	}
}

// TestManyPositions: answers in order, and what is wrong is said in its place.
func TestManyPositions(t *testing.T) {
	server := startServer(t, Options{})
	var got struct{ Answers []json.RawMessage }
	post(t, server.URL+"/api/v1/probe", manyRequest{Positions: []string{"4k/5/5/5/K4 b RG 1", "x", "4k/5/5/5/K4 b GS 1", "4k/5/5/5/K4 w R 1"}}, &got)
	if len(got.Answers) != 4 {
		t.Fatalf("%d answers", len(got.Answers))
	}
	for i, want := range []string{`"dtm":3`, `{"sfen":"x","error":"SFEN: `, `"error":"no table of outcomes for GS here`, `"sfen":"4k/5/5/5/K4 w R 1"`} {
		if !strings.Contains(string(got.Answers[i]), want) {
			t.Errorf("answer %d: %.200s, want %s", i, got.Answers[i], want)
		}
	}
	for body, want := range map[string]struct {
		status int
		say    string
	}{
		``: {400, "it is empty"}, `[]`: {400, "it is a JSON array"}, `{`: {400, "ends too early"}, `{"positions":["x"]} {}`: {400, "more follows"},
		`{"position":["x"]}`: {400, `unknown field "position"`}, `{"positions":"x"}`: {400, `"positions" cannot be a JSON string`},
		`{"positions":[1]}`: {400, "cannot be a JSON number"}, `{"positions":[]}`: {400, "at least one"}, `nonsense`: {400, "invalid character"},
		`{"positions":["x"],"repetition":"inventor"}`:           {400, "inventor"},
		`{"positions":[` + strings.Repeat(`"",`, 1000) + `""]}`: {413, "1001"},
		strings.Repeat(" ", maxProbeBody+1):                     {413, "bytes"},
	} {
		r, err := http.Post(server.URL+"/api/v1/probe", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var e errorReply
		read(t, r, &e)
		if r.StatusCode != want.status || e.Error == nil || !strings.Contains(e.Error.Message, want.say) {
			t.Errorf("%.40q: %s %+v, want %+v", body, r.Status, e.Error, want)
		}
	}
}

// TestLine plays the line: it ends the game after as many plies as the value says.
func TestLine(t *testing.T) {
	server := startServer(t, Options{})
	var got lineReply
	ask(t, server.URL, "line?sfen=4k/5/2G2/4p/K4_b_-", &got)
	p, err := rules.ParseSFEN("4k/5/2G2/4p/K4 b - 1")
	if err != nil {
		t.Fatal(err)
	}
	if got.DTM == nil || len(got.Line) != *got.DTM || len(got.Western) != *got.DTM {
		t.Fatalf("%+v", got)
	}
	for i, text := range got.Line {
		m, err := p.ParseWestern(got.Western[i])
		if err != nil || m.USI() != text {
			t.Fatalf("move %d: %s is %v, %v", i, got.Western[i], m, err)
		}
		p.Make(m)
	}
	if p.HasMove() {
		t.Errorf("the line ends in %v", p)
	}
}
