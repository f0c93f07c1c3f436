package main

import (
	"fmt"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/storage"
)

// adjudication returns the choice of --repetition and --first-player, for commands that answer
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

// verdict returns what the tables know of a position in words.
func verdict(p *rules.Position, r storage.Result, a storage.Adjudication) string {
	sideToMove, other := capital(p.SideToMove().String()), capital(p.SideToMove().Other().String())
	winner, loser := sideToMove, other
	if r.Value.Loses() {
		winner, loser = other, sideToMove
	}
	switch answer.By(r.Value.Outcome()) {
	case answer.ByMate:
		switch {
		case winner == sideToMove || p.HasMove():
			return winner + " mates" + number(r, " in %s", plies) + "."
		case p.InCheck():
			return sideToMove + " is checkmated."
		}
		return sideToMove + " has no legal move, which loses."
	case answer.ByPerpetual:
		return winner + " wins: " + loser + " can hold out only by perpetual check, which loses" + number(r, " (rank %s)", comma) + "."
	}
	if a.Repetition == rules.FirstPlayerLoses {
		first := a.FirstPlayer
		return fmt.Sprintf("Neither side can force a win: %s made the first move, and loses by repetition.", capital(first.String()))
	}
	return "Neither side can force a win: a draw."
}

// moveVerdict returns what a move comes to for the side that makes it, given what is known of
// the position after it. Plies are counted with the move.
func moveVerdict(after *rules.Position, r storage.Result, a storage.Adjudication) string {
	mover := -a.Verdict(r.Value.Outcome(), after.SideToMove())
	how := map[storage.Verdict]string{storage.Win: "wins", storage.Loss: "loses", storage.Draw: "draws"}[mover]
	switch answer.By(r.Value.Outcome()) {
	case answer.ByMate:
		if mover == storage.Loss {
			return how + ", mated" + number(r, " in %s", func(n int) string { return plies(n + 1) })
		}
		return how + ", mate" + number(r, " in %s", func(n int) string { return plies(n + 1) })
	case answer.ByPerpetual:
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

// plies returns a number of plies in words.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
