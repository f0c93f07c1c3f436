package rules

import (
	"errors"
	"testing"
)

// What ParseSFEN accepts is legal, has a normal form that reads back as itself, and its
// moves can be made; what it refuses, it refuses with a place inside the text.
func FuzzParseSFEN(f *testing.F) {
	f.Add(StartSFEN)
	for _, h := range Handicaps {
		f.Add(h.SFEN)
	}
	f.Add("1+B2k/2S2/1r3/1P3/K1+p2 w B2Gsr 12")
	f.Add("3rk/5/3G1/5/5 b P")
	f.Add("4k/05/5/5/K4 b 1P 0 1")
	f.Add("++k/é//-1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseSFEN(text)
		if err != nil {
			var e *SFENError
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len(text)+1 || e.Text == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		normal := p.SFEN()
		q, err := ParseSFEN(normal)
		if err != nil || q != p || q.SFEN() != normal {
			t.Fatalf("%q is written %q, read back %v, %v", text, normal, &q, err)
		}
		for _, m := range p.Moves(nil) {
			u := p.Make(m)
			if p != recomputed(&p) || p.Validate() != nil {
				t.Fatalf("%q: %v", text, m)
			}
			p.Unmake(u)
		}
	})
}

// A move in USI has one spelling.
func FuzzParseUSI(f *testing.F) {
	for _, text := range []string{"5e4d", "5b5a+", "G*3c", "P*1b", "5e5e", "K*3c", "5e4d+ ", "é*3c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseUSI(text)
		if err != nil {
			var e *MoveError
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len(text)+1 || m != 0 {
				t.Fatalf("%q: %v, %#v", text, m, err)
			}
			return
		}
		if m.USI() != text || !m.wellFormed() {
			t.Fatalf("%q is read as %v", text, m)
		}
	})
}

// What ParseWestern reads is legal; written again, the move is at most shorter by an origin
// that was not needed.
func FuzzParseWestern(f *testing.F) {
	for _, seed := range [][2]string{
		{StartSFEN, "G-44"}, {StartSFEN, "Rx12"}, {StartSFEN, "G45-44"},
		{"4k/5/G1G2/5/K4 b RP 1", "G33-43"}, {"4k/5/G1G2/5/K4 b RP 1", "R*33"},
		{"4k/2S2/5/5/K4 b - 1", "S-31="}, {"4k/2S2/5/5/K4 b - 1", "S-31+"},
		{"4k/5/2p2/2+R2/K4 b - 1", "+Rx33"}, {"4k/5/5/5/K4 w - 1", "+é*9"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, sfen, text string) {
		p, err := ParseSFEN(sfen)
		if err != nil {
			return
		}
		m, err := p.ParseWestern(text)
		if err != nil {
			var bad *MoveError
			var illegal *IllegalMoveError
			if errors.As(err, &bad) && bad.Column >= 1 && bad.Column <= len(text)+1 || errors.As(err, &illegal) {
				return
			}
			t.Fatalf("%s %q: %#v", sfen, text, err)
		}
		if err := p.Legal(m); err != nil {
			t.Fatalf("%s %q: %v", sfen, text, err)
		}
		if again := p.Western(m); again != text && len(again) != len(text)-2 {
			t.Fatalf("%s: %q is written %q", sfen, text, again)
		}
	})
}
