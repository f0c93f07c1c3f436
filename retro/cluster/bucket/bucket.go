// Package bucket holds objects that never change once they are written: in a folder, in any S3, or in a NATS
// object store.
//
//	b, err := bucket.Open(ctx, "file:///shared/gogotb", nil)
//	err = b.Put(ctx, "tables/GSP.gto", bytes.NewReader(body)) // bucket.ErrExists if it is there
//
// # Where things are
//
//	bucket.go  the interface, keys, Open
//	errors.go  what goes wrong
//	folder.go  file:///path
//	s3.go      s3://host/bucket/prefix
//	nats.go    nats:
//	retry.go   a bucket that waits until it works again
package bucket

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Bucket holds objects under keys. It is safe for many goroutines and many machines.
type Bucket interface {
	// Put writes an object, all of it or nothing. It is durable when Put returns. The error wraps ErrExists if there is
	// one of that key, which stays as it is; it may be this very one, if an answer was lost on the way.
	Put(ctx context.Context, key string, body Body) error
	// Get reads n bytes from an offset on, fewer if the object ends before. If n is negative it reads to the end. The
	// error wraps ErrNotFound if there is no such object.
	Get(ctx context.Context, key string, offset, n int64) ([]byte, error)
	// List lists the keys that begin with a prefix, in no order. An error ends it.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	// Delete removes an object. It is no error if there is none.
	Delete(ctx context.Context, key string) error
	// Close lets go of what the bucket holds open.
	Close() error
}

// Body is what an object is made of, at least a byte: *bytes.Reader and *io.SectionReader are bodies.
type Body interface {
	io.ReaderAt
	Size() int64
}

// keyForm is what keys look like: names separated by slashes that every store can have, and that no folder hides.
var keyForm = regexp.MustCompile(`^[A-Za-z0-9_=-][A-Za-z0-9_=.-]*(/[A-Za-z0-9_=-][A-Za-z0-9_=.-]*)*$`)

// maxKey is how many bytes a key may have; S3 would take 1024, prefix included.
const maxKey = 512

func checkKey(op, key string) error {
	if len(key) > maxKey || !keyForm.MatchString(key) || strings.HasSuffix(key, ".") {
		return &Error{Op: op, Key: key, Err: ErrBadKey}
	}
	return nil
}

// NATS says where the buckets of nats: are.
type NATS struct {
	JetStream jetstream.JetStream
	Replicas  int // servers that have each object
}

// Open opens a bucket: file:///path, s3://host/bucket/prefix or nats:. A folder is made if it is not there. S3's keys
// come from the environment or the file of S3's tools. Only nats: needs n.
func Open(ctx context.Context, address string, n *NATS) (Bucket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, &AddressError{address, "not an address of the form file:///path, s3://host/bucket/prefix or nats:"}
	}
	switch {
	case u.User != nil:
		return nil, &AddressError{u.Redacted(), "keys do not belong in an address, but in the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY"}
	case u.RawQuery != "" || u.Fragment != "":
		return nil, &AddressError{address, "an address has no ? and no #"}
	case u.Scheme == "file":
		path := filepath.FromSlash(u.Path)
		if u.Host != "" || !filepath.IsAbs(path) {
			return nil, &AddressError{address, "a folder is named from the root on, with three slashes: file:///path"}
		}
		return openFolder(path)
	case u.Scheme == "s3":
		return openS3(ctx, address, u)
	case address == "nats:":
		if n == nil {
			return nil, &AddressError{address, "there is no NATS to have it"}
		}
		return openNATS(ctx, n)
	}
	return nil, &AddressError{address, "not an address of the form file:///path, s3://host/bucket/prefix or nats:"}
}

// AddressError says what is wrong with the address of a bucket.
type AddressError struct{ Address, What string }

func (e *AddressError) Error() string { return fmt.Sprintf("bucket %s: %s", e.Address, e.What) }
