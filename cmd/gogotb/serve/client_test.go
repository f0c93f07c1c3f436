package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// ask sends a request to the API and reads the answer's JSON into v, which may be nil.
func ask(t testing.TB, root, path string, v any) *http.Response {
	t.Helper()
	r, err := http.Get(root + "/api/v1/" + path)
	if err != nil {
		t.Fatal(err)
	}
	read(t, r, v)
	return r
}

func read(t testing.TB, r *http.Response, v any) {
	t.Helper()
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(body, v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
}

func post(t testing.TB, address string, body any, v any) *http.Response {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(address, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	read(t, r, v)
	return r
}

// logTo is a log of everything in JSON, and what has been written to it.
func logTo(t testing.TB) (*slog.Logger, func() string) {
	t.Helper()
	var text lockedText
	return slog.New(slog.NewJSONHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})), text.String
}

// lockedText is a text that several write to.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func mustRequest(t testing.TB, method, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fixture is a line of index/testdata/values_M.tsv.
type fixture struct {
	sfen, category, by string
	n                  *int
}

func fixtures(t testing.TB, set string) []fixture {
	t.Helper()
	f, err := os.Open("../../../index/testdata/values_" + set + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []fixture
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		if fields[0] == "sfen" {
			continue
		}
		x := fixture{sfen: fields[0], category: fields[1], by: fields[2]}
		var n int
		if _, err := fmt.Sscan(fields[3], &n); err == nil {
			x.n = &n
		}
		list = append(list, x)
	}
	if len(list) < 100 {
		t.Fatalf("%d fixtures of %s", len(list), set)
	}
	return list
}
