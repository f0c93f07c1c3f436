package kif

import (
	"strings"

	"gogotb/rules/record"
)

// endNames are the words for ends; the first of a kind is the one written.
var endNames = []struct {
	kind  record.EndKind
	words string
}{
	{record.Resigns, "投了"},
	{record.Interrupted, "中断 中断する"},
	{record.Checkmate, "詰み 詰 積み 詰み上がり"},
	{record.NoCheckmate, "不詰 不詰み"},
	{record.Repetition, "千日手"},
	{record.Impasse, "持将棋"},
	{record.Draw, "引き分け 引分け 引分"},
	{record.OutOfTime, "切れ負け 時間切れ 時間切れ負け 切負け"},
	{record.IllegalLoses, "反則負け"},
	{record.IllegalWins, "反則勝ち"},
	{record.EnteringWins, "入玉勝ち 入玉宣言 入玉宣言勝ち 宣言勝ち"},
	{record.DefaultLoses, "不戦敗"},
	{record.DefaultWins, "不戦勝"},
	{record.Sealed, "封じ手"},
	{record.PlyLimit, "最大手数 手数制限"},
	{record.Resigns, "resign resigns"},
	{record.OutOfTime, "time-up time_up timeup"},
	{record.Draw, "draw"},
}

// endKinds are the kinds of all words for ends, letters small.
var endKinds = func() map[string]record.EndKind {
	kinds := map[string]record.EndKind{}
	for _, e := range endNames {
		for _, word := range strings.Fields(e.words) {
			kinds[word] = e.kind
		}
	}
	return kinds
}()

// parseEnd reads what stands in the place of a move, up to brackets and marks; known tells whether its first word
// is one of ours.
func parseEnd(text string) (e record.End, known bool) {
	word, _, _ := strings.Cut(narrowBrackets.Replace(text), "(")
	e.Text = strings.TrimRight(word, " +")
	first, _, _ := strings.Cut(strings.ToLower(e.Text), " ")
	if e.Kind, known = endKinds[first]; !known {
		e.Kind = record.OtherEnd
	}
	return e, known
}

// formatEnd returns the word for an end.
func formatEnd(e record.End) string {
	for _, n := range endNames {
		if n.kind == e.Kind {
			return strings.Fields(n.words)[0]
		}
	}
	return e.Text
}
