package serve

import (
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gogotb/verify"
)

// TestReadPuzzles: a visitor's file, what is wrong with it by line, and how much of it is read.
func TestReadPuzzles(t *testing.T) {
	server := startServer(t, Options{})
	send := func(body string, v any) *http.Response {
		t.Helper()
		r, err := http.Post(server.URL+"/api/v1/puzzles", "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		read(t, r, v)
		return r
	}
	var got puzzlesReply
	send("4k/5/5/5/K4 b RG 1\n4k/5/5/5/K4 b RG 1 moves R*3b 1a2a ; plies 3; named\nnonsense\n4k/2R2/5/5/K4 w G 1 ; plies 2\n", &got)
	if len(got.Puzzles) != 2 || *got.Puzzles[0].Plies != 3 || got.Puzzles[1].Name != "named" || len(got.Puzzles[1].Moves) != 2 {
		t.Errorf("%+v", got)
	}
	if len(got.Errors) != 2 || !strings.HasPrefix(got.Errors[0], "line 3: SFEN: board") || !strings.HasPrefix(got.Errors[1], "line 4: the side to move is mated") {
		t.Errorf("%q", got.Errors)
	}
	if len(got.Notes) != 0 {
		t.Errorf("%q", got.Notes)
	}
	got = puzzlesReply{}
	send("後手の持駒：なし\n| ・ ・v銀v金v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ 飛 金|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 玉|\n先手の持駒：飛\n盤面回転\n1 １二金(13)\n", &got)
	if len(got.Puzzles) != 1 || len(got.Errors) != 0 || len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "line 8: ") {
		t.Errorf("a line that is passed over: %+v", got)
	}
	var e errorReply
	if r := send("", &e); r.StatusCode != http.StatusBadRequest || !strings.Contains(e.Error.Message, "it is empty") {
		t.Errorf("nothing: %s %+v", r.Status, e.Error)
	}
	const good = "4k/5/5/5/K4 b RG 1\n"
	got = puzzlesReply{}
	send(strings.Repeat("x\n", maxPuzzles-1)+good+good, &got)
	if len(got.Puzzles) != 1 || len(got.Errors) != maxComplaints {
		t.Errorf("%d puzzles, %q", len(got.Puzzles), got.Errors)
	}
	got = puzzlesReply{}
	send(strings.Repeat(good, maxPuzzles+1), &got)
	if len(got.Puzzles) != maxPuzzles || len(got.Errors) != 1 {
		t.Errorf("%d puzzles, %q", len(got.Puzzles), got.Errors)
	}
}

// TestPuzzlesOfAFile: a puzzle that is broken does not keep the server from starting, and the log says where it is.
func TestPuzzlesOfAFile(t *testing.T) {
	log, lines := logTo(t)
	server := startServer(t, Options{Puzzles: []byte("4k/5/5/5/K4 b RG 1\nnonsense\n"), PuzzlesName: "two.sfen", Log: log})
	r := ask(t, server.URL, "puzzles", nil)
	io.Copy(io.Discard, r.Body)
	if got := lines(); r.StatusCode != http.StatusOK || !strings.Contains(got, `"file":"two.sfen"`) || !strings.Contains(got, "line 2: SFEN") {
		t.Errorf("%s, and the log says %s", r.Status, got)
	}
}

// TestCollections: the collections that were asked for, and of them the puzzles of a grade and of lengths. Without a
// word it is the first collection, as it was when there was one.
func TestCollections(t *testing.T) {
	const (
		three = "4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*4a ; plies 3 ; grade easy ; last 5/4k/5/5/K4 w RG 1 moves 1b1a\n"
		five  = "4k/5/5/5/K4 b RG 1 ; plies 5 ; grade hard\n"
		open  = "4k/5/5/5/4K b - 1\n"
	)
	server := startServer(t, Options{PuzzlesName: "gogotb", Collections: []verify.Collection{
		{Name: "tables", Puzzles: []byte(three + five)}, {Name: "games", Puzzles: []byte(five + open + three)},
	}})
	for query, want := range map[string][]string{
		"":                                       {"tables easy 3", "tables hard 5"},
		"collection=tables":                      {"tables easy 3", "tables hard 5"},
		"collection=games":                       {"games hard 5", "games - -", "games easy 3"},
		"collection=all":                         {"tables easy 3", "tables hard 5", "games hard 5", "games - -", "games easy 3"},
		"collection=all&grade=hard":              {"tables hard 5", "games hard 5"},
		"collection=games&grade=medium":          nil,
		"collection=games&min_plies=3":           {"games hard 5", "games easy 3"},
		"collection=games&min_plies=4":           {"games hard 5"},
		"collection=games&max_plies=4":           {"games easy 3"},
		"collection=all&min_plies=5&max_plies=5": {"tables hard 5", "games hard 5"},
	} {
		var got puzzlesReply
		ask(t, server.URL, "puzzles?"+query, &got)
		var puzzles []string
		for _, p := range got.Puzzles {
			grade, plies := "-", "-"
			if p.Grade != nil {
				grade = *p.Grade
			}
			if p.Plies != nil {
				plies = strconv.Itoa(*p.Plies)
			}
			puzzles = append(puzzles, p.Collection+" "+grade+" "+plies)
			if last := (lastReply{"5/4k/5/5/K4 w RG 1", "1b1a"}); (p.Last != nil) != (grade == "easy") || p.Last != nil && *p.Last != last {
				t.Errorf("%s: last %+v", query, p.Last)
			}
		}
		if !slices.Equal(puzzles, want) || got.Name != "gogotb" {
			t.Errorf("%s: %q of %s, want %q", query, puzzles, got.Name, want)
		}
		collections := []collectionReply{
			{"tables", 2, map[string]int{"easy": 1, "hard": 1}, []int{0, 0, 0, 1, 0, 1}},
			{"games", 3, map[string]int{"easy": 1, "hard": 1}, []int{0, 0, 0, 1, 0, 1}},
		}
		if !reflect.DeepEqual(got.Collections, collections) {
			t.Errorf("%s: %+v", query, got.Collections)
		}
	}
}

// TestShippedCollections: the program brings along 200 puzzles from tables, and those from games beside them.
func TestShippedCollections(t *testing.T) {
	server := startServer(t, Options{PuzzlesName: "gogotb", Collections: verify.Collections})
	var got puzzlesReply
	ask(t, server.URL, "puzzles", &got)
	if len(got.Puzzles) != 200 || len(got.Errors) != 0 || len(got.Notes) != 0 || len(got.Collections) != 2 {
		t.Errorf("%d puzzles, %q %q %+v", len(got.Puzzles), got.Errors, got.Notes, got.Collections)
	}
	got = puzzlesReply{}
	ask(t, server.URL, "puzzles?collection=games", &got)
	if c := got.Collections[1]; c.Name != "games" || c.Count != len(got.Puzzles) || len(got.Errors) != 0 || len(got.Notes) != 0 {
		t.Errorf("%d puzzles, %q %q %+v", len(got.Puzzles), got.Errors, got.Notes, c)
	}
	for _, p := range got.Puzzles {
		if p.Grade == nil || p.Last == nil || p.Plies == nil || *p.Plies != len(p.Moves) {
			t.Errorf("%+v", p)
		}
	}
}
