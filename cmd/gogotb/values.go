package main

import (
	"fmt"

	"gogotb/rules"
	"gogotb/storage"
)

// valueReport is a position's value in JSON, for the side to move.
type valueReport struct {
	Category string `json:"category"`
	By       string `json:"by"`
	DTM      *int   `json:"dtm"`
	Rank     *int   `json:"rank"`
	Check    bool   `json:"check"`
}

// adjudication is the choice of --repetition and --first-player, for commands that answer
// from tables.
func (f repetitionFlags) adjudication() (storage.Adjudication, error) {
	a := storage.Adjudication{Repetition: f.repetition()}
	if a.Repetition == rules.Inventor {
		return a, usagef("--repetition inventor: there are no tables for it; the command game knows it")
	}
	if first := f.firstPlayer(); first != nil {
		a.FirstPlayer = *first
	}
	return a, nil
}

// Names of outcomes in JSON, and of choices of find.
const (
	byMate       = "mate"
	byPerpetual  = "perpetual"
	byRepetition = "repetition"
)

var categories = map[storage.Verdict]string{storage.Win: "win", storage.Loss: "loss", storage.Draw: "draw"}

// by is what decides an outcome.
func by(o rules.Outcome) string {
	switch o {
	case rules.MateWin, rules.MateLoss:
		return byMate
	case rules.PerpetualWin, rules.PerpetualLoss:
		return byPerpetual
	}
	return byRepetition
}

// reportValue is what the tables know of a position in the terms of JSON.
func reportValue(p *rules.Position, r storage.Result, a storage.Adjudication) valueReport {
	o := r.Value.Outcome()
	v := valueReport{Category: categories[a.Verdict(o, p.Turn())], By: by(o), Check: p.InCheck()}
	if r.Exact {
		switch v.By {
		case byMate:
			v.DTM = pointer(r.Value.Number())
		case byPerpetual:
			v.Rank = pointer(r.Value.Number())
		}
	}
	return v
}

// verdict is what the tables know of a position in words.
func verdict(p *rules.Position, r storage.Result, a storage.Adjudication) string {
	turn, other := capital(p.Turn().String()), capital(p.Turn().Other().String())
	winner, loser := turn, other
	switch r.Value.Outcome() {
	case rules.MateLoss, rules.PerpetualLoss:
		winner, loser = other, turn
	}
	switch by(r.Value.Outcome()) {
	case byMate:
		switch {
		case winner == turn || p.HasMove():
			return winner + " mates" + number(r, " in %s", plies) + "."
		case p.InCheck():
			return turn + " is checkmated."
		}
		return turn + " has no legal move, which loses."
	case byPerpetual:
		return winner + " wins: " + loser + " can hold out only by perpetual check, which loses" + number(r, " (rank %s)", comma) + "."
	}
	if a.Repetition == rules.FirstPlayerLoses {
		first := a.FirstPlayer
		return fmt.Sprintf("Neither side can force a win: %s made the first move, and loses by repetition.", capital(first.String()))
	}
	return "Neither side can force a win: a draw."
}

// moveVerdict is what a move comes to for the side that makes it, given what is known of
// the position after it. Plies are counted with the move.
func moveVerdict(after *rules.Position, r storage.Result, a storage.Adjudication) string {
	mover := -a.Verdict(r.Value.Outcome(), after.Turn())
	how := map[storage.Verdict]string{storage.Win: "wins", storage.Loss: "loses", storage.Draw: "draws"}[mover]
	switch by(r.Value.Outcome()) {
	case byMate:
		if mover == storage.Loss {
			return how + ", mated" + number(r, " in %s", func(n int) string { return plies(n + 1) })
		}
		return how + ", mate" + number(r, " in %s", func(n int) string { return plies(n + 1) })
	case byPerpetual:
		return how + " by perpetual check" + number(r, ", rank %s", comma)
	}
	return how + " by repetition"
}

// number puts the number of a value into a text, or is empty if the number is not known.
func number(r storage.Result, format string, words func(int) string) string {
	if !r.Exact {
		return ""
	}
	return fmt.Sprintf(format, words(r.Value.Number()))
}

// plies is a number of plies in words.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
