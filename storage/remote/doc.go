// Package remote reads tables from servers: by HTTP (https://host/path/, http://host/path/) and from buckets of S3
// (s3://bucket/prefix). A Client's Source is what storage.Options wants:
//
//	client, err := remote.New(remote.Options{})
//	...
//	tables, err := storage.Open([]string{"https://host/tables/"}, &storage.Options{Source: client.Source})
//
// # What is asked of a server
//
// GET with Range, and honest answers: 206, the Content-Range that was asked for, no Content-Encoding. A file is opened by a
// request for its end; ETag, Last-Modified and size say from then on whether it is still the same. A server that ignores
// Range can give only files that are smaller than what is asked for first. What is there is listed by SHA256SUMS, in a bucket
// without one by its list; a table that is not there is asked for once a minute at most.
//
// Requests are for pages of 32 KiB, more if they follow each other. Concurrent readers of a page share a request, and no
// more than eight requests are under way. An answer that is late, cut short, or one of those that say "try again" (408, 425,
// 429, 500, 502, 503, 504; Retry-After is obeyed) is tried three times, for twenty seconds at most; a server that has failed so is left
// alone for five. Up to five redirects are followed, none from https to http, and user and password of an
// address, user:password@host, go to that host alone.
//
// Errors are an *Error, which is storage.ErrUnavailable, or fs.ErrNotExist. Neither they nor names of sources have
// passwords or keys in them.
//
// http is for networks that are trusted: checksums find what is damaged, not what is forged. A password is sent without
// encryption to this machine only.
//
// # S3
//
// Keys are those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or of the profile AWS_PROFILE in
// AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials); without any, requests are anonymous, as public buckets allow. AWS_ENDPOINT_URL_S3 or
// AWS_ENDPOINT_URL names the server, AWS_REGION or AWS_DEFAULT_REGION the region.
//
// # Caches
//
// Pages are kept in memory, and in a folder if Options names one. There each page is a file with a checksum, written under
// another name first: several processes may share the folder, and be killed whenever they like. The oldest pages go when
// there are too many. Nothing is kept there of files that have neither ETag nor Last-Modified.
//
// # Where things are
//
//	client.go   Options, New, Source        address.go  what addresses mean
//	source.go   opening, listing            file.go     pages of a file, read-ahead
//	retry.go    patience, and its end       errors.go   errors
//	http.go     requests by HTTP            reply.go    what answers are believed
//	s3.go       requests to S3              environment.go  Options of the environment
//	memory.go   pages in memory             disk.go     pages in a folder
package remote
