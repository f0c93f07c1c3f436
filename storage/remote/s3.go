package remote

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is a server that speaks S3.
type bucket struct {
	client    *minio.Core
	transport *http.Transport
	name      string
	prefix    string
}

// newBucket makes the client of a bucket. The environment says where the server is and what the keys are, as other
// programs for S3 have it.
func newBucket(a address) (*bucket, error) {
	endpoint, secure, err := endpointOfS3()
	if err != nil {
		return nil, err
	}
	keys := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}})
	region := firstOf("AWS_REGION", "AWS_DEFAULT_REGION")
	if value, err := keys.GetWithContext(nil); region == "" && (err != nil || value.AccessKeyID == "" || endpoint != amazon) {
		region = "us-east-1" // without one the client would ask for it; it does where that matters
	}
	t := newTransport()
	client, err := minio.NewCore(endpoint, &minio.Options{Creds: keys, Secure: secure, Transport: t, Region: region, MaxRetries: 1})
	if err != nil {
		return nil, &Error{What: "the server of S3 cannot be used: " + err.Error()}
	}
	client.SetAppInfo("gogotb", "")
	return &bucket{client, t, a.bucket, a.prefix}, nil
}

const amazon = "s3.amazonaws.com"

// endpointOfS3 returns the server of S3.
func endpointOfS3() (host string, secure bool, err error) {
	text := firstOf("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
	if text == "" {
		return amazon, true, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil {
		return "", false, errors.New("AWS_ENDPOINT_URL is no address of a server of S3, such as https://host:9000")
	}
	return u.Host, u.Scheme == "https", nil
}

// firstOf returns the first of some variables of the environment that is set.
func firstOf(names ...string) string {
	for _, name := range names {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

func (b *bucket) get(ctx context.Context, name string, span span, known *version) (*reply, error) {
	var options minio.GetObjectOptions
	if span != whole {
		options.Set("Range", span.header())
	}
	if known != nil && known.tag != "" {
		options.Set("If-Match", known.tag)
	}
	body, _, header, err := b.client.GetObject(ctx, b.name, b.prefix+name, options)
	if err != nil {
		return b.failed(err, span, known)
	}
	defer body.Close()
	status := http.StatusOK
	if header.Get("Content-Range") != "" {
		status = http.StatusPartialContent
	}
	p, err := believe(status, header, span, known)
	if err != nil {
		return nil, err
	}
	return receive(ctx, body, p)
}

// failed turns an error of the client into one of ours, without what it says of addresses and keys.
func (b *bucket) failed(err error, s span, known *version) (*reply, error) {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode == 0 {
		return nil, networkError(err)
	}
	switch answer.Code {
	case minio.NoSuchBucket:
		return nil, &Error{What: "there is no such bucket", Status: answer.StatusCode}
	case minio.NoSuchKey:
		return nil, errNotThere
	}
	if answer.StatusCode == http.StatusNotFound { // of keys that are not known, for example
		return nil, &Error{What: "404 Not Found, " + answer.Code, Status: answer.StatusCode}
	}
	_, err = believe(answer.StatusCode, http.Header{}, s, known)
	var e *Error
	if errors.As(err, &e) && e.Status != 0 && answer.Code != "" {
		e.What += ", " + answer.Code
	}
	return nil, err
}

// list lists the files in the bucket, under the prefix.
func (b *bucket) list(ctx context.Context) ([]string, error) {
	var names []string
	for o := range b.client.Client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix}) {
		if o.Err != nil {
			_, err := b.failed(o.Err, whole, nil)
			return nil, err
		}
		names = append(names, strings.TrimPrefix(o.Key, b.prefix))
	}
	return names, nil
}

func (b *bucket) close() { b.transport.CloseIdleConnections() }
