package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
	"gogotb/rules"
)

// planInParts is a plan for sets that are all made in so many parts.
func planInParts(t testing.TB, address string, parts int, names ...string) Plan {
	p := NewPlan(testVersions, address, parse(t, names...), 0, 0)
	p.Divide(parse(t, names...), parts)
	return p
}

// TestParts makes sets in parts by workers of which one has room for all parts, or each for some. The tables are those of
// one machine, no step is computed twice, and nothing of the parts is left.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		parts, workers int
		sets           []string
	}{{1, 1, []string{"none"}}, {2, 2, []string{"P"}}, {3, 1, []string{"GP"}}, {7, 3, []string{"B"}}} {
		t.Run(fmt.Sprint(c.parts), func(t *testing.T) {
			f := newFleet(t)
			address, folder := newFolder(t)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			buckets := make([]*mortal, c.workers)
			for i := range buckets {
				var w *Worker
				w, buckets[i], _ = f.watched(t, address, &mortal{calls: math.MaxInt})
				f.run(t, ctx, w)
			}
			checkDone(t, f.submit(t, planInParts(t, address, c.parts, c.sets...)), folder, c.sets...)
			stop()
			f.all.Wait()
			for _, b := range buckets {
				if b.again > 0 {
					t.Errorf("%d objects of steps were put again", b.again)
				}
			}
			for _, prefix := range []string{"steps/", "results/", endedPrefix} {
				if left := keysOf(t, folder, prefix); left != nil {
					t.Errorf("left in the bucket: %q", left)
				}
			}
		})
	}
}

// TestPartsKilled kills workers before and after they put something; others go on from what is in the bucket.
func TestPartsKilled(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	following := f.submit(t, planInParts(t, address, 3, "P"))
	random := rand.New(rand.NewPCG(3, 5))
	for i := range 6 {
		w, _, dead := f.watched(t, address, &mortal{calls: 3 + random.IntN(60), after: random.IntN(2) == 0, reads: i%2 == 0})
		f.run(t, dead, w)
		<-dead.Done()
	}
	ctx, stop := context.WithCancel(t.Context())
	f.run(t, ctx, f.worker(t))
	f.run(t, ctx, f.worker(t))
	checkDone(t, following, folder, "P")
	stop()
	if !strings.Contains(f.journal.String(), "goes on from the steps") {
		t.Error("nobody has gone on from what was in the bucket")
	}
}

// TestPartsDamaged: an object of a step with another byte, or that is missing, ends the set with an error that names it.
// Going back to that step makes it again.
func TestPartsDamaged(t *testing.T) {
	for name, harm := range map[string]func(file string) error{
		"another byte": func(file string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			text[len(text)-3] ^= 4
			return os.WriteFile(file, text, 0o644)
		},
		"missing": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			address, folder := newFolder(t)
			p := planInParts(t, address, 2, "B")
			f.submit(t, p)
			w, dead := f.mortal(t, address, 40, true)
			f.run(t, dead, w)
			<-dead.Done()
			f.all.Wait()
			division, err := partsOf(parse(t, "B")[0], 2)
			if err != nil {
				t.Fatal(err)
			}
			const step = 6
			key := stepKey(division, step, 1)
			if err := harm(filepath.Join(folder, filepath.FromSlash(key))); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			f.run(t, ctx, f.worker(t))
			following := f.submit(t, p)
			failed := ""
			for _, one := range await(t, following).Tasks {
				if one.State == Done {
					t.Errorf("%s is done", one.Task)
				}
				if one.Failure != nil {
					failed += one.Failure.Error
				}
			}
			if !strings.Contains(failed, key) || !strings.Contains(failed, "damaged") {
				t.Errorf("the failures are %q", failed)
			}
			idle, err := f.prepared(t).control.claim(t.Context(), taskPrefix+following.store.id+"."+partTask+"."+partName(division, 0), Holding{})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.client.GoBack(t.Context(), p, step); err == nil {
				t.Error("it goes back while a part is at work")
			}
			idle.release()
			if err := f.client.GoBack(t.Context(), p, step); err != nil {
				t.Fatal(err)
			}
			checkDone(t, f.submit(t, p), folder, "B")
		})
	}
}

// TestPartsDiffer: of two workers who have found different things in a step one is broken.
func TestPartsDiffer(t *testing.T) {
	address, _ := newFolder(t)
	b, err := bucket.Open(t.Context(), address, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStore(t.Context(), b, address, testVersions)
	if err != nil {
		t.Fatal(err)
	}
	p, err := partsOf(parse(t, "GP")[0], 2)
	if err != nil {
		t.Fatal(err)
	}
	h := deltaHead{Set: "GP", Plan: p.Name(), Worker: "one"}
	row := []byte{0, 1, 0, 0, 0, 1, 0, 0, 0}
	delta := retro.Delta{Kind: retro.Wins, Value: rules.MakeValue(rules.MateWin, 1), Rows: row}
	key := stepKey(p, 0, 0)
	if err := s.putDeltas(t.Context(), key, h, p.Readers, []retro.Delta{delta}); err != nil {
		t.Fatal(err)
	}
	h.Worker = "two"
	if err := s.putDeltas(t.Context(), key, h, p.Readers, []retro.Delta{delta}); err != nil {
		t.Errorf("the same again: %v", err)
	}
	delta.Rows = bytes.Replace(row, []byte{1}, []byte{2}, 1)
	var conflict *ConflictError
	err = s.putDeltas(t.Context(), key, h, p.Readers, []retro.Delta{delta})
	if !errors.As(err, &conflict) || conflict.This != "two" || conflict.Other != "one" || conflict.Key != key {
		t.Errorf("another one: %v", err)
	}
}

// TestPartsTooLate: a part that goes on when the set is done waits for nobody, and leaves nothing in the bucket.
func TestPartsTooLate(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	p := planInParts(t, address, 2, "none")
	ctx, stop := context.WithCancel(t.Context())
	f.run(t, ctx, f.worker(t))
	checkDone(t, f.submit(t, p), folder, "none")
	stop()
	f.all.Wait()
	w := f.worker(t)
	var err error
	if w.control, err = openControl(t.Context(), w.conn, DefaultLease); err != nil {
		t.Fatal(err)
	}
	if w.scratch, err = newScratch(w.opt.Folder); err != nil {
		t.Fatal(err)
	}
	defer w.scratch.remove()
	s, err := w.open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range p.tasks() {
		if one.kind != partTask {
			continue
		}
		j := &job{worker: w, task: one, store: s, room: w.opt.Room, log: w.log}
		if err := j.solvePart(t.Context()); err != nil {
			t.Errorf("%s: %v", one, err)
		}
	}
	if left := keysOf(t, folder, "steps/"); left != nil {
		t.Errorf("left in the bucket: %q", left)
	}
}
