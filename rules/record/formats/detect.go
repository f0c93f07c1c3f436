package formats

import (
	"regexp"
	"strings"

	"gogotb/rules/record"
)

// Formats that are recognised, but not read.
const (
	ki2 = "KI2"
	pgn = "PGN"
	jkf = "JSON"
)

var foreign = map[string]string{
	ki2: "Japanese moves without their origins",
	pgn: "the notation of chess programs",
	jkf: "games as objects, such as JKF",
}

// kifMove counts for KIF, and against KI2, whose files have the same headers.
const kifMove = "a move of KIF"

// signs are what lines of the formats look like. The first that matches a line counts.
var signs = []struct {
	format string
	line   *regexp.Regexp
}{
	{"", regexp.MustCompile(`^[#*&']`)}, // a comment
	{ki2, regexp.MustCompile(`^[▲△▼▽☗☖][^(（]*$`)},
	{kifMove, regexp.MustCompile(`^[0-9０-９]*[ .　▲△▼▽☗☖]*([1-9１-９][一二三四五六七八九1-9１-９]|同)[ 　]*[玉王飛角金銀桂香歩竜龍馬成全圭杏と]`)},
	{string(record.KIF), regexp.MustCompile(`^([|｜│┃]|\+-{3}|手数[-―ー─]|[先後上下]手番|[^ -~][^:：]*[:：])`)},
	{string(record.CSA), regexp.MustCompile(`^(V[0-9.]+$|N[+-]|\$[A-Z_+-]+:|PI|P[1-9]( ?[-+*]|$)|P[+-]([0-9]{2}[A-Z]{2}|$)|[+-]([0-9]{4}[A-Z]{2})?(,|$)|%[-+A-Z_]+|T[0-9.]+$|/$)`)},
	{string(record.USI), regexp.MustCompile(`^(position |sfen |startpos\b|[0-9A-Za-z+]*(/[0-9A-Za-z+]*){2,}( |$))`)},
	{string(record.Western), regexp.MustCompile(`^([0-9]+[.)]*\s*)*(\.{2,}\s*)?(\+?[KRBGSP]([1-5]{2})?[-x*][1-5]{2}|[1-5][a-e][1-5][a-e]|[RBGSP]\*[1-5][a-e])([+=!?#,;{]|\s|$)`)},
	{pgn, regexp.MustCompile(`^\[[A-Za-z]+ +"`)},
	{jkf, regexp.MustCompile(`^["{}]`)},
}

// Detect tells the format of a text, the one that most lines speak for; where nothing does, it is USI. The error,
// of type *record.Error, is about a format that is recognised but not read.
func Detect(text string) (record.Format, error) {
	lines := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, s := range signs {
			if s.line.MatchString(line) {
				lines[s.format]++
				break
			}
		}
	}
	if lines[ki2] > 0 && lines[kifMove] == 0 {
		lines[ki2] += lines[string(record.KIF)]
	}
	lines[string(record.KIF)] += lines[kifMove]
	if lines[string(record.Western)] > 0 {
		lines[string(record.Western)] += lines[string(record.USI)] // positions
	}
	best := string(record.USI)
	for _, format := range []string{string(record.Western), string(record.KIF), string(record.CSA), ki2, pgn, jkf} {
		if lines[format] > lines[best] {
			best = format
		}
	}
	if what, ok := foreign[best]; ok {
		return "", &record.Error{Err: &record.ForeignError{Format: best, What: what}}
	}
	return record.Format(best), nil
}
