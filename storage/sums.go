package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gogotb/index"
)

// SumsFile is the name of the file beside the tables that `sha256sum -c` checks them by.
const SumsFile = "SHA256SUMS"

// Tidy puts a folder in order after a process that wrote there was killed. Temporary files
// go. SHA256SUMS is brought up to date with the names of the tables: tables that are not
// listed are read and added, entries without a table go. What is listed is taken as
// true. One process at a time may do this, or have a Writer, in a folder.
func Tidy(dir string) error {
	if err := removeTemporary(dir); err != nil {
		return err
	}
	return updateSums(dir, nil)
}

// updateSums brings SHA256SUMS up to date with the names of the tables, and with sums already
// known, by file name, which replace those listed.
func updateSums(dir string, known map[string]string) error {
	sums, err := readSums(dir)
	if err != nil {
		return err
	}
	maps.Copy(sums, known)
	names, err := tableNames(dir)
	if err != nil {
		return err
	}
	maps.DeleteFunc(sums, func(name, _ string) bool { return !slices.Contains(names, name) })
	for _, name := range names {
		if sums[name] == "" {
			sum, err := sumFile(filepath.Join(dir, name))
			var irregular *IrregularError
			switch {
			case errors.As(err, &irregular), errors.Is(err, syscall.ELOOP), errors.Is(err, fs.ErrNotExist):
				continue // no file: nothing can be said of it
			case err != nil:
				return err
			}
			sums[name] = sum
		}
	}
	return writeSums(dir, sums)
}

// dropSums takes files out of SHA256SUMS that are about to be replaced, so that it tells
// no lie if the process dies in between.
func dropSums(dir string, replaced map[string]string) error {
	sums, err := readSums(dir)
	if err != nil {
		return err
	}
	listed := len(sums)
	maps.DeleteFunc(sums, func(name, _ string) bool { return replaced[name] != "" })
	if len(sums) == listed {
		return nil
	}
	return writeSums(dir, sums)
}

// readSums reads SHA256SUMS, by file name; nothing if there is none.
func readSums(dir string) (map[string]string, error) {
	path := filepath.Join(dir, SumsFile)
	text, err := readRegular(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &ReadError{path, err}
	}
	return ParseSums(text), nil
}

// ParseSums reads what SHA256SUMS says: the checksum of each file, by its name. Lines of another form are left out.
func ParseSums(text []byte) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if ok && len(sum) == 2*sha256.Size {
			sums[name] = sum
		}
	}
	return sums
}

func writeSums(dir string, sums map[string]string) error {
	text := formatSums(sums)
	path := filepath.Join(dir, SumsFile)
	old, err := readRegular(path)
	if err == nil && bytes.Equal(old, text) || errors.Is(err, fs.ErrNotExist) && len(sums) == 0 {
		return nil
	}
	return replaceFile(path, text)
}

// formatSums returns the text of SHA256SUMS, in the order of the names.
func formatSums(sums map[string]string) []byte {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&text, "%s  %s\n", sums[name], name)
	}
	return text.Bytes()
}

// readRegular reads as os.ReadFile does, but regular files only.
func readRegular(path string) ([]byte, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func sumFile(path string) (string, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return "", &ReadError{path, err}
	}
	defer f.Close()
	sha := sha256.New()
	if _, err := io.Copy(sha, f); err != nil {
		return "", &ReadError{path, err}
	}
	return hex.EncodeToString(sha.Sum(nil)), nil
}

// tableNames returns the names of the tables in a folder, sorted; none if there is no such
// folder.
func tableNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &ReadError{dir, err}
	}
	return tableNamesIn(entries), nil
}

func tableNamesIn(entries []os.DirEntry) []string {
	var names []string
	for _, e := range entries {
		if _, _, ok := parseFileName(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	return names
}

// parseFileName returns the reverse of FileName.
func parseFileName(name string) (index.Material, Kind, bool) {
	for _, k := range [...]Kind{Outcomes, Distances} {
		if set, ok := strings.CutSuffix(name, k.Extension()); ok {
			m, err := index.ParseMaterial(set)
			return m, k, err == nil && m.String() == set
		}
	}
	return index.Material{}, 0, false
}
