package main

import (
	"bytes"
	"encoding/binary"

	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
)

// TestStats: the statistics of the fixtures, to the last position.
func TestStats(t *testing.T) {
	fixtures := smallFixtures(t)
	args := []string{"stats", "--json", "--dir", smallTables(t)}
	for set := range fixtures {
		args = append(args, set)
	}
	reports := decodeLines[answer.Stats](t, succeed(t, args...))
	if len(reports) != len(fixtures) {
		t.Fatalf("%d sets, want %d", len(reports), len(fixtures))
	}
	for i, r := range reports {
		if set := args[4+i]; r.Material != set {
			t.Errorf("%s in place of %s", r.Material, set)
		}
		got := fixtureStats{r.Material, r.IndexSize, r.Legal, r.MateWins, r.MateLosses, r.PerpetualWins, r.PerpetualLosses, r.Open,
			r.MaxWin, r.MaxLoss, r.Histogram, r.RankWins, r.RankLosses, r.MutualZugzwangs, r.Checkmates, r.Stalemates}
		if want := fixtures[r.Material]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", r.Material, got, want)
		}
		if r.MutualChecks != 0 {
			t.Errorf("%s: %d mutual checks", r.Material, r.MutualChecks)
		}
		for ext, size := range map[string]int64{".gbo": r.OutcomeBytes, ".gbd": r.DistanceBytes} {
			info, err := os.Stat(filepath.Join(smallTables(t), r.Material+ext))
			if err != nil || info.Size() != size {
				t.Errorf("%s%s: %d bytes in the statistics, %v", r.Material, ext, size, err)
			}
		}
		for _, longest := range []struct {
			sfen  *string
			plies int
		}{{r.LongestWin, r.MaxWin}, {r.LongestLoss, r.MaxLoss}} {
			if longest.sfen == nil {
				if longest.plies >= 0 {
					t.Errorf("%s: a mate in %d plies without a position", r.Material, longest.plies)
				}
				continue
			}
			p := decodeLines[answer.Probe](t, succeed(t, "probe", "--json", "--dir", smallTables(t), *longest.sfen))[0]
			if p.DTM == nil || *p.DTM != longest.plies || p.Material != r.Material {
				t.Errorf("%s: %s is %s, want %d plies", r.Material, *longest.sfen, valueText(p.Value), longest.plies)
			}
			first := find(t, "--dtm", strconv.Itoa(longest.plies), "--limit", "1", r.Material)
			if len(first) != 1 || first[0].SFEN != *longest.sfen {
				t.Errorf("%s: %s is not the first of %d plies, %v is", r.Material, *longest.sfen, longest.plies, first)
			}
		}
	}
}

