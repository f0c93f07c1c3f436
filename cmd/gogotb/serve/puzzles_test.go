package serve

import (
	"io"
	"net/http"
	"strings"
	"testing"
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
