package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/storage"
)

// apiError is an error as a client sees it.
type apiError struct {
	Status  int    `json:"-"`
	Code    string `json:"code"` // for programs
	Message string `json:"message"`
	// Where the fault is, in an SFEN.
	Field  string `json:"field,omitempty"`
	Column int    `json:"column,omitempty"`
	Line   int    `json:"line,omitempty"` // of a file
	answer.Refusal
	// After how many seconds asking again makes sense; 0: never.
	RetryAfter int `json:"-"`
}

func (e *apiError) Error() string { return e.Message }

// errorReply is the body of an answer that is an error.
type errorReply struct {
	Error *apiError `json:"error"`
}

// badRequest returns a client's mistake.
func badRequest(code, format string, args ...any) *apiError {
	return &apiError{Status: http.StatusBadRequest, Code: code, Message: fmt.Sprintf(format, args...)}
}

func notFound(code, format string, args ...any) *apiError {
	return &apiError{Status: http.StatusNotFound, Code: code, Message: fmt.Sprintf(format, args...)}
}

// busy returns an answer to somebody who may ask again.
func busy(format string, args ...any) *apiError {
	return &apiError{Status: http.StatusServiceUnavailable, Code: "busy", Message: fmt.Sprintf(format, args...), RetryAfter: 2}
}

// internal returns an error that nobody foresaw.
func internal() *apiError {
	return &apiError{Status: http.StatusInternalServerError, Code: "internal", Message: "internal error; the server's log says more"}
}

// statusClientGone is logged where a client has left before there was an answer.
const statusClientGone = 499

// asAPIError turns any error into what the client may know of it. File names stay in the log, and so does all of
// an error whose type is not here.
func asAPIError(err error) *apiError {
	var (
		api      *apiError
		sfen     *rules.SFENError
		move     *rules.MoveError
		illegal  *rules.IllegalMoveError
		syntax   *index.SyntaxError
		missing  *storage.MissingTableError
		tooLarge *http.MaxBytesError
		version  *storage.VersionError
		unread   *storage.ReadError
		unplayed *record.Error
		file     *fs.PathError // of a folder of tables: nothing else is opened to answer
	)
	switch {
	case errors.As(err, &api):
		return api
	case errors.As(err, &sfen):
		return &apiError{Status: http.StatusBadRequest, Code: "bad-sfen", Message: err.Error(), Field: string(sfen.Field), Column: sfen.Column, Refusal: answer.RefusalOf(err)}
	case errors.As(err, &move):
		return badRequest("bad-move", "%v", err)
	case errors.As(err, &illegal):
		return &apiError{Status: http.StatusBadRequest, Code: "illegal-move", Message: err.Error(), Refusal: answer.RefusalOf(err)}
	case errors.As(err, &syntax):
		return badRequest("bad-material", "%v", err)
	case errors.As(err, &unplayed):
		return badRequest("bad-game", "%v", err)
	case errors.As(err, &missing) && missing.Material.PieceCount() <= index.MaxPieces:
		// Which folders were looked through is nobody's business.
		return notFound("no-table", "no table of %s for %s here; gogotb generate %[2]s makes it", missing.Kind, missing.Material)
	case errors.Is(err, storage.ErrNotCovered):
		return notFound("no-table", "%v", err)
	case errors.As(err, &tooLarge):
		return &apiError{Status: http.StatusRequestEntityTooLarge, Code: "too-large", Message: fmt.Sprintf("the body may have %d bytes at most", tooLarge.Limit)}
	case errors.Is(err, context.Canceled):
		return &apiError{Status: statusClientGone, Code: "gone", Message: "the client has gone"}
	case errors.Is(err, context.DeadlineExceeded):
		return busy("it took too long; the server is busy")
	case errors.Is(err, storage.ErrUnavailable):
		return &apiError{Status: http.StatusServiceUnavailable, Code: "tables-away", RetryAfter: 10,
			Message: "the server that has the table is away; ask again in a moment"}
	case errors.Is(err, storage.ErrCorrupt), errors.As(err, &version), errors.As(err, &unread), errors.As(err, &file):
		return &apiError{Status: http.StatusServiceUnavailable, Code: "table-unusable", Message: "the table is damaged or cannot be read; the server's log says more"}
	}
	return internal()
}
