package mate

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

const (
	// nakedKing is lost in 8 plies.
	nakedKing      = "4k/5/5/P4/KGSBR w - 1"
	nakedKingPlies = 8
)

func mustSave(t testing.TB, s *Solver) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A search that is ended again and again, each time saved and gone on with by another solver, whose memory is not of the same
// size, comes to the right end; what is proved is never lost.
func TestSaveAndGoOn(t *testing.T) {
	pos := mustParse(t, nakedKing)
	for _, jobs := range []int{1, 2} {
		rnd := rand.New(rand.NewPCG(13, uint64(jobs)))
		s, last := New(4<<20), Bounds{0, -1}
		for ends := 0; ; ends++ {
			r := mustSolve(t, s, &pos, Options{MaxNodes: 1 + rnd.Uint64N(6000), Jobs: jobs})
			b := r.Bounds
			if b.None < last.None || last.Most >= 0 && (b.Most < 0 || b.Most > last.Most) {
				t.Fatalf("%d jobs: bounds %+v, before %+v", jobs, b, last)
			}
			last = b
			if r.Verdict != Unknown {
				if ends < 3 {
					t.Errorf("%d jobs: ended only %d times", jobs, ends)
				}
				checkAgainst(t, pos, false, 0, nakedKingPlies, r)
				break
			}
			if ends > 1000 {
				t.Fatalf("%d jobs: does not come to an end; bounds %+v", jobs, b)
			}
			saved := mustSave(t, s)
			s = New(4<<20 + rnd.Int64N(1<<20))
			if err := s.Load(bytes.NewReader(saved), &pos, false); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Progress may save while all workers work.
func TestSaveMeanwhile(t *testing.T) {
	pos := mustParse(t, endless)
	s := New(1 << 20)
	var saved []byte
	mustSolve(t, s, &pos, Options{MaxNodes: 3_000_000, Jobs: 4, Progress: func(Progress) { saved = mustSave(t, s) }})
	if saved == nil {
		saved = mustSave(t, s)
	}
	if err := New(2<<20).Load(bytes.NewReader(saved), &pos, false); err != nil {
		t.Error(err)
	}
}

// What is damaged, too short, too long, or about something else is refused, and leaves nothing behind.
func TestLoadRefuses(t *testing.T) {
	pos, other := mustParse(t, nakedKing), mustParse(t, endless)
	s := New(1)
	mustSolve(t, s, &pos, Options{MaxNodes: 2000})
	saved := mustSave(t, s)
	refuse := func(what string, data []byte, pos *rules.Position, tsume bool) {
		t.Helper()
		s := New(1)
		var wrong *SaveError
		if err := s.Load(bytes.NewReader(data), pos, tsume); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", what, err)
		}
		for i := range s.table.slots {
			if s.table.slots[i] != (slot{}) {
				t.Fatalf("%s: the table is not empty", what)
			}
		}
		if s.last != nil {
			t.Errorf("%s: bounds are known", what)
		}
	}
	refuse("another position", saved, &other, false)
	refuse("checks only", saved, &pos, true)
	refuse("a byte more", append(bytes.Clone(saved), 0), &pos, false)
	stride := 1
	if testing.Short() {
		stride = 17
	}
	for i := 0; i < len(saved); i += stride {
		damaged := bytes.Clone(saved)
		damaged[i] ^= 1 << (i % 8)
		refuse("a changed bit", damaged, &pos, false)
		refuse("cut off", saved[:i], &pos, false)
	}
	if err := New(1).Load(bytes.NewReader(saved), &pos, false); err != nil {
		t.Errorf("unchanged: %v", err)
	}
	if err := New(1).Save(&bytes.Buffer{}); err == nil {
		t.Error("nothing was asked, and is saved")
	}
}

func FuzzLoad(f *testing.F) {
	pos, err := rules.ParseSFEN(nakedKing)
	if err != nil {
		f.Fatal(err)
	}
	s := New(1)
	mustSolve(f, s, &pos, Options{MaxNodes: 200})
	f.Add(mustSave(f, s))
	f.Add([]byte(saveMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := New(1)
		var wrong *SaveError
		if err := s.Load(bytes.NewReader(data), &pos, false); err != nil && !errors.As(err, &wrong) {
			t.Errorf("%v", err)
		}
	})
}
