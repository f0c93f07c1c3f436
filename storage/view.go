package storage

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"gogotb/index"
)

// lookAgain is how old what is known of the folders may be.
const lookAgain = time.Second

// view is what the folders held when they were last looked through, so that nobody has to ask the
// system for a set that is not there.
type view struct {
	at     time.Time
	there  [materials]bool // outcomes of the set, perhaps
	failed [materials]atomic.Pointer[error]
}

// view returns a view that is not older than lookAgain.
func (t *Tables) view() *view {
	if v := t.seen.Load(); v != nil && time.Since(v.at) < t.lookAgain {
		return v
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	if v := t.seen.Load(); v != nil && time.Since(v.at) < t.lookAgain {
		return v
	}
	v := &view{at: time.Now()}
	for _, f := range t.folders {
		t.look(f, v)
	}
	t.seen.Store(v)
	return v
}

// look notes what is in a folder. In one that cannot be read, but perhaps searched, everything may be, and so it may
// at an address, which is not asked for a list: for a set at a time it knows the answer sooner.
func (t *Tables) look(f folder, v *view) {
	var entries []os.DirEntry
	err := errFar
	if f.source == nil {
		entries, err = t.files.readFolder(f.name)
	}
	if err != nil {
		for n := range v.there {
			v.there[n] = v.there[n] || !errors.Is(err, fs.ErrNotExist)
		}
		return
	}
	for _, e := range entries {
		if m, kind, ok := parseFileName(e.Name()); ok && kind == Outcomes {
			if n, ok := materialNumber(m); ok {
				v.there[n] = true
			}
		}
	}
}

var errFar = errors.New("not a folder of this machine")

// materials is the number of material sets: none to two of each kind.
const materials = 3 * 3 * 3 * 3 * 3

// materialNumber numbers the material sets that can have tables.
func materialNumber(m index.Material) (n int, ok bool) {
	most, pieces := uint8(0), 0
	for _, c := range m {
		n = 3*n + int(c)
		most, pieces = max(most, c), pieces+int(c)
	}
	return n, most <= 2 && pieces <= index.MaxPieces
}
