package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// stream is an answer that comes bit by bit: JSON values, one a line, each sent as soon as it is there. The context ends when the client
// has gone. An error before the first value is the answer, one after it a last value like the body of an answer that is an error.
type stream func(ctx context.Context, send func(any) error) error

// streamTime is how long a client may take to read a value of a stream.
const streamTime = 20 * time.Second

// stream answers with a stream.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, run stream) {
	control := http.NewResponseController(w)
	// The limits of a connection are those of answers that come at once. That on reading counts from the beginning of the request, all of
	// which has been read, and would end the context. A writer that knows no limits, as in tests, has none.
	control.SetReadDeadline(time.Time{})
	begun := false
	send := func(v any) error {
		body, err := encode(v)
		if err != nil {
			return err
		}
		if !begun {
			begun = true
			h := w.Header()
			h.Set("Content-Type", "application/x-ndjson")
			h.Set("Cache-Control", cacheNever)
			h.Set("X-Accel-Buffering", "no")       // tells nginx to pass it on at once
			h.Set(gzhttp.HeaderNoCompression, "1") // which would wait for more
			w.WriteHeader(http.StatusOK)
		}
		control.SetWriteDeadline(time.Now().Add(streamTime))
		if _, err := w.Write(body); err != nil {
			return err
		}
		return control.Flush()
	}
	err := run(r.Context(), send)
	if err == nil {
		return
	}
	s.noteTrouble(r, err)
	api := asAPIError(err)
	switch {
	case r.Context().Err() != nil:
		s.sent(r, err)
	case begun:
		s.sent(r, send(errorReply{api}))
	default:
		s.fail(w, r, api)
	}
}
