//go:build browser

package serve

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestSlowAnswer: what is asked later is shown, also if the answer to an earlier question comes after it.
func TestSlowAnswer(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	hold, held := make(chan struct{}), make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/probe") && strings.Contains(r.URL.Query().Get("sfen"), "3G1") {
			held <- struct{}{}
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer close(hold)
	b := openBrowser(t, server.URL)
	b.open(longEnding)
	b.tap("3c", "2c")
	<-held
	b.until(`document.querySelector("#verdict").getAttribute("aria-busy") === "true"`)
	b.tap("1a", "2a") // nothing can be moved meanwhile
	b.until(`location.search.endsWith("_w_-_2")`)
	b.click("#undo")
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	b.untilText("#verdict-text", "Sente mates in 9 plies")
	b.until(`!document.getElementById("best").disabled`)
}

// TestGateway: what stands before a server that is away says so in a page of its own, and the server is asked
// again until it is back.
func TestGateway(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := status.Load(); n != 0 {
			http.Error(w, "<h1>Something is wrong</h1>", int(n))
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.open(longEnding)
	status.Store(http.StatusBadGateway)
	b.tap("3c", "2c")
	b.until(`!document.getElementById("away").hidden`)
	status.Store(http.StatusInternalServerError)
	b.click("#again")
	b.until(`!document.getElementById("away").hidden`)
	status.Store(0)
	b.until(`document.getElementById("away").hidden`)
	b.untilText("#verdict-text", "Sente mates in 8 plies")
}

// TestServerGoesAway stops the server under an open page, and starts it again.
func TestServerGoesAway(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	handler := New(Options{Tables: testTables(t)}).Handler()
	first := &http.Server{Handler: handler}
	go first.Serve(listener)
	b := openBrowser(t, "http://"+address)
	b.tolerate = "ERR_CONNECTION_REFUSED"
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	first.Close()
	b.tap("3c", "2c")
	b.until(`!document.getElementById("away").hidden`)
	b.screenshot("away")
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	second := &http.Server{Handler: handler}
	go second.Serve(listener)
	start := time.Now()
	b.until(`document.getElementById("away").hidden`)
	b.untilText("#verdict-text", "Sente mates in 8 plies")
	t.Logf("back after %v", time.Since(start).Round(100*time.Millisecond))

	// Practice goes on, too, where it was.
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	b.click("#tab-practice")
	b.until(`document.querySelector("#practice-here") !== null`)
	b.click("#practice-here")
	b.untilText("#practice-message", "Your move.")
	b.settle()
	second.Close()
	b.tap("3c", "2c")
	b.until(`!document.getElementById("away").hidden`)
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	third := &http.Server{Handler: handler}
	defer third.Close()
	go third.Serve(listener)
	b.until(`document.getElementById("away").hidden`)
	b.untilText("#practice-message", "The best move.")
	b.myTurn()
}

// TestAboutAsksAgain: the page that explains lists the tables when the server is back.
func TestAboutAsksAgain(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	var away atomic.Bool
	away.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() && strings.HasPrefix(r.URL.Path, "/api/") {
			http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.do(chromedp.Navigate(server.URL + "/about.html"))
	b.untilText(".tables tbody", "The server does not answer")
	away.Store(false)
	b.untilText(".tables tbody", "GP")
}
