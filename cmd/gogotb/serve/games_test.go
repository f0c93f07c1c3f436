package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"gogotb/rules"
)

// aGame is a game with a variation and what belongs to it.
const aGame = `手合割：5五将棋
先手：名人
後手：挑戦者
棋戦：町内会
手数----指手---------消費時間--
*初手の前
   1 ４四金(45)   ( 0:05/00:00:05)
*よい手
   2 ２二玉(11)   ( 0:09/00:00:09)+
   3 ３四銀(35)   ( 0:01/00:00:06)
   4 投了

変化：2手
   2 ２二金(21)
`

// told is what there is in a game: a line a position, with its number, that before it, the move, comments and the end.
func told(g recordedGame) string {
	var lines []string
	for i, p := range g.Positions {
		line := fmt.Sprint(i)
		if p.Before != nil {
			line += fmt.Sprintf(" <%d %s %s", *p.Before, p.USI, p.Western)
		}
		if p.Seconds != 0 {
			line += fmt.Sprintf(" %gs", p.Seconds)
		}
		for _, c := range p.Comments {
			line += " {" + c + "}"
		}
		if p.End != nil {
			line += " " + p.End.Code + " " + p.End.Text
		}
		if p.Illegal != "" {
			line += " !" + p.Illegal
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func sendGames(t testing.TB, root, body string, v any) *http.Response {
	t.Helper()
	r, err := http.Post(root+"/api/v1/games", "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	read(t, r, v)
	return r
}

// TestReadGames: one game, in all formats and two encodings.
func TestReadGames(t *testing.T) {
	server := startServer(t, Options{})
	kif := strings.Replace(aGame, "   2 ２二金(21)", "   2 ２二銀(31)\n*受け", 1)
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String(kif)
	if err != nil {
		t.Fatal(err)
	}
	const whole = "0 {初手の前}\n1 <0 4e4d G-44 5s {よい手}\n2 <1 1a2b K-22 9s\n3 <2 3e3d S-34 1s resigns 投了\n4 <1 3a2b S-22 {受け}"
	const moves = "0\n1 <0 4e4d G-44\n2 <1 1a2b K-22\n3 <2 3e3d S-34 resigns "
	for _, c := range []struct{ format, body, want string }{
		{"KIF", kif, whole},
		{"KIF", shiftJIS, whole},
		{"CSA", "V2.2\nN+名人\nN-挑戦者\nPI\n+\n+4544KI\n-1122OU\n+3534GI\n%TORYO\n", moves + "TORYO"},
		{"USI", "position startpos moves 4e4d 1a2b 3e3d resign\n", moves + "resign"},
		{"western moves", "1. G-44 K-22 2. S-34 resign", moves + "resign"},
	} {
		var got gamesReply
		sendGames(t, server.URL, c.body, &got)
		if len(got.Games) != 1 || len(got.Errors) != 0 || got.Format != c.format {
			t.Errorf("%s: %+v", c.format, got)
			continue
		}
		g := got.Games[0]
		if told(g) != c.want || g.Error != nil || len(g.Notes) != 0 {
			t.Errorf("%s:\n%s\nwant\n%s\n%+v", c.format, told(g), c.want, g)
		}
		if named := g.Players == (players{"名人", "挑戦者"}); named != (c.format == "KIF" || c.format == "CSA") {
			t.Errorf("%s: %+v", c.format, g.Players)
		}
		p, err := rules.ParseSFEN(g.Positions[0].SFEN)
		for _, next := range g.Positions[1:4] {
			m, _ := rules.ParseUSI(next.USI)
			p.Make(m)
			if p.SFEN() != next.SFEN || err != nil {
				t.Errorf("%s: %s, want %s", c.format, next.SFEN, p.SFEN())
			}
		}
	}
}

// TestBrokenGames: what is wrong with a game has its line and its code, and costs neither the moves before it nor another
// game.
func TestBrokenGames(t *testing.T) {
	server := startServer(t, Options{})
	var got gamesReply
	sendGames(t, server.URL, "startpos moves 4e4d 1a1b\nxx/yy b\n4k/5/4P/5/K4 b P 1 moves P*1d\n\nstartpos moves 4e4d ?\n", &got)
	if len(got.Games) != 3 || len(got.Errors) != 1 || got.Errors[0].Line != 2 || got.Errors[0].Code != "bad-sfen" {
		t.Fatalf("%+v", got)
	}
	if g := got.Games[1]; g.Line != 3 || told(g) != "0 !P*1d" || g.Error == nil || g.Error.Line != 3 || g.Error.Code != "illegal-move" || g.Error.Rule != "nifu" {
		t.Errorf("%s, %+v", told(g), g.Error)
	}
	if g := got.Games[0]; g.Error == nil || g.Error.Rule != "own-piece" || told(g) != "0\n1 <0 4e4d G-44 !1a1b" {
		t.Errorf("%s, %+v", told(g), g.Error)
	}
	if g := got.Games[2]; g.Error != nil || len(g.Notes) != 1 || g.Notes[0].Line != 5 || g.Positions[1].End.Code != "other" {
		t.Errorf("%+v", g)
	}
	for body, want := range map[string]apiError{
		"":                              {Code: "bad-game", Message: "there is no game in the file"},
		"# nothing\n":                   {Code: "bad-game", Message: "there is no game in the file"},
		"x\n\n":                         {Code: "bad-sfen", Line: 1},
		"[Event \"x\"]\n[Site \"y\"]\n": {Code: "bad-game", Message: "this is a PGN file (the notation of chess programs), which is not read; KIF, CSA, USI and lists of western moves are"},
		"手合割：平手\n1 ７六歩(77)\n":           {Code: "bad-game", Line: 1},
	} {
		var e errorReply
		r := sendGames(t, server.URL, body, &e)
		if r.StatusCode != http.StatusBadRequest || e.Error.Code != want.Code || e.Error.Line != want.Line || !strings.Contains(e.Error.Message, want.Message) {
			t.Errorf("%q: %s %+v", body, r.Status, e.Error)
		}
	}
}

// TestManyGames: how much of a file is read.
func TestManyGames(t *testing.T) {
	server := startServer(t, Options{})
	for body, games := range map[string]int{
		strings.Repeat("startpos\n", maxGames):                                                                   maxGames,
		strings.Repeat("startpos\n", maxGames+1):                                                                 maxGames,
		"startpos moves" + strings.Repeat(" 5e4d 1a2b 4d5e 2b1a", maxGamePositions/4-1):                          1,
		"startpos\nstartpos moves" + strings.Repeat(" 5e4d 1a2b 4d5e 2b1a", maxGamePositions/4) + "\nstartpos\n": 1,
	} {
		var got gamesReply
		sendGames(t, server.URL, body, &got)
		cut := strings.Count(body, "startpos") > games
		if len(got.Games) != games || cut != (len(got.Errors) == 1 && got.Errors[0].Code == "too-many") {
			t.Errorf("%.40q: %d games, %v", body, len(got.Games), got.Errors)
		}
	}
}

// TestWriteKIF: what was read is written, variations and comments too, and read again as it was.
func TestWriteKIF(t *testing.T) {
	server := startServer(t, Options{})
	for _, body := range []string{
		strings.Replace(aGame, "   2 ２二金(21)", "   2 ２二銀(31)\n*受け\n   3 ４三角(25)\n   4 投了\n\n変化：3手\n   3 ３四角(25)\n\n変化：1手\n   1 ３四銀(35)", 1),
		"手合割：5五将棋\n   1 ４四金(45)   ( 0:05/00:00:05)\n   2 投了   ( 0:00/00:00:00)+\n\n変化：2手\n   2 ２二玉(11)\n", // beyond the end
		"4k/5/5/5/K4 w G 7 moves 1a1b\n",
		"startpos ; only words\n",
	} {
		var first, second gamesReply
		sendGames(t, server.URL, body, &first)
		g := first.Games[0]
		var kif kifReply
		post(t, server.URL+"/api/v1/kif", kifRequest{g.Players, g.Headers, g.Positions}, &kif)
		sendGames(t, server.URL, kif.KIF, &second)
		if len(second.Games) != 1 || told(second.Games[0]) != told(g) || second.Games[0].Players != g.Players || len(second.Games[0].Headers) != len(g.Headers) {
			t.Errorf("read\n%s\nwritten\n%s\nread again\n%s", told(g), kif.KIF, told(second.Games[0]))
		}
	}
}

// TestBadTrees: what cannot be written is said with its place.
func TestBadTrees(t *testing.T) {
	server := startServer(t, Options{})
	const start = `{"before":null,"sfen":"4k/5/5/5/K4 b G"}`
	for positions, want := range map[string]string{
		``:                                  "at least one",
		`{"before":0,"sfen":"startpos"}`:    "none before it",
		`{"before":null,"sfen":"nonsense"}`: "SFEN",
		start + `,{"before":null,"sfen":"","usi":"G*1b"}`:                                  "number 1 needs",
		start + `,{"before":1,"sfen":"","usi":"G*1b"}`:                                     "number 1 needs",
		start + `,{"before":-1,"sfen":"","usi":"G*1b"}`:                                    "number 1 needs",
		start + `,{"before":0,"sfen":"","usi":"5e5a"}`:                                     "number 1: illegal move 5e5a",
		start + `,{"before":0,"sfen":"","usi":"G*2c"},{"before":1,"sfen":"","usi":"G*1b"}`: "number 2: illegal move G*1b",
		start + `,{"before":0,"sfen":""}`:                                                  "number 1: ",
		start + `,{"before":0,"sfen":"","usi":"G*2c","end":{"code":"x","text":""}}`:        "no code of an end",
		start + `,{"before":0,"sfen":"","usi":"G*2c","seconds":-1}`:                        "-1 seconds",
		start + `,{"before":0,"sfen":"","usi":"5e4d"},{"before":0,"sfen":"","usi":"5e5a"}`: "number 2: illegal move 5e5a",
		start + `,{"before":0,"sfen":"","usi":"5e4d","strange":1}`:                         "strange",
	} {
		r, err := http.Post(server.URL+"/api/v1/kif", "application/json", strings.NewReader(`{"positions":[`+positions+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		var e errorReply
		read(t, r, &e)
		if r.StatusCode != http.StatusBadRequest || e.Error == nil || !strings.Contains(e.Error.Message, want) {
			t.Errorf("%s: %s %+v, want %q", positions, r.Status, e.Error, want)
		}
	}
}

// TestOneLine: what belongs into a line of a KIF file cannot begin another.
func TestOneLine(t *testing.T) {
	server := startServer(t, Options{})
	var kif kifReply
	post(t, server.URL+"/api/v1/kif", map[string]any{
		"players": players{"a\n後手：x", "b\r\n手合割：平手"}, "headers": []header{{"c\nd", "e\n1 ４四金(45)"}},
		"positions": []map[string]any{{"before": nil, "sfen": "startpos", "comments": []string{"one\r\ntwo\n1 ４四金(45)"}}},
	}, &kif)
	var got gamesReply
	sendGames(t, server.URL, kif.KIF, &got)
	if len(got.Games) != 1 || told(got.Games[0]) != "0 {one} {} {two} {1 ４四金(45)}" || got.Games[0].Players != (players{"a 後手：x", "b 手合割：平手"}) {
		t.Errorf("%s\n%+v", kif.KIF, got)
	}
}

// FuzzReadGames sends anything as a file. What is read is written as KIF and read again as the same moves.
func FuzzReadGames(f *testing.F) {
	handler := New(Options{Tables: testTables(f)}).Handler()
	f.Add([]byte(aGame))
	f.Add([]byte("V2.2\nPI\n+\n+4544KI\n-1122OU\n%TORYO\n"))
	f.Add([]byte("startpos moves 4e4d resign ; x\n"))
	f.Add([]byte("1. G-44 {a\nb} K-22 1/2-1/2"))
	f.Add([]byte("手合割：5五将棋\n   1 ４四金(45)\n   2 投了\n\n変化：2手\n   2 ２二玉(11)\n変化：1手\n   1 投了\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		send := func(path, body string, v any) int {
			r := httptest.NewRequest("POST", "/api/v1/"+path, strings.NewReader(body))
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
				t.Fatalf("%s: %v: %s", path, err, w.Body)
			}
			return w.Code
		}
		var first, second gamesReply
		if status := send("games", string(data), &first); status != http.StatusOK {
			if status != http.StatusBadRequest {
				t.Fatalf("status %d", status)
			}
			return
		}
		moves := func(g recordedGame) (all []string) {
			for _, p := range g.Positions {
				all = append(all, p.USI)
			}
			return all
		}
		for _, g := range first.Games {
			if len(g.Positions) > maxWritten {
				continue
			}
			body, err := json.Marshal(kifRequest{g.Players, nil, g.Positions})
			if err != nil {
				t.Fatal(err)
			}
			var kif kifReply
			if status := send("kif", string(body), &kif); status != http.StatusOK {
				t.Fatalf("status %d for %s", status, body)
			}
			if send("games", kif.KIF, &second); len(second.Games) != 1 {
				t.Fatalf("%d games in\n%s", len(second.Games), kif.KIF)
			}
			a, b := moves(g), moves(second.Games[0])
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Fatalf("%v\nis written as\n%s\nand read as %v", a, kif.KIF, b)
			}
		}
	})
}
