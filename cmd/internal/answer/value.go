package answer

import (
	"gogotb/rules"
	"gogotb/storage"
)

// Value is a position's value, for the side to move.
type Value struct {
	Category string `json:"category"` // win, loss, draw
	By       string `json:"by"`       // mate, perpetual, repetition
	DTM      *int   `json:"dtm"`      // plies; nil unless it is by mate and known
	Rank     *int   `json:"rank"`     // nil unless it is by perpetual check and known
	Check    bool   `json:"check"`
}

// What decides an outcome.
const (
	ByMate       = "mate"
	ByPerpetual  = "perpetual"
	ByRepetition = "repetition"
)

// Categories are the names of verdicts.
var Categories = map[storage.Verdict]string{storage.Win: "win", storage.Loss: "loss", storage.Draw: "draw"}

// By returns what decides an outcome.
func By(o rules.Outcome) string {
	switch {
	case o.ByMate():
		return ByMate
	case o.ByPerpetual():
		return ByPerpetual
	}
	return ByRepetition
}

// ValueOf returns what the tables know of a position.
func ValueOf(p *rules.Position, r storage.Result, a storage.Adjudication) Value {
	o := r.Value.Outcome()
	v := Value{Category: Categories[a.Verdict(o, p.SideToMove())], By: By(o), Check: p.InCheck()}
	if n, ok := r.Value.Distance(); ok && r.Exact {
		v.DTM = &n
	}
	if n, ok := r.Value.Rank(); ok && r.Exact {
		v.Rank = &n
	}
	return v
}
