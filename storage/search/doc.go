// Package search finds the positions of a material set that have a value, or are mutual zugzwangs.
//
//	query := search.Query{Outcomes: []rules.Outcome{rules.MateWin}, Number: 35}
//	for list, err := range search.Find(ctx, set, query, search.Options{}) {
//		...
//	}
//
// Tables hold the outcomes of all positions, but the numbers of losses only; the number of a win takes a look at the
// positions after all moves. So wins in n plies are sought in one of two ways: among all wins, one by one (scan.go);
// or, where few positions are lost in n-1 plies, among the positions from which a move leads to one of these (back.go).
package search
