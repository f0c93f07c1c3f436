package serve

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"gogotb/storage"
)

// tablesRoot is where the files of the tables are, for programs that read them as this one does, by ranges.
const tablesRoot = "/tables/"

// cacheFile is the Cache-Control of a table's file. Nobody may pack it on the way: parts of it are asked for.
const cacheFile = "public, max-age=86400, no-transform"

// pace is how long a client may take for the next bytes of a file. As long as it takes some, the file may be as long as it
// is.
const pace = 30 * time.Second

// newDownloads makes the queue for files. A program that reads tables asks for eight parts at once.
func newDownloads() *queue {
	return newQueue(queueLimits{
		questions: "files", code: "too-many-questions", slots: 64, places: 256, perClient: 32, patience: 5 * time.Second,
	})
}

// sums keeps SHA256SUMS for a while, as listing does the list of tables.
type sums struct {
	mu    sync.Mutex
	until time.Time
	text  []byte
	err   error
}

func (s *Server) sharedSums() ([]byte, error) {
	k := &s.sums
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := time.Now(); now.After(k.until) {
		k.text, k.err = s.tables.SharedSums()
		k.until = now.Add(listingAge)
	}
	return k.text, k.err
}

// tableFile answers GET /tables/{file}. What this server itself reads from another one is not passed on.
func (s *Server) tableFile(w http.ResponseWriter, r *http.Request) {
	_, leave, err := s.downloads.enter(r.Context(), s.clientOf(r))
	if err == nil {
		defer leave()
		err = s.sendFile(&pacedWriter{w, http.NewResponseController(w)}, r, r.PathValue("file"))
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, storage.ErrNotCovered) {
		err = notFound("no-file", "this server has no such table of its own; %s%s lists those that it has", tablesRoot, storage.SumsFile)
	}
	if err != nil {
		s.noteTrouble(r, err)
		s.fail(w, r, asAPIError(err))
	}
}

// sendFile sends a file, or the part of it that is asked for.
func (s *Server) sendFile(w http.ResponseWriter, r *http.Request, name string) error {
	h := w.Header()
	if name == storage.SumsFile {
		text, err := s.sharedSums()
		if err != nil {
			return err
		}
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("Cache-Control", cacheBrief)
		h.Set("ETag", etag(text)[len("W/"):])
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
		return nil
	}
	f, err := s.tables.Within(r.Context()).Share(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Cache-Control", cacheFile)
	h.Set("ETag", `"`+f.Tag+`"`)
	http.ServeContent(w, r, "", f.Info.ModTime(), f.File)
	return nil
}

// pacedWriter gives each piece of an answer its own time to be taken.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w *pacedWriter) Write(b []byte) (int, error) {
	w.control.SetWriteDeadline(time.Now().Add(pace)) // where that is not possible, all of the answer has its limit
	return w.ResponseWriter.Write(b)
}
