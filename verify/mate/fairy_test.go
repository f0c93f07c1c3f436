//go:build conformance || long

package mate

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gogotb/rules"
)

// raceFile holds mates of full-material positions, of these lengths: sfen, tsume, shortest length.
const (
	raceFile                  = "testdata/race.tsv"
	raceShortest, raceLongest = 5, 17
)

// fairy is a running fairy-stockfish that speaks UCI.
type fairy struct {
	process int
	in      io.WriteCloser
	out     *bufio.Scanner
}

// startFairy starts Debian's fairy-stockfish, which must be there.
func startFairy(t testing.TB) *fairy {
	t.Helper()
	path, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		path = "/usr/games/fairy-stockfish"
	}
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (apt-get install fairy-stockfish)", err)
	}
	f := &fairy{process: cmd.Process.Pid, in: in, out: bufio.NewScanner(out)}
	t.Cleanup(func() {
		f.send("quit")
		cmd.Wait()
	})
	f.send("setoption name UCI_Variant value minishogi")
	f.send("setoption name Hash value 256")
	f.ready(t)
	return f
}

func (f *fairy) send(format string, args ...any) { fmt.Fprintf(f.in, format+"\n", args...) }

func (f *fairy) ready(t testing.TB) {
	f.send("isready")
	f.until(t, "readyok", nil)
}

// until hands lines to each, which may be nil, up to one that begins with prefix.
func (f *fairy) until(t testing.TB, prefix string, each func(string)) {
	t.Helper()
	for f.out.Scan() {
		if each != nil {
			each(f.out.Text())
		}
		if strings.HasPrefix(f.out.Text(), prefix) {
			return
		}
	}
	t.Fatalf("fairy-stockfish ended: %v", f.out.Err())
}

// fairyFEN writes a position as fairy-stockfish's UCI wants it: Sente is white, hands
// stand in brackets, piece by piece.
func fairyFEN(p *rules.Position) string {
	fields := strings.Fields(p.SFEN())
	turn := map[string]string{"b": "w", "w": "b"}[fields[1]]
	var hands strings.Builder
	for c, letters := range []string{"RBGSP", "rbgsp"} {
		for k := range letters {
			n := int(p.HandCount(rules.Color(c), rules.Kind(k)))
			hands.WriteString(strings.Repeat(letters[k:k+1], n))
		}
	}
	return fmt.Sprintf("%s[%s] %s 0 1", fields[0], hands.String(), turn)
}

// firstMate is the first mate for the side to move that a search finds.
type firstMate struct {
	plies int // 0: none
	nodes uint64
	after time.Duration // processor time, of the whole search if there is no mate
}

// processorTime is what a process has used so far. Unlike the time of day it hardly depends on what else runs.
func processorTime(t testing.TB, process int) time.Duration {
	t.Helper()
	const processClock = 2 // see clock_getcpuclockid(3)
	var now unix.Timespec
	if err := unix.ClockGettime(int32(^process<<3|processClock), &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

// mate lets fairy-stockfish look for a mate of at most maxPlies, from an empty hash table. limit is
// what to append to its command, such as "nodes 1000000".
func (f *fairy) mate(t testing.TB, p *rules.Position, tsume bool, maxPlies int, limit string) firstMate {
	t.Helper()
	f.send("setoption name TsumeMode value %v", tsume)
	f.send("setoption name Clear Hash")
	f.send("position fen %s", fairyFEN(p))
	f.ready(t)
	var first firstMate
	begin := processorTime(t, f.process)
	f.send("go mate %d %s", (maxPlies+1)/2, limit)
	f.until(t, "bestmove", func(line string) {
		words := strings.Fields(line)
		value := func(name string) int {
			for i, w := range words[:max(len(words)-1, 0)] {
				if w == name {
					n, _ := strconv.Atoi(words[i+1])
					return n
				}
			}
			return 0
		}
		if first.plies > 0 {
			return
		}
		if nodes := value("nodes"); nodes > 0 {
			first.nodes = uint64(nodes)
		}
		if moves := value("mate"); moves > 0 {
			first.plies = 2*moves - 1
			first.after = processorTime(t, f.process) - begin
		}
	})
	if first.plies == 0 {
		first.after = processorTime(t, f.process) - begin
	}
	return first
}
