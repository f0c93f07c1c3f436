package serve

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed web
var web embed.FS

// file is a file of the page, ready to be sent.
type file struct {
	content     []byte
	contentType string
	etag        string
}

// contentTypes are those of the files of the page, whatever the machine thinks of them.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// pageFiles returns the files of the page by address. Nothing else is ever served: no path
// leads to a file system.
func pageFiles() map[string]*file {
	files := map[string]*file{}
	err := fs.WalkDir(web, "web", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := web.ReadFile(name)
		if err != nil {
			return err
		}
		files[name[len("web"):]] = &file{content, contentTypes[path.Ext(name)], etag(content)}
		return nil
	})
	if err != nil {
		panic(err) // the files are in the program
	}
	files["/"] = files["/index.html"]
	return files
}

// pagePolicy lets the page load nothing but itself.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// serveFile sends a file of the page.
func serveFile(w http.ResponseWriter, r *http.Request, f *file) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-cache") // kept, and asked about: a new program has a new page
	h.Set("ETag", f.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}
