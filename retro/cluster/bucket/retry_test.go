package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"
)

// failing is a bucket that fails a few times at each call.
type failing struct {
	Bucket
	left int
	err  error
}

func (f *failing) fail() error {
	if f.left--; f.left >= 0 {
		return f.err
	}
	return nil
}

func (f *failing) Put(ctx context.Context, key string, body Body) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Bucket.Put(ctx, key, body)
}

func (f *failing) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for key, err := range f.Bucket.List(ctx, prefix) {
			if !yield(key, err) {
				return
			}
			if err := f.fail(); err != nil {
				yield("", err)
				return
			}
		}
	}
}

// TestPatient: what fails is tried again and told, each key is listed once, and what cannot work is not tried again.
func TestPatient(t *testing.T) {
	folder, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &failing{Bucket: folder, left: 2, err: errors.New("away")}
	var told []string
	p := &patient{f, func(err error) { told = append(told, fmt.Sprint(err)) }, time.Millisecond, time.Millisecond}
	for _, key := range []string{"one", "two"} {
		if err := p.Put(t.Context(), key, bytes.NewReader(nil)); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(told, []string{"away", "away", "<nil>"}) {
		t.Errorf("told %q", told)
	}
	f.left = 1
	var keys []string
	for key, err := range p.List(t.Context(), "") {
		if err != nil {
			t.Error(err)
		}
		keys = append(keys, key)
	}
	if slices.Sort(keys); !slices.Equal(keys, []string{"one", "two"}) {
		t.Errorf("listed %q", keys)
	}
	told = nil
	f.left, f.err = 5, &Error{"put", "three", ErrDenied}
	if err := p.Put(t.Context(), "three", bytes.NewReader(nil)); !errors.Is(err, ErrDenied) || f.left != 4 || told != nil {
		t.Errorf("%v, %d left, told %q", err, f.left, told)
	}
	f.err = errors.New("away")
	ctx, stop := context.WithCancel(t.Context())
	p.tell = func(error) { stop() }
	if err := p.Put(ctx, "three", bytes.NewReader(nil)); err == nil {
		t.Error("it did not end with its context")
	}
}
