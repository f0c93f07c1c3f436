package main

import (
	"fmt"

	"gogotb/rules"
)

// valueReport is a position's value in JSON, for the side to move.
type valueReport struct {
	Category string `json:"category"`
	By       string `json:"by"`
	DTM      *int   `json:"dtm"`
	Rank     *int   `json:"rank"`
	Check    bool   `json:"check"`
}

// openRule decides open positions: the rule for repetition, and who made the first move.
type openRule struct {
	repetition rules.Repetition // RepetitionDraw or FirstPlayerLoses
	first      rules.Color
}

// tableRule is the choice of --repetition and --first-player, for commands that answer
// from tables.
func (f repetitionFlags) tableRule() (openRule, error) {
	rule := openRule{repetition: f.repetition()}
	if rule.repetition == rules.Inventor {
		return rule, usagef("--repetition inventor: there are no tables for it; game adjudicates by it")
	}
	if first := f.firstPlayer(); first != nil {
		rule.first = *first
	}
	return rule, nil
}

// reportValue is a value in the terms of JSON; without its number if the number is not
// known.
func reportValue(p *rules.Position, v rules.Value, known bool, rule openRule) valueReport {
	r := valueReport{Check: p.InCheck()}
	number := func() *int {
		if known {
			return pointer(v.Number())
		}
		return nil
	}
	switch v.Outcome() {
	case rules.MateWin:
		r.Category, r.By, r.DTM = "win", "mate", number()
	case rules.MateLoss:
		r.Category, r.By, r.DTM = "loss", "mate", number()
	case rules.PerpetualWin:
		r.Category, r.By, r.Rank = "win", "perpetual", number()
	case rules.PerpetualLoss:
		r.Category, r.By, r.Rank = "loss", "perpetual", number()
	case rules.Open:
		r.By = "repetition"
		switch {
		case rule.repetition == rules.RepetitionDraw:
			r.Category = "draw"
		case p.Turn() == rule.first:
			r.Category = "loss"
		default:
			r.Category = "win"
		}
	}
	return r
}

// verdict is a value in words.
func verdict(p *rules.Position, v rules.Value, known bool, rule openRule) string {
	turn := capital(p.Turn().String())
	other := capital(p.Turn().Other().String())
	n := ""
	if known {
		n = " in " + plies(v.Number())
	}
	switch v.Outcome() {
	case rules.MateWin:
		return fmt.Sprintf("%s mates%s.", turn, n)
	case rules.MateLoss:
		switch {
		case p.HasMove():
			return fmt.Sprintf("%s mates%s.", other, n)
		case p.InCheck():
			return turn + " is checkmated."
		}
		return turn + " has no legal move, which loses."
	case rules.PerpetualWin:
		return fmt.Sprintf("%s wins: %s can hold out only by perpetual check, which loses%s.", turn, other, inRank(v, known))
	case rules.PerpetualLoss:
		return fmt.Sprintf("%s wins: %s can hold out only by perpetual check, which loses%s.", other, turn, inRank(v, known))
	}
	if rule.repetition == rules.RepetitionDraw {
		return "Neither side can force a win: a draw."
	}
	return fmt.Sprintf("Neither side can force a win, and %s made the first move: %s wins by repetition.",
		capital(rule.first.String()), capital(rule.first.Other().String()))
}

// inRank is the rank of a value by perpetual check, in parentheses.
func inRank(v rules.Value, known bool) string {
	if !known {
		return ""
	}
	return fmt.Sprintf(" (rank %d)", v.Number())
}

// plies is a number of plies in words.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
