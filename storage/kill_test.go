package storage

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/index"
	"gogotb/rules"
)

// writeForever, in the environment of a test process, is a folder to which it writes the
// tables of G again and again, of two makings in turn.
const writeForever = "GOGOTB_TEST_WRITE_FOREVER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writeForever); dir != "" {
		childWriter(dir)
	}
	os.Exit(m.Run())
}

// making is one of two sets of values for G, of one number throughout: 0 or 1.
func making(x *index.Index, n int) solved {
	s := solved{index: x, values: make([]rules.Value, x.Size())}
	for i := range s.values {
		s.values[i] = rules.MakeValue(rules.MateLoss, 2*(n+i%5))
	}
	return s
}

func childWriter(dir string) {
	x, err := index.New(index.Material{rules.Gold: 1})
	for n := 0; err == nil; n++ {
		s := making(x, n%2)
		var w *Writer
		if w, err = Create(dir, x, WriterOptions{}); err != nil {
			break
		}
		if err = w.Append(s.values); err != nil {
			break
		}
		err = w.Commit(s.stats)
		os.Stdout.WriteString("committed\n")
	}
	os.Stderr.WriteString(err.Error() + "\n")
	os.Exit(1)
}

// TestKilledWriter kills processes that write tables, at any time, while this one reads
// them. A reader sees whole tables of one making, or none; and so it is afterwards.
func TestKilledWriter(t *testing.T) {
	x, err := index.New(material(t, "G"))
	if err != nil {
		t.Fatal(err)
	}
	makings := [][]rules.Value{making(x, 0).values, making(x, 1).values}
	dir := t.TempDir()
	// seen reads everything; it tells whether there was a set.
	seen := func(when string) bool {
		tables := open(t, dir)
		set, err := tables.Set(material(t, "G"))
		var missing *MissingTableError
		if errors.As(err, &missing) {
			return false
		}
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if !set.HasDistances() {
			t.Fatalf("%s: a set without distances", when)
		}
		var got []rules.Value
		for b, err := range set.Values() {
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			got = append(got, b.Values...)
		}
		if !slices.Equal(got, makings[0]) && !slices.Equal(got, makings[1]) {
			t.Fatalf("%s: values of neither making", when)
		}
		tables.Close()
		return true
	}
	sets, killed := 0, 0
	for round := range 12 {
		child := exec.Command(os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), writeForever+"="+dir)
		stderr := new(strings.Builder)
		child.Stderr = stderr
		stdout, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if round%3 == 0 { // not before it has written something
			if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
				t.Fatalf("the writer said nothing: %v\n%s", err, stderr)
			}
		}
		for end := time.Now().Add(time.Duration(20+13*round) * time.Millisecond); time.Now().Before(end); {
			if seen("beside the writer") {
				sets++
			}
		}
		if err := child.Process.Kill(); err != nil { // SIGKILL
			t.Fatal(err)
		}
		if err := child.Wait(); child.ProcessState.ExitCode() == 1 {
			t.Fatalf("the writer failed: %v\n%s", err, stderr)
		}
		killed++
		if seen("after the writer was killed") {
			sets++
		}
	}
	if sets == 0 || killed == 0 {
		t.Errorf("%d sets seen, %d writers killed: nothing was tested", sets, killed)
	}

	// the next Writer cleans up
	solve(t, "G").write(t, dir)
	if got, want := files(t, dir), []string{"G.gbd", "G.gbo", SumsFile}; !slices.Equal(got, want) {
		t.Errorf("in the folder: %v, want %v", got, want)
	}
	checkSums(t, dir)
}
