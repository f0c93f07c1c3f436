//go:build conformance && cgo

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/storage"
)

var sets = []string{"none", "P", "GP", "RP", "BB", "RB"}

// writeAnswers probes random positions of the sets from Go, for the C program to compare.
func writeAnswers(t *testing.T, dir string, positions int) string {
	t.Helper()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	random := rand.New(rand.NewPCG(5, 5))
	var b bytes.Buffer
	for n := range positions {
		p := tabletest.RandomPosition(t, random, sets[n%len(sets)])
		writeAnswer(t, &b, tables, &p)
	}
	name := filepath.Join(t.TempDir(), "answers")
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func writeAnswer(t *testing.T, b *bytes.Buffer, tables *storage.Tables, p *rules.Position) {
	t.Helper()
	for s := range rules.Square(rules.Squares) {
		fmt.Fprint(b, uint8(p.At(s)), " ")
	}
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		for _, n := range p.Hand(c) {
			fmt.Fprint(b, n, " ")
		}
	}
	r, err := tables.Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := tables.Moves(p, storage.Adjudication{})
	if err != nil {
		t.Fatal(err)
	}
	line, err := tables.Line(p)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(b, uint8(p.SideToMove()), " ", valueText(r, p.InCheck()), " ", len(moves), " ")
	for _, m := range moves {
		fmt.Fprint(b, m.Move, " ", p.Western(m.Move), " ", valueText(m.Result, p.GivesCheck(m.Move)), " ")
	}
	fmt.Fprintln(b, len(line), p.SFEN())
}

// valueText is outcome, check, distance and rank.
func valueText(r storage.Result, check bool) string {
	dtm, rank, checked := -1, -1, 0
	if n, ok := r.Value.Distance(); ok {
		dtm = n
	}
	if n, ok := r.Value.Rank(); ok {
		rank = n
	}
	if check {
		checked = 1
	}
	return fmt.Sprint(uint8(r.Value.Outcome()), " ", checked, " ", dtm, " ", rank)
}

// A C program gets the answers that a Go program gets, through the shared and
// through the static library, from several threads at once.
func TestCProgram(t *testing.T) {
	lib := buildLibrary(t)
	dir := solve(t, sets...)
	answers := writeAnswers(t, dir, 6000)
	for _, link := range [][]string{
		{"-L" + lib, "-lgogotb", "-Wl,-rpath," + lib},
		{filepath.Join(lib, "libgogotb.a")},
	} {
		out := do(t, compile(t, "compare", lib, link...), dir, answers, "4", "2")
		if out != "6000 positions, 4 threads, 2 rounds\n" {
			t.Errorf("%v: %s", link, out)
		}
	}
}

// Neither the C program nor the library, whose Go is watched as well, makes a use of memory that AddressSanitizer would
// object to, and nothing leaks.
func TestAddressSanitizer(t *testing.T) {
	tools(t, "gcc")
	lib := t.TempDir()
	do(t, "go", "build", "-asan", "-buildmode=c-shared", "-ldflags", "-X runtime.godebugDefault=asyncpreemptoff=1",
		"-o", filepath.Join(lib, "libgogotb.so"), ".")
	dir := solve(t, sets...)
	answers := writeAnswers(t, dir, 2000)
	program := compile(t, "compare", ".", "-fsanitize=address,undefined", "-L"+lib, "-lgogotb", "-Wl,-rpath,"+lib)
	// The program looks at the actions for signals, some of which the sanitizer would take.
	t.Setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0:handle_sigfpe=0")
	if out := do(t, program, dir, answers, "3", "1"); strings.Contains(out, "Sanitizer") {
		t.Error(out)
	}
}

// The header is C++ as well.
func TestHeaderInCPlusPlus(t *testing.T) {
	tools(t, "gcc")
	do(t, "gcc", "-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "gogotb.h")
}
