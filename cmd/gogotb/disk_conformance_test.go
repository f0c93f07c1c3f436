//go:build conformance && linux

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// disk is a folder of tables, as the calls of a program have left it: as programs see it, and
// what of it is certain to be there after a power cut, because it was synced.
type disk struct {
	around, tables string // folders
	open           map[int]*file
	names, certain map[string]*file
	made           bool // whether the folder itself is certain to be there
}

// file is a file, or one of the folders.
type file struct {
	written, synced []byte
	syncing         []byte // what was there when the sync began that goes on
	folder          string // "": a file
}

func newDisk(around string) *disk {
	return &disk{around: around, tables: filepath.Join(around, "tables"), open: map[int]*file{}, names: map[string]*file{}, certain: map[string]*file{}}
}

// certainly are the files that are there after a power cut; nil if the folder is not.
func (d *disk) certainly() map[string][]byte {
	if !d.made {
		return nil
	}
	files := map[string][]byte{}
	for name, f := range d.certain {
		files[name] = f.synced
	}
	return files
}

// contents are all files with what is given of them.
func (d *disk) contents(of func(*file) []byte) map[string][]byte {
	files := map[string][]byte{}
	for name, f := range d.names {
		files[name] = of(f)
	}
	return files
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

// commit is the ply or rank up to which the results are certain to be in the checkpoint, in the
// program's words; "" if there are none.
func (d *disk) commit() (standing string) {
	f := d.certain["GG.checkpoint"]
	if f == nil {
		return ""
	}
	for b := f.synced; len(b) > 0; { // the records are described in package retro
		body := b[16:][:binary.LittleEndian.Uint32(b[4:])]
		if b[0] == 3 {
			phases := [...]string{"ply %d", "perpetual check, rank %d", "solved"}
			standing = fmt.Sprintf(phases[binary.LittleEndian.Uint64(body)], binary.LittleEndian.Uint64(body[8:]))
		}
		b = b[16+len(body):]
	}
	return standing
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

// do brings the disk to where it is after a call, and tells whether the call was about it.
func (d *disk) do(t *testing.T, c systemCall) bool {
	name := func(i int) string {
		if filepath.Dir(c.args[i]) != d.tables {
			return ""
		}
		return filepath.Base(c.args[i])
	}
	switch {
	case c.result < 0:
		return false
	case c.name == "close":
		delete(d.open, atoi(t, c.args[0]))
		return false
	case c.name == "unlinkat":
		delete(d.names, name(1))
	case strings.HasPrefix(c.name, "renameat"):
		d.names[name(3)] = d.names[name(1)]
		delete(d.names, name(1))
	case c.name != "openat":
		f := d.open[atoi(t, c.args[0])]
		return f != nil && d.doTo(t, f, c)
	case c.args[1] == d.tables, c.args[1] == d.around:
		d.open[c.result] = &file{folder: c.args[1]}
		return false
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
	case f.folder == d.around:
		d.made = true
	case f.folder == d.tables:
		d.certain = maps.Clone(d.names)
	default:
		f.synced = f.syncing
	}
	return true
}
