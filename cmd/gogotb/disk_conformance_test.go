//go:build conformance && linux

package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// disk is what is in a folder, as the calls of a program have left it: as programs see it, and what
// of it is certain to be there after a power cut, because it was synced. Names are relative to the
// folder, with slashes.
type disk struct {
	root           string // the folder, which has been there before
	open           map[int]*file
	names, certain map[string]*file
}

// file is a file or a folder.
type file struct {
	written, synced []byte
	syncing         []byte // what was there when the sync began that goes on
	folder          bool
}

func newDisk(root string) *disk {
	return &disk{root: root, open: map[int]*file{}, names: map[string]*file{".": {folder: true}}, certain: map[string]*file{}}
}

// certainly are the files in a folder that are there after a power cut; nil if it is not itself.
func (d *disk) certainly(folder string) map[string][]byte {
	for above := folder; above != "."; above = path.Dir(above) {
		if d.certain[above] == nil {
			return nil
		}
	}
	files := map[string][]byte{}
	for name, f := range d.certain {
		switch rest, below := strings.CutPrefix(name, folder+"/"); {
		case !below || f.folder:
		case strings.Contains(rest, "/") && d.certainly(path.Dir(name)) == nil:
		default:
			files[rest] = f.synced
		}
	}
	return files
}

// contents are all files in a folder with what is given of them.
func (d *disk) contents(folder string, of func(*file) []byte) map[string][]byte {
	files := map[string][]byte{}
	for name, f := range d.names {
		if rest, below := strings.CutPrefix(name, folder+"/"); below && !f.folder {
			files[rest] = of(f)
		}
	}
	return files
}

// cut is what may be in a folder after a power cut.
type cut struct {
	what  string
	files map[string][]byte // nil: there is no folder
}

// cuts are some of the ways in which a folder may be after a power cut.
func (d *disk) cuts(folder string) []cut {
	return []cut{
		{"what was synced", d.certainly(folder)},
		{"all names, what was synced in the files", d.contents(folder, func(f *file) []byte { return f.synced })},
		{"half of what was not synced", d.contents(folder, torn)},
		{"everything", d.contents(folder, func(f *file) []byte { return f.written })},
	}
}

// restore makes a folder what it may be.
func (c *cut) restore(t *testing.T, dir string) {
	t.Helper()
	if c.files == nil {
		return
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range c.files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// torn is a file with half of what was written since it was synced, and zeros behind.
func torn(f *file) []byte {
	same := 0
	for same < min(len(f.written), len(f.synced)) && f.written[same] == f.synced[same] {
		same++
	}
	content := slices.Clone(f.written)
	clear(content[same+(len(content)-same)/2:])
	return content
}

// systemCall is a line of strace.
type systemCall struct {
	name   string
	args   []string // text as it is
	result int
	begins bool // an fsync that begins, and has no result yet
}

var (
	wholeCall    = regexp.MustCompile(`^\d+ +(\w+)\((.*)\) += (-?\d+)`)
	begunCall    = regexp.MustCompile(`^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$`)
	endedCall    = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)`)
	callArgument = regexp.MustCompile(`"(?:\\x[0-9a-f]{2})*"|[^, ]+`)
)

// systemCalls are the calls of a log in the order of their ends, and fsync also where it begins.
func systemCalls(t *testing.T, log string) (calls []systemCall) {
	add := func(name, text, result string) {
		c := systemCall{name: name, begins: result == ""}
		for _, arg := range callArgument.FindAllString(text, -1) {
			if strings.HasPrefix(arg, `"`) {
				var err error
				if arg, err = strconv.Unquote(arg); err != nil {
					t.Fatal(err)
				}
			}
			c.args = append(c.args, arg)
		}
		if !c.begins {
			c.result = atoi(t, result)
		}
		calls = append(calls, c)
	}
	begun := map[string]string{}
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		if m := begunCall.FindStringSubmatch(line); m != nil {
			begun[m[1]] = m[3]
			if m[2] == "fsync" {
				add(m[2], m[3], "")
			}
		} else if m := endedCall.FindStringSubmatch(line); m != nil {
			add(m[2], begun[m[1]]+m[3], m[4])
		} else if m := wholeCall.FindStringSubmatch(line); m != nil {
			if m[1] == "fsync" {
				add(m[1], m[2], "")
			}
			add(m[1], m[2], m[3])
		}
	}
	return calls
}

func atoi(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// diskCalls are the calls that change a disk, for strace.
const diskCalls = "trace=openat,close,write,pwrite64,ftruncate,fsync,mkdirat,linkat,unlinkat,?renameat,?renameat2"

// trace runs a program and returns the calls it makes that may change a disk.
func trace(t *testing.T, program string, args ...string) []systemCall {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	options := []string{"-f", "-qq", "-xx", "-s", "100000000", "-o", log, "-e", diskCalls, program}
	r := finish(t, exec.CommandContext(t.Context(), "strace", append(options, args...)...))
	if r.status != exitDone || r.stderr != "" {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return systemCalls(t, string(text))
}

// do brings the disk to where it is after a call, and tells whether the call was about it.
func (d *disk) do(t *testing.T, c systemCall) bool {
	name := func(i int) string {
		name, err := filepath.Rel(d.root, c.args[i])
		if err != nil || name == ".." || strings.HasPrefix(name, "../") {
			return ""
		}
		return name
	}
	switch {
	case c.result < 0:
		return false
	case c.name == "close":
		delete(d.open, atoi(t, c.args[0]))
		return false
	case c.name == "mkdirat":
		if name(1) == "" {
			return false
		}
		d.names[name(1)] = &file{folder: true}
	case c.name == "unlinkat":
		delete(d.names, name(1))
	case c.name == "linkat" || strings.HasPrefix(c.name, "renameat"):
		if name(1) == "" {
			return false
		}
		d.names[name(3)] = d.names[name(1)]
		if c.name != "linkat" {
			delete(d.names, name(1))
		}
	case c.name != "openat":
		f := d.open[atoi(t, c.args[0])]
		return f != nil && d.doTo(t, f, c)
	case name(1) == "":
		return false
	default:
		f := d.names[name(1)]
		if f == nil {
			f = new(file)
			d.names[name(1)] = f
		}
		if strings.Contains(c.args[2], "O_TRUNC") {
			f.written = nil
		}
		d.open[c.result] = f
		return !f.folder
	}
	return true
}

// doTo is do for a call on something that is open.
func (d *disk) doTo(t *testing.T, f *file, c systemCall) bool {
	write := func(at int) {
		end := at + c.result
		content := append(bytes.Clone(f.written), make([]byte, max(0, end-len(f.written)))...)
		copy(content[at:end], c.args[1])
		f.written = content
	}
	switch {
	case c.name == "write":
		write(len(f.written))
	case c.name == "pwrite64":
		write(atoi(t, c.args[3]))
	case c.name == "ftruncate":
		size := atoi(t, c.args[1])
		f.written = append(bytes.Clone(f.written), make([]byte, size)...)[:size]
	case c.name != "fsync":
		t.Fatalf("%+v", c)
	case c.begins:
		f.syncing = f.written
		return false
	case f.folder:
		d.syncNames(f)
	default:
		f.synced = f.syncing
	}
	return true
}

// syncNames makes the names in a folder certain.
func (d *disk) syncNames(folder *file) {
	in := func(name string, _ *file) bool { return name != "." && d.names[path.Dir(name)] == folder }
	maps.DeleteFunc(d.certain, in)
	for name, f := range d.names {
		if in(name, f) {
			d.certain[name] = f
		}
	}
}
