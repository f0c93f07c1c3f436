package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/nats-io/nuid"

	"gogotb/index"
	"gogotb/retro/cluster/bucket"
)

// Where things are in a bucket, see FORMAT.md.
const (
	headKey           = "gogotb.json"
	tablesPrefix      = "tables/"
	donePrefix        = "done/"
	madePrefix        = "made/"
	checkpointsPrefix = "checkpoints/"
	auditsPrefix      = "audits/"
)

func doneKey(m index.Material) string           { return donePrefix + m.String() + ".json" }
func madeKey(m index.Material, w string) string { return madePrefix + m.String() + "/" + w + ".json" }
func (t task) auditKey() string {
	return fmt.Sprintf("%s%s.%d.%d.json", auditsPrefix, t.set, t.plan.Sample, t.plan.Seed)
}

// store is a bucket with tables and what is on its way to be one.
type store struct {
	bucket.Bucket
	id string // the bucket's, by whatever address it is reached
}

// head is the first object of a bucket.
type head struct {
	Format   int      `json:"format"`
	ID       string   `json:"id"`
	Versions Versions `json:"versions"`
}

// bucketFormat is the version of what FORMAT.md describes.
const bucketFormat = 1

// openStore opens a bucket that has what these versions write, or nothing yet.
func openStore(ctx context.Context, b bucket.Bucket, address string, v Versions) (*store, error) {
	h := head{Format: bucketFormat, ID: nuid.Next(), Versions: v}
	err := getJSON(ctx, b, headKey, &h)
	if errors.Is(err, bucket.ErrNotFound) {
		if err = putJSON(ctx, b, headKey, h); errors.Is(err, bucket.ErrExists) {
			err = getJSON(ctx, b, headKey, &h)
		}
	}
	if err != nil {
		return nil, err
	}
	whose := "the bucket " + address
	if h.Format != bucketFormat {
		return nil, &VersionError{"this program", whose, "format of buckets", fmt.Sprint(h.Format), fmt.Sprint(bucketFormat)}
	}
	v.Program = h.Versions.Program // what an older version has made is good, and its checkpoints say whose they are
	if err := v.check("this program", h.Versions, whose); err != nil {
		return nil, err
	}
	return &store{b, h.ID}, nil
}

// getJSON reads an object that is JSON.
func getJSON(ctx context.Context, b bucket.Bucket, key string, v any) error {
	text, err := b.Get(ctx, key, 0, -1)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return &DamagedError{Key: key, What: err.Error()}
	}
	return nil
}

// putJSON writes an object that is JSON.
func putJSON(ctx context.Context, b bucket.Bucket, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(ctx, key, bytes.NewReader(append(text, '\n')))
}

// DamagedError says that an object is not what was put there.
type DamagedError struct{ Key, What string }

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the object %s is damaged: %s", e.Key, e.What)
}

// ConflictError says that two workers have made different tables of one set: one of them has a broken processor or
// memory, or another program under the same version.
type ConflictError struct {
	Key         string
	This, Other string // workers
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: %s and %s have made different ones; one of these machines is broken", e.Key, e.This, e.Other)
}

// Result says what came of making a set. Nobody changes it.
type Result struct {
	Set        string  `json:"set"`
	Worker     string  `json:"worker"`
	Files      []File  `json:"files"`
	Positions  uint64  `json:"positions"`
	Placements uint64  `json:"placements"` // positions, mirror images once
	Longest    int     `json:"longest"`    // mate, in plies
	Seconds    float64 `json:"seconds"`    // of the last worker
}

// File is a table.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Bytes returns the size of both tables.
func (r *Result) Bytes() (n uint64) {
	for _, f := range r.Files {
		n += uint64(f.Size)
	}
	return n
}

// differs returns the first table that is another one in another result; "" if there is none.
func (r *Result) differs(other *Result) string {
	for i, f := range r.Files {
		if i >= len(other.Files) || f != other.Files[i] {
			return f.Name
		}
	}
	return ""
}

// done lists the sets whose tables are in the bucket.
func (s *store) done(ctx context.Context) (map[string]bool, error) {
	return s.names(ctx, donePrefix)
}

// isDone tells whether the tables of a set are in the bucket.
func (s *store) isDone(ctx context.Context, m index.Material) (bool, error) {
	_, err := s.Get(ctx, doneKey(m), 0, 1)
	if errors.Is(err, bucket.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// audited lists the names of the reports in the bucket.
func (s *store) audited(ctx context.Context) (map[string]bool, error) {
	return s.names(ctx, auditsPrefix)
}

// names lists the objects of a prefix, without it and without .json.
func (s *store) names(ctx context.Context, prefix string) (map[string]bool, error) {
	names := map[string]bool{}
	for key, err := range s.List(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		names[strings.TrimSuffix(path.Base(key), ".json")] = true
	}
	return names, nil
}

// finished lists the tasks that are done, by their keys.
func (s *store) finished(ctx context.Context, p *Plan) (map[string]bool, error) {
	made, err := s.done(ctx)
	if err != nil {
		return nil, err
	}
	reports := map[string]bool{}
	if p.Sample > 0 {
		if reports, err = s.audited(ctx); err != nil {
			return nil, err
		}
	}
	finished := map[string]bool{}
	for set := range made {
		finished[makeTask+"."+set] = true
	}
	for report := range reports {
		finished[auditTask+"."+report] = true
	}
	if len(p.Parts) == 0 {
		return finished, nil
	}
	over, err := s.names(ctx, endedPrefix)
	if err != nil {
		return nil, err
	}
	for part := range over {
		finished[partTask+"."+part] = true
	}
	for _, t := range p.tasks() {
		if t.kind == partTask && made[t.set.String()] { // what parts leave goes when the set is done
			finished[t.key()] = true
		}
	}
	return finished, nil
}

// result reads what came of making a set.
func (s *store) result(ctx context.Context, m index.Material) (r Result, err error) {
	err = getJSON(ctx, s, doneKey(m), &r)
	if err == nil && (r.Set != m.String() || len(r.Files) != 2) {
		err = &DamagedError{doneKey(m), "it is about something else"}
	}
	return r, err
}

// finish says that a set is done: its tables are in the bucket.
func (s *store) finish(ctx context.Context, m index.Material, r *Result) error {
	err := putJSON(ctx, s, doneKey(m), r)
	if !errors.Is(err, bucket.ErrExists) {
		return err
	}
	other, err := s.result(ctx, m)
	if err != nil {
		return err
	}
	if name := r.differs(&other); name != "" {
		return &ConflictError{tablesPrefix + name, r.Worker, other.Worker}
	}
	return nil
}

// makers returns what workers have said that they made of a set.
func (s *store) makers(ctx context.Context, m index.Material) ([]Result, error) {
	var all []Result
	for key, err := range s.List(ctx, madePrefix+m.String()+"/") {
		if err != nil {
			return nil, err
		}
		var r Result
		if err := getJSON(ctx, s, key, &r); err != nil {
			return nil, err
		}
		r.Worker = cmp.Or(r.Worker, strings.TrimSuffix(path.Base(key), ".json"))
		all = append(all, r)
	}
	return all, nil
}
