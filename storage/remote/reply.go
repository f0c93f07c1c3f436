package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxWhole bounds what is read without a range: SHA256SUMS.
const maxWhole = 1 << 20

// header returns the Range of a span.
func (s span) header() string {
	if s.from < 0 {
		return fmt.Sprintf("bytes=-%d", s.length)
	}
	return fmt.Sprintf("bytes=%d-%d", s.from, s.from+s.length-1)
}

// promise is what the header of an answer says that its body is.
type promise struct {
	version
	from, length int64 // length < 0: as long as it is
}

// believe reads the header of an answer that should have a span of a file. What is not exactly that is an error.
func believe(status int, h http.Header, s span, known *version) (promise, error) {
	p := promise{version: version{tag: h.Get("ETag"), modified: h.Get("Last-Modified"), size: -1}}
	length := int64(-1)
	if text := h.Get("Content-Length"); text != "" {
		n, err := strconv.ParseUint(text, 10, 62)
		if err != nil {
			return p, misbehaves("a Content-Length that is no number")
		}
		length = int64(n)
	}
	switch status {
	case http.StatusOK, http.StatusPartialContent:
	case http.StatusNotFound, http.StatusGone:
		return p, errNotThere
	case http.StatusPreconditionFailed:
		return p, changed("the file has changed since it was opened")
	case http.StatusRequestedRangeNotSatisfiable:
		return p, unsatisfiable(h, s, known)
	default:
		return p, statusError(status, h)
	}
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return p, misbehaves("an answer with a Content-Encoding, which was not asked for")
	}
	switch {
	case status == http.StatusOK && s == whole:
		p.length = length
		if length > maxWhole {
			return p, misbehaves("a file that is much too long")
		}
		return p, nil
	case s == whole:
		return p, misbehaves("a part where all of a file was asked for")
	case status == http.StatusPartialContent:
		first, last, size, ok := parseContentRange(h.Get("Content-Range"))
		if !ok {
			return p, misbehaves("a part without a Content-Range that says which")
		}
		p.size, p.from, p.length = size, first, last-first+1
		if length >= 0 && length != p.length {
			return p, misbehaves("a Content-Length that contradicts the Content-Range")
		}
	case known == nil && s.from < 0 && length >= 0 && length <= s.length:
		p.size, p.length = length, length // all of a file that is not longer than what was asked for
	default:
		p.size = length
	}
	if known != nil && !known.same(p.version) {
		return p, changed("the file has changed since it was opened")
	}
	from, to := s.from, min(s.from+s.length, p.size)
	if s.from < 0 {
		from, to = max(0, p.size-s.length), p.size
	}
	switch {
	case status == http.StatusOK && (p.from != from || p.length != to-from || p.length == 0 && known != nil):
		return p, misbehaves("whole files where parts were asked for: it ignores Range")
	case p.from != from || p.length != to-from:
		return p, misbehaves("another part of the file than was asked for")
	}
	return p, nil
}

// same tells whether an answer is of the version. Not every answer says all.
func (v *version) same(w version) bool {
	if v.tag != "" && w.tag != "" {
		return v.tag == w.tag && (v.size == w.size || w.size < 0)
	}
	return (v.size == w.size || w.size < 0) && (v.modified == w.modified || v.modified == "" || w.modified == "")
}

// misbehaves returns the error of a server that does not do as HTTP has it. Asking it again is of no use.
func misbehaves(what string) *Error { return &Error{What: "the server sends " + what} }

// unsatisfiable returns what a server means that does not have the span.
func unsatisfiable(h http.Header, s span, known *version) error {
	if known != nil {
		return changed("the file has changed since it was opened: it is shorter")
	}
	if size, ok := strings.CutPrefix(h.Get("Content-Range"), "bytes */"); ok && size != "0" && s.from == 0 {
		return misbehaves("no part of a file that it has")
	}
	return errUnsatisfiable
}

// errUnsatisfiable says that a file has no such end, or beginning. It is empty, unless the server is one of those that refuse
// to give an end that is longer than the file.
var errUnsatisfiable = errors.New("the server has no part of the file")

// statusError returns the error of a status that is none of those with a meaning.
func statusError(status int, h http.Header) *Error {
	e := &Error{What: strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status))), Status: status}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.alone = true
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.temporary = true
		e.retryAfter = retryAfter(h.Get("Retry-After"), time.Now())
	}
	return e
}

// retryAfter reads a Retry-After, seconds or a date; 0 if it says nothing.
func retryAfter(text string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, most)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	return 0
}

var contentRange = regexp.MustCompile(`^bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})$`)

// parseContentRange reads a Content-Range with all its numbers. ok is false if there is no such part of any file.
func parseContentRange(text string) (first, last, size int64, ok bool) {
	m := contentRange.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, 0, false
	}
	for i, n := range []*int64{&first, &last, &size} {
		*n, _ = strconv.ParseInt(m[i+1], 10, 64) // 18 digits fit
	}
	return first, last, size, first <= last && last < size
}

// receive reads the body that was promised: as many bytes, and no more.
func receive(ctx context.Context, body io.Reader, p promise) (*reply, error) {
	if p.length < 0 {
		b, err := io.ReadAll(io.LimitReader(body, maxWhole+1))
		switch {
		case err != nil:
			return nil, cutShort(ctx, err)
		case len(b) > maxWhole:
			return nil, misbehaves("a file that is much too long")
		}
		return &reply{p.version, 0, b}, nil
	}
	b := make([]byte, p.length)
	if _, err := io.ReadFull(body, b); err != nil {
		return nil, cutShort(ctx, err)
	}
	var more [1]byte
	if n, _ := io.ReadFull(body, more[:]); n > 0 {
		return nil, misbehaves("more than it says")
	}
	return &reply{p.version, p.from, b}, nil
}

func cutShort(ctx context.Context, err error) error {
	e := networkError(err)
	if ctx.Err() == nil && errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &Error{What: "the answer was cut short", temporary: true}
	}
	return e
}
