package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/storage"
)

// plan is what a set is expected to need. Everything but the number of positions is an estimate.
type plan struct {
	material  index.Material
	solve     retro.Options // how it is solved
	positions uint64        // of the perfect index, illegal placements included
	memory    uint64        // bytes at the peak
	scratch   uint64        // bytes of the checkpoint and of the scratch file
	disk      uint64        // bytes of both tables
	time      time.Duration
	limited   time.Duration // the same where no more memory holds the scratch file
}

// planSet plans a set with a number of workers, in parts if there are more than one, within bytes of memory, if not 0, and with a scratch
// file in dir.
func planSet(m index.Material, jobs, parts int, memory uint64, dir string) (plan, error) {
	x, err := index.New(m)
	if err != nil {
		return plan{}, err
	}
	p := plan{material: m, solve: retro.Options{
		Workers: jobs,
		Memory:  memory,
		Scratch: dir,
		Beside:  storage.WriterMemory(x, storage.WriterOptions{Workers: jobs}),
	}}
	if parts > 1 {
		p.solve.Parts = parts
	}
	e, err := retro.EstimateSolve(m, p.solve)
	var low *retro.MemoryError
	if errors.As(err, &low) {
		err = fmt.Errorf("--memory: %w", err)
	}
	if err != nil {
		return plan{}, err
	}
	disk, err := storage.EstimateSize(m)
	if err != nil {
		return plan{}, err
	}
	p.positions, p.memory, p.time, p.limited = e.Positions, e.Memory, e.Time, e.Limited
	p.scratch, p.disk = e.Scratch+e.Checkpoint, uint64(disk)
	return p, nil
}

// printPlans returns the answer to --estimate.
func printPlans(w io.Writer, plans []plan) {
	t := newTable(w, "set", "positions", "memory", "scratch", "tables", "time", "limited")
	sum := plan{}
	row := func(name string, p plan) {
		t.row(name, comma(p.positions), humanize.IBytes(p.memory), humanize.IBytes(p.scratch), humanize.IBytes(p.disk), roundTime(p.time), roundTime(p.limited))
	}
	for _, p := range plans {
		row(p.material.String(), p)
		sum.positions += p.positions
		sum.memory = max(sum.memory, p.memory)
		sum.scratch = max(sum.scratch, p.scratch)
		sum.disk += p.disk
		sum.time += p.time
		sum.limited += p.limited
	}
	if len(plans) > 1 {
		row(countSets(len(plans)), sum)
	}
	t.flush()
}

// roundTime returns a time that nobody knows better: to a tenth of a second, or a second if it is
// longer than a minute.
func roundTime(d time.Duration) string {
	if d < time.Minute {
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Second).String()
}
