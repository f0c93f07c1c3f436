package formats

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
)

// games reads all games of a file, with what is wrong with them.
func games(data []byte) (all []*record.Game, failed []error) {
	for g, err := range Games(data) {
		all, failed = append(all, g), append(failed, err)
	}
	return all, failed
}

// moves are the moves of a line in USI.
func moves(l *record.Line) string {
	var words []string
	for _, m := range l.Played() {
		words = append(words, m.USI())
	}
	return strings.Join(words, " ")
}

// TestCases reads files in the manner of those that people have. Nearly all are one problem, the mate in 3 of
// problem by G-12, Kx12, R*13, each with something else in the file.
func TestCases(t *testing.T) {
	const (
		problem = "2sgk/5/3RG/5/4K b R 1"
		mate    = "1c1b 1a1b R*1c"
	)
	checkmate := record.End{Text: "詰", Kind: record.Checkmate}
	for _, c := range []struct {
		file, start, moves string
		end                record.End
		notes              []record.Note
	}{
		{"banmen_kaiten.kif", problem, mate, checkmate, []record.Note{{Line: 12, Text: `"盤面回転" was passed over`}}},
		{"bod_tesuu.kif", problem, mate, checkmate, []record.Note{{Line: 11, Text: `"手数＝0  まで" was passed over`}}},
		{"triangles.kif", problem, mate, record.End{}, nil},
		{"arabic_rank.kif", problem, mate, record.End{}, nil},
		{"hand_digits.kif", "2sgk/5/3RG/5/4K b Rb2p 1", mate, checkmate, nil},
		{"hikiwake.kif", problem, "1c1b", record.End{Text: "引き分け", Kind: record.Draw}, nil},
		{"time_up.kif", problem, "1c1b", record.End{Text: "Time-up", Kind: record.OutOfTime}, nil},
		{"stray_henka_header.kif", problem, mate, checkmate, []record.Note{{Line: 1, Text: `"変化：3手" was passed over`}}},
		{"55_short.kif", rules.StartSFEN, "4e4d", record.End{}, nil},
		{"minishogi_tag.kif", rules.StartSFEN, "4e4d", record.End{}, nil},
		{"tsume.csa", problem, mate, record.End{Text: "TSUMI", Kind: record.Checkmate}, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			all, failed := games(data)
			if len(all) != 1 || failed[0] != nil {
				t.Fatalf("%d games, errors %v", len(all), failed)
			}
			g := all[0]
			if g.Start.SFEN() != c.start || moves(&g.Line) != c.moves || g.End != c.end {
				t.Errorf("read %s, %s, %v", g.Start.SFEN(), moves(&g.Line), g.End)
			}
			if !reflect.DeepEqual(g.Notes, c.notes) {
				t.Errorf("notes %v, want %v", g.Notes, c.notes)
			}
		})
	}
}
