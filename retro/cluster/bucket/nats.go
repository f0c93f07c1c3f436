package bucket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// natsBucket is a bucket in NATS: the bodies, in pieces, in an object store under names that nobody else has, and the
// keys in a key-value store, where of two writers only one can create an entry.
type natsBucket struct {
	names  jetstream.KeyValue
	bodies jetstream.ObjectStore
}

// entry is what the key-value store has of an object.
type entry struct {
	Name string `json:"name"` // of the body; its pieces are name.0, name.1…
	Size int64  `json:"size"`
}

const (
	// natsNames and natsBodies are the names of the stores.
	natsNames  = "gogotb-names"
	natsBodies = "gogotb-bodies"
	// pieceSize is how much of an object is read at once, whatever part of it is wanted.
	pieceSize = 4 << 20
)

func openNATS(ctx context.Context, n *NATS) (*natsBucket, error) {
	names, err := n.JetStream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: natsNames, Replicas: n.Replicas})
	if err != nil {
		return nil, &AddressError{"nats:", err.Error()}
	}
	bodies, err := n.JetStream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: natsBodies, Replicas: n.Replicas})
	if err != nil {
		return nil, &AddressError{"nats:", err.Error()}
	}
	return &natsBucket{names, bodies}, nil
}

// piece returns the name of a piece of a body.
func (e *entry) piece(n int64) string { return e.Name + "." + strconv.FormatInt(n, 10) }

func (b *natsBucket) Put(ctx context.Context, key string, body Body) error {
	if err := checkKey("put", key); err != nil {
		return err
	}
	if err := b.put(ctx, key, body); err != nil {
		return &Error{"put", key, err}
	}
	return nil
}

func (b *natsBucket) put(ctx context.Context, key string, body Body) error {
	if _, err := b.names.Get(ctx, key); !errors.Is(err, jetstream.ErrKeyNotFound) {
		if err == nil {
			err = ErrExists
		}
		return err
	}
	e := entry{nuid.Next(), body.Size()}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	for n := int64(0); n*pieceSize < e.Size; n++ {
		piece := io.NewSectionReader(body, n*pieceSize, min(pieceSize, e.Size-n*pieceSize))
		if _, err = b.bodies.Put(ctx, jetstream.ObjectMeta{Name: e.piece(n)}, piece); err != nil {
			break
		}
	}
	if err == nil {
		if _, err = b.names.Create(ctx, key, text); errors.Is(err, jetstream.ErrKeyExists) {
			err = b.created(ctx, key, text)
		}
	}
	if errors.Is(err, ErrExists) {
		b.remove(ctx, &e)
	}
	return err
}

// created tells whether an entry that is there is this one after all: the answer to its creation may have been lost, and
// the client have tried again.
func (b *natsBucket) created(ctx context.Context, key string, text []byte) error {
	there, err := b.names.Get(ctx, key)
	switch {
	case err != nil:
		return err
	case bytes.Equal(there.Value(), text):
		return nil
	}
	return ErrExists
}

// remove removes the body of an object.
func (b *natsBucket) remove(ctx context.Context, e *entry) error {
	for n := int64(0); n*pieceSize < e.Size; n++ {
		if err := b.bodies.Delete(ctx, e.piece(n)); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
	}
	return nil
}

// find reads the entry of a key.
func (b *natsBucket) find(ctx context.Context, key string) (e entry, err error) {
	there, err := b.names.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return e, ErrNotFound
	}
	if err == nil {
		err = json.Unmarshal(there.Value(), &e)
	}
	return e, err
}

func (b *natsBucket) Get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	if err := checkKey("get", key); err != nil {
		return nil, err
	}
	body, err := b.get(ctx, key, offset, n)
	if err != nil {
		return nil, &Error{"get", key, err}
	}
	return body, nil
}

func (b *natsBucket) get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	e, err := b.find(ctx, key)
	if err != nil {
		return nil, err
	}
	end := e.Size
	if n >= 0 && n < end-offset {
		end = offset + n
	}
	var body []byte
	for offset < end {
		at := offset / pieceSize
		piece, err := b.bodies.GetBytes(ctx, e.piece(at))
		if err != nil {
			return nil, err
		}
		if want := min(pieceSize, e.Size-at*pieceSize); int64(len(piece)) != want {
			return nil, fmt.Errorf("a piece of it has %d bytes instead of %d", len(piece), want)
		}
		last := min(end, (at+1)*pieceSize)
		body = append(body, piece[offset-at*pieceSize:last-at*pieceSize]...)
		offset = last
	}
	return body, nil
}

func (b *natsBucket) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		keys, err := b.names.ListKeys(ctx)
		if err != nil {
			yield("", &Error{"list", prefix, err})
			return
		}
		defer keys.Stop()
		for key := range keys.Keys() {
			if strings.HasPrefix(key, prefix) && !yield(key, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield("", &Error{"list", prefix, err})
		}
	}
}

func (b *natsBucket) Delete(ctx context.Context, key string) error {
	if err := checkKey("delete", key); err != nil {
		return err
	}
	e, err := b.find(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		err = b.names.Purge(ctx, key)
	}
	if err == nil {
		err = b.remove(ctx, &e)
	}
	if err != nil {
		return &Error{"delete", key, err}
	}
	return nil
}

func (b *natsBucket) Close() error { return nil }
