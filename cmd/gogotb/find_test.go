package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
)

// find runs find on the small tables.
func find(t testing.TB, args ...string) []findReport {
	t.Helper()
	return decodeLines[findReport](t, succeed(t, append([]string{"find", "--json", "--dir", smallTables(t)}, args...)...))
}

// weight counts positions as statistics do: with their mirror images.
func weight(t testing.TB, x *index.Index, found []findReport) (n uint64) {
	t.Helper()
	last := -1
	for _, f := range found {
		if int(f.Index) <= last {
			t.Fatalf("index %d after %d", f.Index, last)
		}
		last = int(f.Index)
		c := x.Cursor(f.Index)
		p := c.Position()
		if f.SFEN != p.SFEN() || f.Material != x.Material().String() || f.Check != p.InCheck() {
			t.Errorf("%+v is not index %d", f, f.Index)
		}
		if err := p.Validate(); err != nil {
			t.Errorf("%s: %v", f.SFEN, err)
		}
		n += uint64(c.Weight)
	}
	return n
}

func newIndex(t testing.TB, set string) *index.Index {
	t.Helper()
	x, err := index.New(material(t, set))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFindCounts: as many positions are found as the fixtures count.
func TestFindCounts(t *testing.T) {
	for set, f := range smallFixtures(t) {
		x := newIndex(t, set)
		check := func(want uint64, args ...string) {
			t.Helper()
			if got := weight(t, x, find(t, append(args, set)...)); got != want {
				t.Errorf("find %q: %d positions, want %d", append(args, set), got, want)
			}
		}
		check(f.MutualZugzwangs, "--zugzwang")
		if f.Legal < 1e5 {
			check(f.Legal)
			check(f.MateWins, "--category", "win", "--by", "mate")
			check(f.MateLosses, "--category", "loss", "--by", "mate")
			check(f.Open, "--category", "draw")
		}
		if f.Legal < 2e4 {
			for n, want := range f.Histogram {
				check(want, "--dtm", strconv.Itoa(n))
			}
		}
		check(f.PerpetualWins, "--category", "win", "--by", "perpetual")
		check(f.PerpetualLosses, "--category", "loss", "--by", "perpetual")
		if top := len(f.Histogram) - 1; top >= 0 {
			check(f.Histogram[top], "--dtm", strconv.Itoa(top))
			check(0, "--dtm", strconv.Itoa(top+1))
		}
		for _, k := range []int{1, 2, len(f.RankWins)} {
			if k > 0 && k <= len(f.RankWins) {
				check(f.RankWins[k-1], "--rank", strconv.Itoa(k), "--category", "win")
				check(f.RankLosses[k-1], "--rank", strconv.Itoa(k), "--category", "loss")
			}
		}
	}
}

// TestFindValues: what is found has the value that probe gives, for wins, losses and ranks.
func TestFindValues(t *testing.T) {
	for _, args := range []string{"--dtm 17 RB", "--dtm 18 RB", "--rank 3 RB", "--by perpetual SS", "--category draw --by repetition P", "--zugzwang SP"} {
		found := find(t, append(strings.Fields(args), "--limit", "40")...)
		if len(found) == 0 {
			t.Errorf("find %s: nothing", args)
			continue
		}
		var sfens []string
		for _, f := range found {
			sfens = append(sfens, f.SFEN)
		}
		for i, r := range decodeLines[answer.Probe](t, probeLines(t, smallTables(t), sfens, "--json").stdout) {
			if got, want := valueText(found[i].Value), valueText(r.Value); got != want {
				t.Errorf("find %s: %s is %s, by probe %s", args, sfens[i], got, want)
			}
		}
	}
}

// TestFindZugzwang: whoever is to move loses.
func TestFindZugzwang(t *testing.T) {
	found := find(t, "--zugzwang", "--limit", "20", "SP")
	var sfens []string
	for _, f := range found {
		p, err := rules.ParseSFEN(f.SFEN)
		if err != nil || p.InCheck() {
			t.Fatalf("%s: in check, or %v", f.SFEN, err)
		}
		sfens = append(sfens, f.SFEN, strings.Replace(f.SFEN, " b ", " w ", 1))
	}
	for i, r := range decodeLines[answer.Probe](t, probeLines(t, smallTables(t), sfens, "--json").stdout) {
		if r.Category != "loss" {
			t.Errorf("%s: %s", sfens[i], valueText(r.Value))
		}
	}
}

// TestFindOrder: the same positions in the same order for any number of workers and any
// limit, and the text is their SFEN alone.
func TestFindOrder(t *testing.T) {
	args := []string{"--category", "win", "--by", "perpetual", "RB"}
	all := find(t, args...)
	if len(all) < 1000 {
		t.Fatalf("%d positions", len(all))
	}
	texts := func(found []findReport) (list []string) {
		for _, f := range found {
			list = append(list, fmt.Sprint(f.Index, f.SFEN, valueText(f.Value)))
		}
		return list
	}
	want := texts(all)
	for _, jobs := range []string{"1", "7"} {
		if !slices.Equal(texts(find(t, append(args, "--jobs", jobs)...)), want) {
			t.Errorf("other positions with %s workers", jobs)
		}
	}
	for _, limit := range []int{1, 2, 500, len(all) + 1} {
		got := texts(find(t, append(args, "--limit", strconv.Itoa(limit))...))
		if !slices.Equal(got, want[:min(limit, len(all))]) {
			t.Errorf("--limit %d: %d positions", limit, len(got))
		}
	}
	var sfens strings.Builder
	for _, f := range all {
		sfens.WriteString(f.SFEN + "\n")
	}
	if got := succeed(t, append([]string{"find", "--dir", smallTables(t)}, args...)...); got != sfens.String() {
		t.Errorf("the text is not the SFENs alone: %.200s", got)
	}
}

func TestFindRefuses(t *testing.T) {
	for _, c := range []struct {
		status int
		args   string
		texts  []string
	}{
		{exitUsage, "", []string{"arg"}},
		{exitUsage, "R G", []string{"arg"}},
		{exitUsage, "RQ", []string{`"RQ"`}},
		{exitUsage, "--dtm -3 R", []string{"--dtm"}},
		{exitUsage, "--rank 0 R", []string{"--rank"}},
		{exitUsage, "--dtm 3 --rank 1 R", []string{"--dtm", "--rank"}},
		{exitUsage, "--limit -1 R", []string{"--limit"}},
		{exitUsage, "--jobs 0 R", []string{"--jobs"}},
		{exitUsage, "--category won R", []string{"--category", "won"}},
		{exitUsage, "--by luck R", []string{"--by", "luck"}},
		{exitFailed, "GSP", []string{"no table", "GSP"}},
	} {
		refuse(t, c.status, c.texts, append([]string{"find", "--dir", smallTables(t)}, strings.Fields(c.args)...)...)
	}
}
