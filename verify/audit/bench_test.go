package audit

import "testing"

// BenchmarkValues audits whole sets in memory, the distances of won positions left out.
func BenchmarkValues(b *testing.B) {
	for _, set := range []string{"P", "SS", "RB"} {
		b.Run(set, func(b *testing.B) {
			s := withoutWins(solve(b, set))
			for b.Loop() {
				complain(b, audited(b, s, Options{}))
			}
		})
	}
}
