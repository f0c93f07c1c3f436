package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// s3 is a bucket in a store that speaks S3. That a key is there is found out by the store: If-None-Match.
type s3 struct {
	client *minio.Core
	bucket string
	prefix string // "" or with a slash at its end
}

const (
	// partSize is the size of the parts that larger objects are written in.
	partSize = 64 << 20
	// s3Retries is how often a request is tried before the error is told: once more, in case the connection was old.
	s3Retries = 2
	// openTries is how often a bucket is tried to be opened: afterwards one may have more patience, see Patient.
	openTries = 5
)

// openS3 opens s3://host/bucket/prefix, or s3://bucket/prefix where AWS_ENDPOINT_URL names the host. Hosts are spoken to
// by TLS, but for those on this machine and those that AWS_ENDPOINT_URL names with http:.
func openS3(ctx context.Context, address string, u *url.URL) (*s3, error) {
	host, path := u.Host, strings.Trim(u.Path, "/")
	secure := !loopback(u.Hostname())
	if endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); endpoint != "" {
		e, err := url.Parse(endpoint)
		if err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https" {
			return nil, &AddressError{endpoint, "AWS_ENDPOINT_URL is to be of the form https://host"}
		}
		if host != e.Host {
			path = strings.Trim(host+"/"+path, "/")
		}
		host, secure = e.Host, e.Scheme == "https"
	}
	name, prefix, _ := strings.Cut(path, "/")
	if host == "" || name == "" {
		return nil, &AddressError{address, "the host or the bucket is missing: s3://host/bucket/prefix"}
	}
	if prefix != "" {
		if err := checkKey("open", prefix); err != nil {
			return nil, &AddressError{address, ErrBadKey.Error()}
		}
		prefix += "/"
	}
	client, err := minio.NewCore(host, &minio.Options{
		Creds:      credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}),
		Secure:     secure,
		Region:     cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		MaxRetries: s3Retries,
	})
	if err != nil {
		return nil, &AddressError{address, err.Error()}
	}
	s := &s3{client, name, prefix}
	for tries := 1; ; tries++ {
		there, err := client.BucketExists(ctx, name)
		switch err = s3Cause(err); {
		case err == nil && there:
			return s, nil
		case err == nil:
			return nil, &AddressError{address, "there is no bucket " + name}
		case lasting(err) || tries == openTries:
			return nil, &AddressError{address, err.Error()}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// loopback tells whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// s3Cause returns an error of S3 as one of ours, if it is one of these.
func s3Cause(err error) error {
	var response minio.ErrorResponse
	if !errors.As(err, &response) {
		return err
	}
	switch response.StatusCode {
	case http.StatusPreconditionFailed:
		return ErrExists
	case http.StatusNotFound:
		if response.Code == minio.NoSuchBucket {
			return err
		}
		return ErrNotFound
	case http.StatusForbidden, http.StatusUnauthorized:
		return fmt.Errorf("%w: %s", ErrDenied, cmp.Or(response.Message, response.Code))
	}
	return fmt.Errorf("%s (status %d)", cmp.Or(response.Message, response.Code, "an error"), response.StatusCode)
}

func (s *s3) Put(ctx context.Context, key string, body Body) error {
	if err := checkKey("put", key); err != nil {
		return err
	}
	opt := minio.PutObjectOptions{PartSize: partSize, NumThreads: 2}
	opt.SetMatchETagExcept("*")
	_, err := s.client.Client.PutObject(ctx, s.bucket, s.prefix+key, io.NewSectionReader(body, 0, body.Size()), body.Size(), opt)
	if err != nil {
		return &Error{"put", key, s3Cause(err)}
	}
	return nil
}

func (s *s3) Get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	if err := checkKey("get", key); err != nil {
		return nil, err
	}
	body, err := s.get(ctx, key, offset, n)
	if err != nil {
		return nil, &Error{"get", key, s3Cause(err)}
	}
	return body, nil
}

func (s *s3) get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	var opt minio.GetObjectOptions
	switch {
	case n > 0:
		opt.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+n-1))
	case offset > 0:
		opt.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	reader, info, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+key, opt)
	if response := (minio.ErrorResponse{}); errors.As(err, &response) && response.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return nil, nil // it ends before
	}
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	body, err := io.ReadAll(reader)
	switch {
	case err != nil:
		return nil, err
	case int64(len(body)) != info.Size, n > 0 && int64(len(body)) > n:
		return nil, fmt.Errorf("%d bytes came instead of %d", len(body), info.Size)
	}
	return body, nil
}

func (s *s3) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for object := range s.client.Client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}) {
			if object.Err != nil {
				yield("", &Error{"list", prefix, s3Cause(object.Err)})
				return
			}
			if key := strings.TrimPrefix(object.Key, s.prefix); !yield(key, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield("", &Error{"list", prefix, err})
		}
	}
}

func (s *s3) Delete(ctx context.Context, key string) error {
	if err := checkKey("delete", key); err != nil {
		return err
	}
	err := s.client.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if err = s3Cause(err); err != nil && !errors.Is(err, ErrNotFound) {
		return &Error{"delete", key, err}
	}
	return nil
}

func (s *s3) Close() error { return nil }
