package puzzle

import (
	"context"
	"testing"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
)

// values is a table made for a test.
type values struct {
	index  *index.Index
	values []rules.Value
}

func makeValues(t testing.TB, material string) *values {
	t.Helper()
	m, err := index.ParseMaterial(material)
	if err != nil {
		t.Fatal(err)
	}
	s, err := retro.Solve(context.Background(), m, retro.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := &values{index: s.Index()}
	if _, err := s.Values(context.Background(), func(part []rules.Value) error {
		v.values = append(v.values, part...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *values) table(p *rules.Position) (rules.Value, bool) {
	if index.MaterialOf(p) != v.index.Material() {
		return 0, false
	}
	i, err := v.index.Rank(p)
	if err != nil {
		return 0, false
	}
	return v.values[i], true
}

// exactly answers from the table as brute does by trying.
func (v *values) exactly(p rules.Position, n int) bool {
	value, ok := v.table(&p)
	outcome := rules.MateLoss
	if n%2 == 1 {
		outcome = rules.MateWin
	}
	return ok && value == rules.MakeValue(outcome, n)
}
