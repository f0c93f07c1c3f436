package main

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzArguments: whatever is on the command line, the program says what it has to say and
// ends with one of its statuses. Commands that work for long are left out.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		"moves\n4k/5/5/5/K4 b G 1",
		"game\n4k/5/5/5/K4 b G 1\nG*3c 1a2a\n--max-plies\n3",
		"game\n--first-player\nw\n--repetition=inventor\nrbsgk/4p/5/P4/KGSBR b - 1\n5e4d",
		"index\nR\n1000",
		"index\n4k/5/5/5/K4 w R 1\n--json",
		"probe\n--json\n-\n4k/5/5/5/K4 b RG 1",
		"find\n--dtm\n3\n--limit=5\nRG",
		"stats\n--json\nRB\nnone",
		"list\n--dir\nnowhere",
		"help\nprobe",
		"--no-progress\nmoves\n--\n-",
	} {
		f.Add(seed, "4k/5/5/5/K4 b - 1\n\nx")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line, stdin string) {
		args := strings.Split(line, "\n")
		switch args[0] {
		case "moves", "game", "index", "probe", "find", "stats", "list", "help":
		default:
			args = append([]string{"moves"}, args...)
		}
		args = append([]string{"--dir", dir}, args...)
		var stdout, stderr bytes.Buffer
		status := run(args, strings.NewReader(stdin), &checkedWriter{w: &stdout}, &stderr)
		switch status {
		case exitDone:
		case exitFailed, exitUsage:
			if !strings.HasSuffix(stderr.String(), "\n") && !strings.Contains(stdout.String(), `"error":`) {
				t.Errorf("%q: status %d, and no word why: %q", args, status, stderr.String())
			}
		default:
			t.Errorf("%q: status %d", args, status)
		}
		if status == exitUsage && (strings.Count(stderr.String(), "\n") != 1 || stdout.Len() > 0) {
			t.Errorf("%q: %q, want one line; %q", args, stderr.String(), stdout.String())
		}
	})
}

// FuzzByteSize: a size that is understood is positive, and is read back as it is written.
func FuzzByteSize(f *testing.F) {
	for _, seed := range []string{"16GiB", "500MB", "1000000", "1.5 TB", "-1", "0", "1e9", "99999999999EiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b byteSize
		if err := b.Set(text); err != nil {
			return
		}
		if b == 0 {
			t.Errorf("%q is taken for nothing", text)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil {
			t.Errorf("%q is written as %q, which is refused: %v", text, b.String(), err)
		}
	})
}
