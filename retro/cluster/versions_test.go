package cluster

import (
	"errors"
	"strings"
	"testing"

	"gogotb/index"
)

// TestOthersAreRefused: a worker of another version, other rules or other tables is refused with a line that says which,
// by workers, servers, plans and buckets.
func TestOthersAreRefused(t *testing.T) {
	f := newFleet(t)
	address, _ := newFolder(t)
	for _, c := range []struct {
		change func(*Versions)
		want   string
	}{
		{func(v *Versions) { v.Program = "gogotb 9.9.9" }, "this worker has the program gogotb 9.9.9, and the worker "},
		{func(v *Versions) { v.Rules++ }, "this worker has the rules 2, and the worker "},
		{func(v *Versions) { v.Tables++ }, "this worker has the format of tables 4, and the worker "},
		{func(v *Versions) { v.Protocol++ }, "this worker has the protocol 2, and the worker "},
	} {
		other := f.worker(t)
		c.change(&other.opt.Versions)
		present := f.prepared(t)
		entry, err := present.control.claim(t.Context(), memberPrefix+present.name, present.entry())
		if err != nil {
			t.Fatal(err)
		}
		var refused *VersionError
		if err := other.Run(t.Context()); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want+present.name+" has ") {
			t.Errorf("it joins: %v, want %q", err, c.want)
		}
		if _, err := (&Client{f.client.control, other.opt.Versions}).Submit(t.Context(), NewPlan(other.opt.Versions, address, parse(t, "P"), 0, 0), nil); !errors.As(err, &refused) {
			t.Errorf("it submits: %v", err)
		}
		entry.release()
	}
	// Nobody is there, but a plan is.
	f.submit(t, NewPlan(testVersions, address, parse(t, "P"), 0, 0))
	other := f.worker(t)
	other.opt.Versions.Rules++
	if err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the plan ") {
		t.Errorf("it joins: %v", err)
	}
	// And neither, but a bucket is.
	g := newFleet(t)
	changed := testVersions
	changed.Rules++
	if _, err := (&Client{g.client.control, changed}).Submit(t.Context(), NewPlan(changed, address, parse(t, "P"), 0, 0), nil); err == nil || !strings.Contains(err.Error(), "the bucket "+address) {
		t.Errorf("it takes the bucket: %v", err)
	}
}

// TestForgedPlan: what is under the name of another plan is not worked on.
func TestForgedPlan(t *testing.T) {
	f := newFleet(t)
	address, _ := newFolder(t)
	p := NewPlan(testVersions, address, parse(t, "P"), 0, 0)
	if _, err := f.client.control.plans.Put(t.Context(), planPrefix+"0123456789ab", planText(t, p)); err != nil {
		t.Fatal(err)
	}
	w := f.prepared(t)
	if j, err := w.next(t.Context(), w.can); j != nil || err != nil {
		t.Errorf("it gets %v, %v", j, err)
	}
	if said := f.journal.String(); !strings.Contains(said, "the plan 0123456789ab has the content of another plan, "+p.ID()) {
		t.Errorf("it says %q", said)
	}
}

func TestPlan(t *testing.T) {
	a := NewPlan(testVersions, "file:///a", parse(t, "P", "SP", "R", "P"), 10, 1)
	b := NewPlan(testVersions, "file:///a", parse(t, "R", "P", "SP"), 10, 1)
	if a.ID() != b.ID() {
		t.Error("the order of sets makes another plan")
	}
	var names []string
	for _, task := range a.tasks() {
		names = append(names, task.String())
	}
	// P has fewer placements than R: a pawn does not stand on the last rank.
	if got, want := strings.Join(names, ", "), "make SP, make R, make P, audit P, audit R, audit SP"; got != want {
		t.Errorf("tasks %s, want %s", got, want)
	}
	changed := b
	changed.Sample++
	if changed.ID() == a.ID() {
		t.Error("another sample is no other plan")
	}
}

// TestRoom: a set goes to who has the memory for it, and what is missing is said.
func TestRoom(t *testing.T) {
	make4 := task{kind: makeTask, set: parse(t, "RBSP")[0]}
	for _, c := range []struct {
		room Room
		fits bool
	}{{Room{0, 2, false}, true}, {Room{64 << 30, 2, false}, true}, {Room{1 << 30, 2, false}, false}, {Room{4 << 30, 2, false}, false}, {Room{4 << 30, 2, true}, true}} {
		if err := c.room.fits(make4); (err == nil) != c.fits {
			t.Errorf("RBSP in %+v: %v", c.room, err)
		}
	}
	if text := tooLarge(make4, []Room{{1 << 30, 2, false}, {2 << 30, 2, false}}); !strings.Contains(text, "RBSP needs about") || !strings.Contains(text, "2.0 GiB") {
		t.Errorf("too large: %q", text)
	}
	if text := tooLarge(make4, []Room{{1 << 30, 2, false}, {0, 2, false}}); text != "" {
		t.Errorf("it is too large although one has the room: %q", text)
	}
}

// FuzzPlan: whatever NATS has is refused or is a plan of that name, with sets that there are.
func FuzzPlan(f *testing.F) {
	p := NewPlan(testVersions, "file:///a", parse(f, "P", "SP"), 10, 1)
	f.Add(p.ID(), planText(f, p))
	q := p
	q.Sets = []string{"PS", "", "XX", "RRRR"}
	f.Add(q.ID(), planText(f, q))
	f.Add("", []byte("{}"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		a, err := readPlan(name, text)
		if err != nil {
			return
		}
		if a.Plan.ID() != name {
			t.Errorf("the plan %s is %s", name, a.Plan.ID())
		}
		for _, set := range a.Plan.Sets {
			if m, err := index.ParseMaterial(set); err != nil || m.PieceCount() > index.MaxPieces {
				t.Errorf("it has the set %q", set)
			}
		}
	})
}
