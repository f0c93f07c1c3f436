package main

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
)

// plan is what a set is expected to need. Everything but the number of positions is an estimate.
type plan struct {
	material  index.Material
	positions uint64 // of the perfect index, illegal placements included
	memory    uint64 // bytes at the peak
	disk      uint64 // bytes of both tables
	time      time.Duration
}

// What sets of three pieces were measured to need, for each position of the index.
const (
	memoryPerPosition = 4.0 // bytes
	diskPerPosition   = 0.2 // bytes
	timePerPosition   = 80 * time.Nanosecond
	memoryBase        = 64 << 20
)

func planSet(m index.Material) (plan, error) {
	x, err := index.New(m)
	if err != nil {
		return plan{}, err
	}
	n := float64(x.Size())
	return plan{
		material:  m,
		positions: x.Size(),
		memory:    memoryBase + uint64(n*memoryPerPosition),
		disk:      uint64(n * diskPerPosition),
		time:      time.Duration(n * float64(timePerPosition)),
	}, nil
}

// printPlans is the answer to --estimate.
func printPlans(w io.Writer, plans []plan) {
	t := newTable(w, "set", "positions", "memory", "disk", "time")
	sum := plan{}
	row := func(name string, p plan) {
		t.row(name, comma(p.positions), humanize.IBytes(p.memory), humanize.IBytes(p.disk), p.time.Round(time.Second/10).String())
	}
	for _, p := range plans {
		row(p.material.String(), p)
		sum.positions += p.positions
		sum.memory = max(sum.memory, p.memory)
		sum.disk += p.disk
		sum.time += p.time
	}
	row(fmt.Sprintf("%d sets", len(plans)), sum)
	t.flush()
}
