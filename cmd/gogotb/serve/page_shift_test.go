//go:build browser

package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// layoutShift is a script for the cumulative layout shift as https://web.dev/articles/cls defines it: the largest sum of
// shifts in a window of at most five seconds without a pause of one second, those right after an input left out.
const layoutShift = `new Promise((done) => {
	let most = 0, sum = 0, first = 0, last = -Infinity, moved = [];
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			if (entry.hadRecentInput) continue;
			if (entry.startTime - last > 1000 || entry.startTime - first > 5000) [sum, first] = [0, entry.startTime];
			sum += entry.value;
			last = entry.startTime;
			most = Math.max(most, sum);
			moved.push(entry.value.toFixed(3) + ": " + entry.sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join(" "));
		}
	}).observe({ type: "layout-shift", buffered: true });
	requestAnimationFrame(() => setTimeout(() => done({ most, moved }), 100)); // what is buffered has been told by then
})`

// TestNothingJumps opens links, with a server whose answers come one after the other as over a network.
func TestNothingJumps(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			time.Sleep(150 * time.Millisecond)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1350, 940}, {"wide", 1920, 1080}, {"telephone", 390, 844}} {
		b.size(size.width, size.height)
		for _, language := range []string{"en", "ja"} {
			for _, c := range []struct{ query, ready string }{
				{longEnding, "#play-line"},
				{mateIn3, "#play-line"},
				{perpetual, "#play-line"},
				{"?sfen=4k/5/5/5/K4_b_-", ".group.draw"},
				{"?sfen=4k/5/5/5/K4_b_GS", ".search li"},
				{"", ".examples li"},
			} {
				b.open(c.query)
				b.until(`document.querySelector("` + c.ready + `") !== null`)
				var got struct {
					Most  float64
					Moved []string
				}
				b.do(chromedp.Evaluate(layoutShift, &got, awaitPromise))
				if got.Most >= 0.1 {
					t.Errorf("%s, %s, %s: layout shift of %.3f: %s", size.name, language, c.query, got.Most, strings.Join(got.Moved, "; "))
				} else {
					t.Logf("%s, %s, %s: layout shift of %.3f: %s", size.name, language, c.query, got.Most, strings.Join(got.Moved, "; "))
				}
			}
			b.click("#language")
		}
	}
}
