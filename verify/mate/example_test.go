package mate_test

import (
	"context"
	"fmt"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// In the naked-king handicap Gote, to move, is mated in eight plies.
func Example() {
	pos, err := rules.ParseSFEN("4k/5/5/P4/KGSBR w - 1")
	if err != nil {
		panic(err)
	}
	r, err := mate.Solve(context.Background(), &pos, mate.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Verdict, "in", r.Plies, "plies")
	// Output: mated in 8 plies
}
