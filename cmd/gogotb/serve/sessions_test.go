package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// longSearch is a search that nobody sees the end of.
const longSearch = "/api/v1/solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&timeout=30s"

// behindProxy is what a server believes whose proxy is on this machine.
const behindProxy = "127.0.0.0/8"

// oneSearch is a server that searches for one client at a time.
// While others wait, a search that would take half a minute has a part of longest.
func oneSearch(t *testing.T, longest time.Duration, proxies ...string) (s *Server, root string, log func() string) {
	t.Helper()
	logger, log := logTo(t)
	s = New(Options{Tables: testTables(t), Proxies: trust(t, proxies...), Log: logger})
	s.searches.queue.slots = 1
	s.searches.queue.longest = longest
	address, _ := runReal(t, s)
	return s, "http://" + address, log
}

// asClient sends a request as the proxy does, for a client of its own.
func asClient(ctx context.Context, client, address string) (status int, body string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("X-Forwarded-For", client)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

// searchesWithoutEnd asks for long searches, two at a time, until the test ends, and counts the answers.
func searchesWithoutEnd(t *testing.T, root string, clients ...string) *atomic.Int32 {
	var answers atomic.Int32
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	for _, client := range clients {
		for range clientPlaces {
			go func() {
				for ctx.Err() == nil {
					status, body, err := asClient(ctx, client, root+longSearch)
					if ctx.Err() != nil {
						return
					}
					// The place is given back just after the answer is sent.
					if err != nil || status != http.StatusOK && status != http.StatusTooManyRequests {
						t.Errorf("client %s: %d, %v: %s", client, status, err, body)
						return
					}
					answers.Add(1)
				}
			}()
		}
	}
	return &answers
}

func untilLoad(s *Server, running, waiting int) {
	for r, w := -1, -1; r != running || w != waiting; r, w = s.searches.queue.load() {
		time.Sleep(time.Millisecond)
	}
}

// TestTwoClients: one that searches without end leaves the other its turns.
func TestTwoClients(t *testing.T) {
	s, root, _ := oneSearch(t, 600*time.Millisecond, behindProxy)
	searchesWithoutEnd(t, root, "192.0.2.1")
	untilLoad(s, 1, 1)
	for range 3 {
		status, body, err := asClient(t.Context(), "192.0.2.2", root+"/api/v1/solve?sfen=4k/5/4K/5/5_b_GS")
		if err != nil || status != http.StatusOK || !strings.Contains(body, `"dtm":1`) {
			t.Errorf("%d, %v: %s", status, err, body)
		}
	}
}

// TestThirdClient: two clients that search without end do not starve a third one, whose turn comes after one of each.
func TestThirdClient(t *testing.T) {
	s, root, _ := oneSearch(t, 900*time.Millisecond, behindProxy)
	answers := searchesWithoutEnd(t, root, "192.0.2.1", "192.0.2.2")
	untilLoad(s, 1, 3)
	for range 3 {
		before := answers.Load()
		status, body, err := asClient(t.Context(), "192.0.2.3", root+longSearch)
		if err != nil || status != http.StatusOK || !strings.Contains(body, `"category":"unknown"`) || !strings.Contains(body, `"cut_short":true`) {
			t.Fatalf("%d, %v: %s", status, err, body)
		}
		// One that was just being counted comes on top.
		if n := answers.Load() - before; n > 3 {
			t.Errorf("%d answers to the others first", n)
		}
	}
}

// TestProxyTellsClientsApart: without its word all are one client, which soon has no place.
func TestProxyTellsClientsApart(t *testing.T) {
	for _, believed := range []bool{true, false} {
		proxies := []string{behindProxy}
		if !believed {
			proxies = nil
		}
		s, root, _ := oneSearch(t, longestSearch, proxies...)
		ctx, cancel := context.WithCancel(t.Context())
		for range clientPlaces {
			go asClient(ctx, "192.0.2.1", root+longSearch)
		}
		untilLoad(s, 1, 1)
		answered := make(chan int)
		go func() {
			status, _, _ := asClient(t.Context(), "192.0.2.2", root+"/api/v1/solve?sfen=4k/5/4K/5/5_b_GS")
			answered <- status
		}()
		if believed {
			untilLoad(s, 1, 2)
		} else if status := <-answered; status != http.StatusTooManyRequests {
			t.Errorf("one more search of the same client: %d", status)
		}
		cancel()
		if believed {
			if status := <-answered; status != http.StatusOK {
				t.Errorf("another client: %d", status)
			}
		}
	}
}

// TestGoneClients: a client that goes leaves the queue, or its search ends.
func TestGoneClients(t *testing.T) {
	s, root, log := oneSearch(t, longestSearch, behindProxy)
	running, endRunning := context.WithCancel(t.Context())
	waiting, endWaiting := context.WithCancel(t.Context())
	defer endWaiting()
	defer endRunning()
	go asClient(running, "192.0.2.1", root+longSearch)
	untilLoad(s, 1, 0)
	go asClient(waiting, "192.0.2.2", root+longSearch)
	untilLoad(s, 1, 1)
	endWaiting()
	untilLoad(s, 1, 0)
	endRunning()
	untilLoad(s, 0, 0)
	line := regexp.MustCompile(`"msg":"request".*"path":"/api/v1/solve".*"status":499,`) // a search to its end is 200
	for len(line.FindAllString(log(), -1)) < 2 {
		if strings.Contains(log(), `"status":200`) {
			t.Fatalf("it went on searching: %s", log())
		}
		time.Sleep(time.Millisecond)
	}
}

// TestDeadline: a search ends in time for its answer to be given, and who waits that long is told so.
func TestDeadline(t *testing.T) {
	s := New(Options{Tables: testTables(t), Proxies: trust(t, behindProxy)})
	s.searches.queue.slots = 1
	s.limits.answer = answerTime + 500*time.Millisecond
	address, _ := runReal(t, s)
	status, body, err := asClient(t.Context(), "192.0.2.1", "http://"+address+longSearch)
	if err != nil || status != http.StatusOK || !strings.Contains(body, `"category":"unknown"`) {
		t.Errorf("%d, %v: %s", status, err, body)
	}
	_, leave, err := s.searches.queue.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	status, body, err = asClient(t.Context(), "192.0.2.1", "http://"+address+longSearch)
	var e errorReply
	if json.Unmarshal([]byte(body), &e) != nil || err != nil || status != http.StatusServiceUnavailable || e.Error == nil || e.Error.Code != "busy" {
		t.Errorf("%d, %v: %s", status, err, body)
	}
}

// TestPageIsMorePatient: the page waits longer than the server takes for any answer, and the server
// longer than a client waits for its turn.
func TestPageIsMorePatient(t *testing.T) {
	text, err := os.ReadFile("web/js/api.js")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^const patience = ([0-9]+);`).FindSubmatch(text)
	if found == nil {
		t.Fatal("web/js/api.js does not say how patient the page is")
	}
	milliseconds, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	if page := time.Duration(milliseconds) * time.Millisecond; usualLimits.answer+2*time.Second > page {
		t.Errorf("the page waits for %v, the server answers in %v", page, usualLimits.answer)
	}
	if usualLimits.answer < queuePatience+answerTime+2*time.Second || queuePatience < longestSearch || usualLimits.write < usualLimits.answer+usualLimits.read {
		t.Errorf("limits %+v, %v in the queue, of which a search takes %v", usualLimits, queuePatience, longestSearch)
	}
}
