package bucket

import (
	"context"
	"iter"
	"time"
)

// Patient returns a bucket that tries again whenever the other one fails, for ever, but where trying again would not
// help. Each time it calls tell with the error, and with nil when it has worked again.
func Patient(b Bucket, tell func(error)) Bucket {
	return &patient{b, tell, time.Second, 30 * time.Second}
}

type patient struct {
	Bucket
	tell         func(error)
	first, limit time.Duration // how long it waits at first, and at most
}

// try calls f until it works or its error is lasting.
func (p *patient) try(ctx context.Context, f func() error) error {
	failed := false
	for wait := p.first; ; wait = min(2*wait, p.limit) {
		err := f()
		if err == nil || lasting(err) || ctx.Err() != nil {
			if failed && ctx.Err() == nil {
				p.tell(nil)
			}
			return err
		}
		failed = true
		p.tell(err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

func (p *patient) Put(ctx context.Context, key string, body Body) error {
	return p.try(ctx, func() error { return p.Bucket.Put(ctx, key, body) })
}

func (p *patient) Get(ctx context.Context, key string, offset, n int64) (body []byte, err error) {
	err = p.try(ctx, func() error {
		body, err = p.Bucket.Get(ctx, key, offset, n)
		return err
	})
	return body, err
}

func (p *patient) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var keys []string
		err := p.try(ctx, func() error {
			keys = keys[:0]
			for key, err := range p.Bucket.List(ctx, prefix) {
				if err != nil {
					return err
				}
				keys = append(keys, key)
			}
			return nil
		})
		for _, key := range keys {
			if !yield(key, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

func (p *patient) Delete(ctx context.Context, key string) error {
	return p.try(ctx, func() error { return p.Bucket.Delete(ctx, key) })
}
