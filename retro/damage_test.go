package retro

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// recordsOf finds where the records of a checkpoint begin and what types they have.
func recordsOf(t *testing.T, text []byte) (offsets []int, types []byte) {
	t.Helper()
	for at := 0; at < len(text); at += recordHead + int(binary.LittleEndian.Uint32(text[at+4:])) {
		offsets, types = append(offsets, at), append(types, text[at])
	}
	return offsets, types
}

// savedPlies makes the checkpoint of a set as it is after some plies, each of which was saved.
func savedPlies(t *testing.T, name string, plies int) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "checkpoint")
	solveFrom(t, name, file, 1, plies)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestDamagedCheckpoint damages each record of a checkpoint in turn, at the beginning, in the
// length, in the sum or at the end. What is before the damaged record and the last commit before it
// is gone on from; what is behind that is kept in another file; and a warning says so. In the last
// commit it is as if that were being written when the process died: there is nothing to warn of.
func TestDamagedCheckpoint(t *testing.T) {
	x := indexOf(t, "S")
	text := savedPlies(t, "S", 8)
	offsets, types := recordsOf(t, text)
	if len(offsets) < 10 {
		t.Fatalf("only %d records", len(offsets))
	}
	want, wantStats := solveOnce(t, "S")
	committed, commits := 0, 0 // the end of the last commit before the record
	for i, offset := range offsets {
		end := len(text)
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		for _, at := range [][]int{{offset, end - 1}, {offset + 4}, {offset + 7}, {offset + 9}}[i%4] {
			damaged := bytes.Clone(text)
			damaged[at] ^= 0x40
			file := filepath.Join(t.TempDir(), "checkpoint")
			if err := os.WriteFile(file, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			var warnings []error
			solution, err := Solve(context.Background(), x.Material(), Options{Checkpoint: file, CheckpointEvery: time.Hour,
				Warn: func(err error) { warnings = append(warnings, err) }})
			if i == 0 {
				if !errors.Is(err, ErrNoCheckpoint) && !errors.Is(err, ErrBadCheckpoint) {
					t.Errorf("byte %d of the head is damaged: error %v", at, err)
				}
				if after, _ := os.ReadFile(file); !bytes.Equal(after, damaged) {
					t.Errorf("byte %d of the head is damaged: the file was changed", at)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if values, stats := valuesOf(t, solution); !slices.Equal(values, want) || !reflect.DeepEqual(stats, wantStats) {
				t.Fatalf("byte %d is damaged: other values", at)
			}
			after, _ := os.ReadFile(file)
			if !bytes.HasPrefix(after, text[:committed]) {
				t.Errorf("byte %d is damaged: what is before the damage is not left as it was", at)
			}
			kept, _ := os.ReadFile(file + ".damaged")
			if i == len(offsets)-1 {
				if len(warnings) > 0 || len(kept) > 0 {
					t.Errorf("the last commit is damaged: warnings %v, %d bytes kept", warnings, len(kept))
				}
				continue
			}
			var damage *DamageError
			if len(warnings) != 1 || !errors.As(warnings[0], &damage) ||
				damage.File != file || damage.Offset != int64(offset) || damage.Kept != file+".damaged" {
				t.Fatalf("byte %d of the record at %d is damaged: warnings %v", at, offset, warnings)
			}
			if !bytes.Equal(kept, damaged[committed:]) {
				t.Errorf("byte %d is damaged: %d bytes are kept, want those from %d on", at, len(kept), committed)
			}
			if commits == 2 && !strings.Contains(damage.Error(), "after ply 3, up to ply 7, is lost") {
				t.Errorf("after the second commit: %v", damage)
			}
			if err := RemoveCheckpoint(file); err != nil {
				t.Fatal(err)
			}
			if names, _ := os.ReadDir(filepath.Dir(file)); len(names) > 0 {
				t.Errorf("RemoveCheckpoint leaves %v", names)
			}
		}
		switch types[i] {
		case headRecord:
			committed = end
		case commitRecord:
			committed = end
			commits++
		}
	}
}