// TestStatsJSON is the example of the description, to the letter, but for bytes.
func TestStatsJSON(t *testing.T) {
	got := succeed(t, "stats", "--json", "--dir", smallTables(t), "R")
	for _, want := range []string{
		`{"material":"R","index_size":21516,"legal":34852,"mate_wins":17740,"mate_losses":17112,"perpetual_wins":0,"perpetual_losses":0,"open":0,` +
			`"max_win":11,"max_loss":12,"histogram":[500,2130,1004,`,
		`],"rank_wins":[],"rank_losses":[],"longest_win":"`,
		`","longest_loss":"`,
		`","mutual_zugzwangs":0,"mutual_checks":0,"outcome_bytes":`,
		`,"distance_bytes":`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	// The kings alone: nothing is won.
	if got := succeed(t, "stats", "--json", "--dir", smallTables(t), "none"); !strings.Contains(got, `"max_win":-1,"max_loss":`) {
		t.Errorf("none: %s", got)
	}
}

func TestStatsText(t *testing.T) {
	got := succeed(t, "stats", "--dir", smallTables(t), "R", "PG")
	for _, want := range []string{
		"R: 34,852 legal positions, 21,516 indices\n",
		"  mates                                17,740  50.9%\n",
		"longest win        11 plies: ",
		"longest loss       12 plies: ",
		"\n\nGP: 1,522,074 legal positions",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// readSVG reads a picture, which has to be well-formed.
func readSVG(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return string(text)
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}

// TestPlot: the pictures are well-formed, and have a bar for every distance.
func TestPlot(t *testing.T) {
	for _, set := range []string{"none", "R", "GP"} {
		svg, picture := filepath.Join(t.TempDir(), "a.svg"), filepath.Join(t.TempDir(), "a.PNG")
		succeed(t, "stats", "--dir", smallTables(t), "--plot", svg, set)
		succeed(t, "stats", "--dir", smallTables(t), "--plot", picture, set)
		text := readSVG(t, svg)
		bars := map[string]int{"none": 1 + 1, "R": 13 + 2, "GP": 91 + 2}[set]
		colors := strings.Count(text, "fill:rgb(47,111,181)") + strings.Count(text, "fill:rgb(200,85,61)")
		if set != "none" && colors != bars || !strings.Contains(text, set+": ") {
			t.Errorf("%s: %d coloured shapes, want %d", set, colors, bars)
		}
		f, err := os.Open(picture)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if p, err := png.Decode(f); err != nil || p.Bounds().Dx() != plotWidth || p.Bounds().Dy() != plotHeight {
			t.Errorf("%s: %v", picture, err)
		}
	}
	dir := t.TempDir()
	tables := []string{"stats", "--dir", smallTables(t), "--plot"}
	refuse(t, exitUsage, []string{"a.jpg", ".svg or .png"}, append(tables, "a.jpg", "R")...)
	refuse(t, exitUsage, []string{"one set"}, append(tables, "a.svg", "R", "G")...)
	r := gogotb(t, append(tables, filepath.Join(dir, "none", "a.svg"), "R")...)
	if r.status != exitFailed || !strings.Contains(r.stderr, "a.svg") {
		t.Errorf("into no folder: %+v", r)
	}
}

// TestList: whole tables, and every way in which one can fail to be whole.
func TestList(t *testing.T) {
	dir := copyTables(t, "none", "R", "B", "G", "S", "P", "GG")
	change := func(name string, f func([]byte) []byte) {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"R.gbd", "B.gbo"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	change("G.gbd", func(b []byte) []byte { return b[:len(b)-1] })
	change("S.gbo", func(b []byte) []byte { binary.LittleEndian.PutUint16(b[8:], 9); return b })
	change("P.gbo", func([]byte) []byte { return []byte("not a table") })
	want := map[string]string{"none": stateWhole, "R": stateNoDistances, "B": stateNoOutcomes, "G": stateCorrupt,
		"S": stateVersion, "P": stateCorrupt, "GG": stateWhole}
	order := []string{"none", "R", "B", "G", "S", "P", "GG"}
	sets := decodeLines[listReport](t, succeed(t, "list", "--json", "--dir", dir, "--dir", filepath.Join(dir, "nowhere")))
	if len(sets) != len(order) {
		t.Fatalf("%d sets", len(sets))
	}
	for i, s := range sets {
		if s.Material != order[i] || s.State != want[s.Material] || s.Dir != dir {
			t.Errorf("%+v, want %s %s", s, order[i], want[order[i]])
		}
		if (s.Error != nil) != (s.State == stateCorrupt || s.State == stateVersion) {
			t.Errorf("%s: error %v", s.Material, s.Error)
		}
		if (s.OutcomeBytes == nil) != (s.Material == "B") || (s.DistanceBytes == nil) != (s.Material == "R") {
			t.Errorf("%s: sizes %v and %v", s.Material, s.OutcomeBytes, s.DistanceBytes)
		}
		if s.Material == "S" && (s.FormatVersion == nil || *s.FormatVersion != 9) {
			t.Errorf("S: format version %v", s.FormatVersion)
		}
	}
	text := gogotb(t, "list", "--dir", dir)
	var outcomes, distances int64
	for _, s := range sets {
		if s.OutcomeBytes != nil {
			outcomes += *s.OutcomeBytes
		}
		if s.DistanceBytes != nil {
			distances += *s.DistanceBytes
		}
	}
	if cells := strings.Fields(text.stdout[strings.LastIndex(text.stdout, "7 sets"):]); !slices.Equal(cells[2:],
		[]string{comma(outcomes), comma(distances), comma(outcomes + distances)}) {
		t.Errorf("list: sums %v, want %d and %d bytes", cells, outcomes, distances)
	}
	if lines := strings.Count(text.stdout, "\n"); text.status != exitDone || lines != len(order)+2 {
		t.Errorf("list: %d lines: %+v", lines, text)
	}
	if errs := strings.Count(text.stderr, "\n"); errs != 3 {
		t.Errorf("list: %d errors: %s", errs, text.stderr)
	}
	empty := gogotb(t, "list", "--dir", t.TempDir())
	if empty.status != exitDone || empty.stdout != "" || !strings.Contains(empty.stderr, "no tables in ") {
		t.Errorf("list of an empty folder: %+v", empty)
	}
	if got := succeed(t, "list", "--json", "--dir", t.TempDir()); got != "" {
		t.Errorf("list --json of an empty folder: %s", got)
	}
}
