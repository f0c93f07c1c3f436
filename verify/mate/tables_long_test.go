//go:build long

package mate

import "testing"

// TestEqualToTablesOfThree compares with whole tables of three pieces, which take minutes to make and some hundred megabytes. Run it with
//
//	make mate-tables-3
func TestEqualToTablesOfThree(t *testing.T) {
	for _, set := range []string{"GSP", "RGP", "BSP", "SPP"} {
		t.Run(set, func(t *testing.T) { compareToTable(t, set, 1000, 7) })
	}
}
