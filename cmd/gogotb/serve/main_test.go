package serve

import (
	"fmt"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/index"
	"gogotb/storage"
)

// tablesDir holds the tables that tests use; it is filled when the first of them asks.
var tablesDir string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if dir := os.Getenv(serverVariable); dir != "" {
		return runServer(dir)
	}
	dir, err := os.MkdirTemp("", "gogotb-serve-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	tablesDir = dir
	return m.Run()
}

// testSets have mates, wins by perpetual check (RB) and open positions (PP).
var testSets = []string{"none", "R", "G", "P", "RB", "RG", "GP", "PP"}

var makeTables = sync.OnceValue(func() error { return tabletest.Write(tablesDir, testSets...) })

// testTables are the tables of testSets.
func testTables(t testing.TB) *storage.Tables {
	t.Helper()
	if err := makeTables(); err != nil {
		t.Fatal(err)
	}
	return openTables(t, tablesDir)
}

func openTables(t testing.TB, dir string) *storage.Tables {
	t.Helper()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// startServer serves the test tables, or with other options, until the test ends.
func startServer(t testing.TB, opt Options) *httptest.Server {
	t.Helper()
	if opt.Tables == nil {
		opt.Tables = testTables(t)
	}
	server := httptest.NewServer(New(opt).Handler())
	t.Cleanup(server.Close)
	return server
}

// mustSet is one of the test sets.
func mustSet(t testing.TB, name string) *storage.Set {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := testTables(t).Set(m) // closed with the test
	if err != nil {
		t.Fatal(err)
	}
	return set
}
