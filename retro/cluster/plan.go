package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/storage"
)

// Plan is what a fleet is to do.
type Plan struct {
	Versions Versions `json:"versions"`
	Bucket   string   `json:"bucket"` // address
	Sets     []string `json:"sets"`
	Sample   int      `json:"sample"` // positions of each set to audit; 0: no audits
	Seed     uint64   `json:"seed"`   // of the samples
	// Parts are the sets that are made in parts, and in how many.
	Parts map[string]int `json:"parts,omitempty"`
}

// NewPlan returns a plan for sets, whose order makes no difference; none of them is made in parts.
func NewPlan(v Versions, address string, sets []index.Material, sample int, seed uint64) Plan {
	p := Plan{Versions: v, Bucket: address, Sample: sample, Seed: seed}
	for _, m := range sets {
		p.Sets = append(p.Sets, m.String())
	}
	slices.Sort(p.Sets)
	p.Sets = slices.Compact(p.Sets)
	return p
}

// Divide has sets of the plan made in a number of parts, 1 to retro.MaxParts.
func (p *Plan) Divide(sets []index.Material, parts int) {
	p.Parts = map[string]int{}
	for _, m := range sets {
		p.Parts[m.String()] = parts
	}
}

// ID returns the plan's name: the hash of its content.
func (p *Plan) ID() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it has nothing that cannot be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// PlanError says that something that pretends to be a plan is none.
type PlanError struct {
	Plan string
	Why  string
}

func (e *PlanError) Error() string { return fmt.Sprintf("refused: the plan %s %s", e.Plan, e.Why) }

// readPlan reads what NATS has under the name of a plan.
func readPlan(name string, text []byte) (announced, error) {
	var a announced
	if err := json.Unmarshal(text, &a); err != nil {
		return a, &PlanError{name, "cannot be read: " + err.Error()}
	}
	if id := a.Plan.ID(); id != name {
		return a, &PlanError{name, "has the content of another plan, " + id}
	}
	for _, set := range a.Plan.Sets {
		m, err := index.ParseMaterial(set)
		if err == nil && (m.String() != set || m.PieceCount() > index.MaxPieces) {
			err = errors.New("there is no such set")
		}
		if err != nil {
			return a, &PlanError{name, fmt.Sprintf("has the set %q: %v", set, err)}
		}
		if n, ok := a.Plan.Parts[set]; ok {
			if _, err := partsOf(m, n); err != nil {
				return a, &PlanError{name, fmt.Sprintf("has the set %s in %v", set, err)}
			}
		}
	}
	return a, nil
}

// announced is a plan in NATS.
type announced struct {
	Plan      Plan `json:"plan"`
	Cancelled bool `json:"cancelled"`
}

// Kinds of tasks.
const (
	makeTask  = "make"
	partTask  = "part"
	auditTask = "audit"
)

// task is a part of a plan that one worker does.
type task struct {
	kind  string
	set   index.Material
	plan  Plan
	parts *retro.Plan // nil: the set is not made in parts
	part  int
}

func (t task) String() string {
	if t.kind == partTask {
		return fmt.Sprintf("%s %d of %d of %s", t.kind, t.part, t.parts.Parts(), t.set)
	}
	return t.kind + " " + t.set.String()
}

// key names a task, in NATS and in the bucket. The same set in two plans for one bucket is one task.
func (t task) key() string {
	switch t.kind {
	case auditTask:
		return fmt.Sprintf("audit.%s.%d.%d", t.set, t.plan.Sample, t.plan.Seed)
	case partTask:
		return partTask + "." + partName(t.parts, t.part)
	}
	return t.kind + "." + t.set.String()
}

// ready tells whether what a task needs is there.
func (t task) ready(finished map[string]bool) bool {
	switch {
	case t.kind == auditTask:
		return finished[makeTask+"."+t.set.String()]
	case t.kind == makeTask && t.parts != nil:
		for part := range t.parts.Parts() {
			if !finished[partTask+"."+partName(t.parts, part)] {
				return false
			}
		}
	}
	return true
}

// tasks returns what a plan comes to: the sets to make, the largest first, each after its parts, then those to audit, the
// smallest first, which are there first.
func (p *Plan) tasks() []task {
	sizes := map[index.Material]uint64{}
	var sets []index.Material
	for _, name := range p.Sets {
		m, err := index.ParseMaterial(name)
		if err != nil {
			continue // readPlan has seen to it
		}
		if x, err := index.New(m); err == nil {
			sizes[m] = x.Size()
			sets = append(sets, m)
		}
	}
	slices.SortStableFunc(sets, func(a, b index.Material) int { return cmp.Compare(sizes[b], sizes[a]) })
	var tasks []task
	for _, m := range sets {
		whole := task{kind: makeTask, set: m, plan: *p}
		if n, ok := p.Parts[m.String()]; ok {
			parts, err := partsOf(m, n)
			if err != nil {
				continue // likewise
			}
			whole.parts = parts
			for part := range n {
				tasks = append(tasks, task{partTask, m, *p, parts, part})
			}
		}
		tasks = append(tasks, whole)
	}
	if p.Sample > 0 {
		for _, m := range slices.Backward(sets) {
			tasks = append(tasks, task{kind: auditTask, set: m, plan: *p})
		}
	}
	return tasks
}

// Room is what a worker has for a set.
type Room struct {
	Memory  uint64 `json:"memory"`  // bytes; 0: no limit
	Jobs    int    `json:"jobs"`    // cores
	Scratch bool   `json:"scratch"` // is there a folder for what memory does not hold?
}

// solveOptions says how a set is solved in a worker's room, with its scratch file in a folder; a *retro.MemoryError if
// it does not fit.
func (r Room) solveOptions(m index.Material, folder string) (retro.Options, error) {
	x, err := index.New(m)
	if err != nil {
		return retro.Options{}, err
	}
	opt := retro.Options{Workers: r.Jobs, Memory: r.Memory, Beside: storage.WriterMemory(x, storage.WriterOptions{Workers: r.Jobs})}
	if r.Scratch {
		opt.Scratch = folder
	}
	_, err = retro.EstimateSolve(m, opt)
	return opt, err
}

// fits tells whether a worker can do a task. Audits do with any memory, and so does making tables of what parts have
// found.
func (r Room) fits(t task) error {
	var err error
	switch {
	case t.kind == partTask:
		_, _, err = r.partOptions(t.parts, t.part, "scratch")
	case t.kind == makeTask && t.parts == nil:
		_, err = r.solveOptions(t.set, "scratch")
	}
	return err
}
