package index

import (
	"errors"
	"strings"
	"testing"

	"gogotb/rules"
)

func TestParseMaterial(t *testing.T) {
	for text, want := range map[string]Material{
		"none":       {},
		"R":          {1, 0, 0, 0, 0},
		"GSP":        {0, 0, 1, 1, 1},
		"PSG":        {0, 0, 1, 1, 1},
		"PRPR":       {2, 0, 0, 0, 2},
		"RRBBGGSSPP": {2, 2, 2, 2, 2},
	} {
		if got, err := ParseMaterial(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseMaterialErrors(t *testing.T) {
	for text, offset := range map[string]int{
		"":      0,
		"K":     0,
		"gsp":   0,
		"GSX":   2,
		"G P":   1,
		"PPP":   2,
		"SPSGS": 4,
		"None":  0,
		"GSP\n": 3,
		"Gé":    1,
	} {
		m, err := ParseMaterial(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != offset || syntax.Text != text || m != (Material{}) {
			t.Errorf("%q: %v, %#v; want an error at offset %d", text, m, err, offset)
		}
	}
}

func TestMaterialString(t *testing.T) {
	for want, m := range map[string]Material{
		"none":       {},
		"GSP":        {0, 0, 1, 1, 1},
		"RRP":        {2, 0, 0, 0, 1},
		"RRBBGGSSPP": {2, 2, 2, 2, 2},
	} {
		if got := m.String(); got != want {
			t.Errorf("%v: %s, want %s", [5]uint8(m), got, want)
		}
	}
}

func TestSets(t *testing.T) {
	want := "none R B G S P RR RB RG RS RP BB BG BS BP GG GS GP SS SP PP"
	var names []string
	for _, m := range Sets(2) {
		names = append(names, m.String())
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("sets of up to two pieces: %s\nwant %s", got, want)
	}
	// Coefficients of (1 + x + x^2)^5, the ways to take up to two of each of five kinds.
	sizes := []int{1, 5, 15, 30, 45, 51, 45, 30, 15, 5, 1}
	total := 0
	for n, size := range sizes {
		total += size
		sets := Sets(n)
		if len(sets) != total {
			t.Errorf("%d sets of up to %d pieces, want %d", len(sets), n, total)
		}
		for _, m := range sets[total-size:] {
			if m.PieceCount() != n {
				t.Errorf("%s is among the sets of %d pieces", m, n)
			}
		}
	}
	if got := len(Sets(99)); got != 243 {
		t.Errorf("%d sets in all, want 243", got)
	}
}

func TestMaterialOf(t *testing.T) {
	for sfen, want := range map[string]string{
		"5/k4/5/2K2/5 b - 1":               "none",
		"rbsgk/4p/5/P4/KGSBR b - 1":        "RRBBGGSSPP",
		"5/k3+r/5/2K1+b/5 w Rp 1":          "RRBP",
		"2+p2/k3+s/5/2K2/5 b 2G 1":         "GGSP",
		"2+p2/k3+s/5/2K2/5 w Pg 1":         "GSPP",
		"4k/5/5/5/5 b 2R2B2G2S2P 1":        "RRBBGGSSPP", // one king
		"4k/5/+P+S3/+B+R3/2K2 b rbsp2g 20": "RRBBGGSSPP",
	} {
		p, err := rules.ParseSFEN(sfen)
		if err != nil {
			t.Fatal(err)
		}
		if got := MaterialOf(&p).String(); got != want {
			t.Errorf("%s: %s, want %s", sfen, got, want)
		}
	}
}

func FuzzParseMaterial(f *testing.F) {
	for _, text := range []string{"none", "", "GSP", "PSG", "PPP", "RRBBGGSSPP", "k", "G\x00", "Gé", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMaterial(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		for k, letter := range []string{"R", "B", "G", "S", "P"} {
			if n := strings.Count(text, letter); text != "none" && (n != int(m[k]) || n > 2) {
				t.Errorf("%q: %d %s, parsed as %d", text, n, letter, m[k])
			}
		}
		if text != "none" && len(text) != m.PieceCount() {
			t.Errorf("%q has %d pieces?", text, m.PieceCount())
		}
		if again, err := ParseMaterial(m.String()); err != nil || again != m {
			t.Errorf("%q is written %q, which reads as %v, %v", text, m, again, err)
		}
	})
}
