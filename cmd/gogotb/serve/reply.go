package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Cache-Control of answers. Tables do not change, but more of them may come.
const (
	cacheDay   = "public, max-age=86400" // what a table or the rules say
	cacheBrief = "public, max-age=10"    // which tables there are
	cacheNever = "no-store"              // chance, searches, errors
)

// noBody is the answer to HEAD where making the body that GET would get is a lot of work.
type noBody struct{}

// encode returns the body of an answer, nil for noBody.
func encode(v any) ([]byte, error) {
	if v == (noBody{}) {
		return nil, nil
	}
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return body.Bytes(), err
}

// writeBody writes an answer. Its weak ETag is a hash of the body, which is the same for
// every encoding; a client that has it gets 304 and no body.
func writeBody(w http.ResponseWriter, r *http.Request, status int, cache string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", cache)
	if status == http.StatusOK && cache != cacheNever {
		tag := etag(body)
		h.Set("ETag", tag)
		if matches(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	if body != nil {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(body)
	return err
}

// writeError writes an error.
func writeError(w http.ResponseWriter, r *http.Request, e *apiError) error {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	if e.Status == statusClientGone {
		return nil // nobody is there to read it
	}
	body, err := encode(errorReply{e})
	if err != nil {
		return err
	}
	return writeBody(w, r, e.Status, cacheNever, body)
}

func etag(body []byte) string { return fmt.Sprintf(`W/"%016x"`, xxhash.Sum64(body)) }

// matches compares as RFC 9110 has it for If-None-Match: weakly.
func matches(header, tag string) bool {
	opaque := strings.TrimPrefix(tag, "W/")
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == opaque {
			return true
		}
	}
	return false
}
