//go:build conformance && linux

package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPowerLossOfBucket goes through what a fleet asks of the system that has its bucket in a folder, call by call: an
// object is whole and synced before it has its name, and certain to be there before anything is put that rests on it. At
// many moments power is cut, and a new fleet goes on with what may be in the folder then.
func TestPowerLossOfBucket(t *testing.T) {
	d := newDisk(t.TempDir())
	bucket := filepath.Join(d.root, "bucket")
	calls := trace(t, program, "cluster", "generate", "--bucket", "file://"+bucket, "--jobs", "1", "--checkpoint-every", "1ms", "P")
	objects, n, cuts := map[string]*file{}, 0, 0
	for _, c := range calls {
		if !d.do(t, c) {
			continue
		}
		if n++; c.name == "linkat" {
			key := checkObject(t, d, c)
			objects[key] = d.names["bucket/"+key]
		}
		if n%25 != 0 && (c.name != "linkat" || pieceKey.MatchString(c.args[3])) {
			continue
		}
		cuts++
		// What else may be there differs in objects on their way, which nobody reads.
		for _, left := range []cut{{"what was synced", d.certainly("bucket")}, {"half of what was not synced", d.contents("bucket", torn)}} {
			folder := filepath.Join(t.TempDir(), "bucket")
			left.restore(t, folder)
			succeed(t, "cluster", "generate", "--bucket", "file://"+folder, "--jobs", "1", "P")
			checkLikeAlone(t, filepath.Join(folder, "tables"), "P")
		}
		if t.Failed() {
			t.Fatalf("after call %d (%s)", n, c.name)
		}
	}
	t.Logf("%d calls, %d objects, power cuts after %d calls", n, len(objects), cuts)
	certain := d.certainly("bucket")
	for name, content := range readFiles(t, bucket) {
		if !bytes.Equal(certain[name], content) {
			t.Errorf("%s is not certain to be there in the end", name)
		}
	}
	if len(objects) < 9 || cuts < 8 {
		t.Errorf("these are too few to tell anything: %q", slices.Sorted(maps.Keys(objects)))
	}
}

// restsOn are the objects that one of a key rests on, as patterns.
var restsOn = []struct {
	key  *regexp.Regexp
	also []string
}{
	{regexp.MustCompile(`^(made|checkpoints)/`), []string{`gogotb\.json`}},
	{regexp.MustCompile(`^tables/P\.`), []string{`made/P/.*`}},
	{regexp.MustCompile(`^done/P\.json$`), []string{`tables/P\.gbo`, `tables/P\.gbd`}},
	{regexp.MustCompile(`^tables/SHA256SUMS$`), []string{`done/P\.json`}},
}

var pieceKey = regexp.MustCompile(`(checkpoints/P/[^/]+/)(\d{6})\.`)

// checkObject checks what has just been linked, and returns its key.
func checkObject(t *testing.T, d *disk, c systemCall) string {
	t.Helper()
	key := strings.TrimPrefix(c.args[3], filepath.Join(d.root, "bucket")+"/")
	f := d.names["bucket/"+key]
	if f == nil || !bytes.Equal(f.written, f.synced) || len(f.written) == 0 {
		t.Fatalf("%s has its name before it is synced", key)
	}
	certain := d.certainly("bucket")
	needs := func(pattern string) {
		t.Helper()
		whole := regexp.MustCompile("^(?:" + pattern + ")$")
		for name := range certain {
			if whole.MatchString(name) {
				return
			}
		}
		t.Errorf("%s is there before %s is certain to be", key, pattern)
	}
	for _, r := range restsOn {
		if r.key.MatchString(key) {
			for _, pattern := range r.also {
				needs(pattern)
			}
		}
	}
	if m := pieceKey.FindStringSubmatch(key); m != nil {
		needs(regexp.QuoteMeta(m[1] + "head.json"))
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
			needs(regexp.QuoteMeta(m[1]) + "0*" + strconv.Itoa(n-1) + `\..*`)
		}
	}
	return key
}

// readFiles reads all files in a folder.
func readFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[path.Clean(filepath.ToSlash(rel))] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
