//go:build long

package puzzle

import "testing"

// TestShippedGamesLong checks every puzzle from games as TestShippedGames does some.
func TestShippedGamesLong(t *testing.T) {
	for _, p := range shippedGames(t) {
		checkShipped(t, p)
	}
}
