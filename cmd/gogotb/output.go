package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
)

// writeJSON writes an object and ends the line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// comma returns a number as people read it: 120,722,650.
func comma[T ~int | ~int64 | ~uint64](n T) string { return humanize.Comma(int64(n)) }

// share returns a part of a whole in percent.
func share(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// pointer returns a number that JSON shows, in a place where it can also show null.
func pointer[T any](v T) *T { return &v }

// table writes columns for people: the first to the left, the others to the right.
type table struct {
	w    io.Writer
	rows [][]string
}

// countSets returns "1 set" or "21 sets".
func countSets(n int) string {
	if n == 1 {
		return "1 set"
	}
	return comma(n) + " sets"
}

func newTable(w io.Writer, heading ...string) *table { return &table{w, [][]string{heading}} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) flush() {
	width := make([]int, len(t.rows[0]))
	for _, r := range t.rows {
		for i, cell := range r {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, r := range t.rows {
		line := fmt.Sprintf("%-*s", width[0], r[0])
		for i, cell := range r[1:] {
			line += fmt.Sprintf("  %*s", width[i+1], cell)
		}
		fmt.Fprintln(t.w, line)
	}
}
