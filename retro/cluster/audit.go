package cluster

import (
	"context"
	"errors"

	"gogotb/retro/cluster/bucket"
	"gogotb/storage"
	"gogotb/verify/audit"
)

// Report is what an audit of a set in the bucket has found.
type Report struct {
	Set     string   `json:"set"`
	Worker  string   `json:"worker"`
	Sample  int      `json:"sample"`
	Seed    uint64   `json:"seed"`
	Checked uint64   `json:"checked"`
	Sound   bool     `json:"sound"`
	Faults  []string `json:"faults"`
}

// auditSet audits random positions of a set, from a copy of its tables in the bucket.
func (j *job) auditSet(ctx context.Context) error {
	dir, err := j.worker.scratch.folder(j.task)
	if err != nil {
		return err
	}
	made, err := j.store.result(ctx, j.task.set)
	if err != nil {
		return err
	}
	j.say("fetching the tables", 0)
	if err := j.store.fetchTables(ctx, dir, &made); err != nil {
		return err
	}
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		return err
	}
	defer tables.Close()
	s, err := tables.Set(j.task.set)
	if err != nil {
		return err
	}
	p := &j.task.plan
	opt := audit.Options{Workers: j.worker.opt.Room.Jobs, Memory: j.worker.opt.Room.Memory / 2, Progress: func(at audit.Progress) {
		j.say("auditing", float64(at.Done)/float64(max(at.Total, 1)))
	}}
	found, err := audit.Sample(ctx, s, p.Sample, p.Seed, opt)
	if err != nil {
		return err
	}
	r := Report{Set: j.task.set.String(), Worker: j.worker.name, Sample: p.Sample, Seed: p.Seed, Checked: found.Checked, Sound: found.OK(), Faults: []string{}}
	for _, f := range found.Faults {
		r.Faults = append(r.Faults, f.Error())
	}
	for _, f := range found.Statistics {
		r.Faults = append(r.Faults, f.Error())
	}
	err = putJSON(ctx, j.store, j.task.auditKey(), r)
	if errors.Is(err, bucket.ErrExists) {
		return nil // another has audited it, too
	}
	return err
}
