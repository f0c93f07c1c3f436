//go:build browser

package serve

import (
	"net"
	"net/http"
	"testing"
	"time"
)

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
