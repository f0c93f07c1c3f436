package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/cmd/internal/answer"
)

// reviewLine is a line of the answer to POST review.
type reviewLine struct {
	answer.ReviewedMove
	Summary *answer.ReviewSummary `json:"summary"`
	Error   json.RawMessage       `json:"error"`
}

func startReview(ctx context.Context, t testing.TB, root, query, text string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, root+"/api/v1/review"+query, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r
}

func readReview(t testing.TB, r *http.Response) (lines []reviewLine) {
	t.Helper()
	for d := json.NewDecoder(r.Body); ; {
		var line reviewLine
		switch err := d.Decode(&line); {
		case err == io.EOF:
			return lines
		case err != nil:
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
}

// TestReview: a file of games, one by a table, one by search, one that breaks a rule, one that cannot be read; the tables here have RG.
func TestReview(t *testing.T) {
	server := startServer(t, Options{})
	r := startReview(t.Context(), t, server.URL, "", strings.Join([]string{
		"sfen 4k/5/5/5/K4 b RG 1 moves R*2c 1a1b 2c2d",   // mate in 3, as the README has it
		"sfen 4k/5/4K/5/5 b GS 1 moves S*3c 1a2a resign", // G*1b is mate at once, and after 1a2a G*2b
		"startpos moves 5e5d",
		"K5/5 moves",
	}, "\n"))
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "application/x-ndjson" || r.Header.Get("Cache-Control") != cacheNever {
		t.Errorf("%s, headers %v", r.Status, r.Header)
	}
	var got []string
	for _, l := range readReview(t, r) {
		switch text := fmt.Sprint(l.Game, " "); {
		case l.Summary != nil:
			for _, m := range l.Summary.Remarks {
				text += m.Kind + " "
			}
			got = append(got, text+l.Summary.Result+" "+l.Summary.Rule)
		case l.Error != nil:
			got = append(got, text+"error")
		default:
			got = append(got, fmt.Sprint(text, l.Ply, " ", l.Move, " ", l.Judgement))
		}
	}
	want := []string{
		"1 1 R*2c best", "1 2 1a1b best", "1 3 2c2d longer", "1 ongoing ",
		"2 1 S*3c longer", "2 2 1a2a best", "2 gave-up-won ongoing ",
		"3 1 5e5d illegal", "3 ongoing own-piece", "4 error",
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines:\n%q, want\n%q", got, want)
	}
}

// TestReviewStreams: moves come as they are found, a client that goes ends its review, and one that comes finds the place free.
func TestReviewStreams(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	ctx, leave := context.WithCancel(t.Context())
	r := startReview(ctx, t, server.URL, "?nodes=1000000", "startpos moves "+
		"2e3d 4a3b 3e4d 2a2b 4d5c 5a5c 5d5c 3a4b 4e4d S*2d R*5b 2d1e 5b4b 1e2d S*4c R*1e 5e5d 3b2a 4b4a 2d3c 4a3a+ 1e1c+ 4d4e "+
		"1c1e 3a2b 3c2b 5d5e R*3c G*4d 3c3a 5c5b 3a4a 4c5d 4a4d 5e4d G*3c 4d5c 1e1c R*4c 2a4c 3d4c R*4a B*3d 1c2d 5b5a+ 4a5a 5c4b")
	first, err := bufio.NewReader(r.Body).ReadString('\n') // long before the last
	if err != nil || !strings.Contains(first, `"ply":1,`) {
		t.Fatalf("%q, %v", first, err)
	}
	if running, _ := s.reviews.load(); running != 1 {
		t.Errorf("%d reviews", running)
	}
	leave()
	for _, q := range []*queue{s.reviews, s.searches.queue} { // or else this test does not end
		for running := 1; running > 0; running, _ = q.load() {
			time.Sleep(time.Millisecond)
		}
	}
}

// TestReviewOutlastsLimits: the limits of answers that come at once are not those of a stream.
func TestReviewOutlastsLimits(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.limits.read, s.limits.answer, s.limits.write = 2*time.Second, 2*time.Second, 2*time.Second
	s.searches.queue = newQueue(queueLimits{slots: 1, places: 9, perClient: 9, patience: time.Minute})
	address, _ := runReal(t, s)
	_, leave, err := s.searches.queue.enter(t.Context(), client(1)) // so that the review waits for its turn
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*time.Second, leave)
	lines := readReview(t, startReview(t.Context(), t, "http://"+address, "?nodes=100", "sfen 4k/5/5/P4/KGSBR w - 1 moves 1a2a"))
	if len(lines) != 2 || lines[1].Summary == nil || !lines[1].Summary.Whole {
		t.Errorf("%+v", lines)
	}
}

// TestReviewWaits: a review that has begun waits while its client's other searches have all places, and goes on.
func TestReviewWaits(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.searches.queue = newQueue(queueLimits{slots: 1, places: 9, perClient: 1, patience: time.Minute})
	_, leave, err := s.searches.queue.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.place(t.Context(), client(1), false); status(err) != http.StatusTooManyRequests {
		t.Errorf("at the beginning: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, leave)
	_, leave, err = s.place(t.Context(), client(1), true)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	isEmpty(t, s.searches.queue)
}
