package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
	"gogotb/rules"
	"gogotb/storage"
)

var testVersions = NewVersions("gogotb test")

// testLease is short, so that dead workers are soon replaced.
const testLease = time.Second

func parse(t testing.TB, names ...string) (sets []index.Material) {
	t.Helper()
	for _, name := range names {
		m, err := index.ParseMaterial(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, m)
	}
	return sets
}

// alone are the folders of sets that one machine has made, by their names.
var alone sync.Map

// sumsAlone returns SHA256SUMS of the tables of sets, made without any of this package.
func sumsAlone(t testing.TB, names ...string) string {
	t.Helper()
	key := strings.Join(names, " ")
	if text, ok := alone.Load(key); ok {
		return text.(string)
	}
	dir := t.TempDir()
	for _, m := range parse(t, names...) {
		solution, err := retro.Solve(t.Context(), m, retro.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		w, err := storage.Create(dir, solution.Index(), storage.WriterOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		stats, err := solution.Values(t.Context(), func(v []rules.Value) error { return w.Append(v) })
		if err == nil {
			err = w.Commit(stats)
		}
		if err != nil {
			t.Fatal(err)
		}
		solution.Close()
	}
	text := readFile(t, filepath.Join(dir, storage.SumsFile))
	alone.Store(key, text)
	return text
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// newFolder returns the address of a new bucket in a folder, and the folder.
func newFolder(t testing.TB) (address, folder string) {
	folder = t.TempDir()
	return "file://" + filepath.ToSlash(folder), folder
}

// testServer starts a server that this process alone can connect to.
func testServer(t testing.TB) *Server {
	t.Helper()
	s, err := StartServer(ServerOptions{Store: t.TempDir(), Versions: testVersions})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func connect(t testing.TB, s *Server) *nats.Conn {
	t.Helper()
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// journal is a log whose lines can be looked for.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// fleet is a server, a client and what its workers say.
type fleet struct {
	server  *Server
	client  *Client
	journal journal
	scratch string
	all     sync.WaitGroup
}

func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := &fleet{server: testServer(t), scratch: t.TempDir()}
	t.Cleanup(func() {
		f.all.Wait()
		if t.Failed() {
			t.Log(f.journal.String())
		}
	})
	conn := connect(t, f.server)
	if _, err := openControl(t.Context(), conn, testLease); err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(t.Context(), conn, testVersions)
	if err != nil {
		t.Fatal(err)
	}
	f.client = c
	return f
}

// worker returns a worker with a connection of its own.
func (f *fleet) worker(t testing.TB) *Worker {
	t.Helper()
	return f.workerBy(connect(t, f.server))
}

func (f *fleet) workerBy(conn *nats.Conn) *Worker {
	return NewWorker(conn, WorkerOptions{
		Versions: testVersions, Room: Room{Jobs: 1}, Folder: f.scratch, CheckpointEvery: 1,
		Log: slog.New(slog.NewTextHandler(&f.journal, nil)),
	})
}

// run runs a worker until ctx is done.
func (f *fleet) run(t testing.TB, ctx context.Context, w *Worker) {
	f.all.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Errorf("%s: %v", w.name, err)
		}
	})
}

func (f *fleet) submit(t testing.TB, p Plan) *Following {
	t.Helper()
	following, err := f.client.Submit(t.Context(), p, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	return following
}

// await waits until a plan is over.
func await(t testing.TB, f *Following) Standing {
	t.Helper()
	for {
		s, err := f.Standing(t.Context())
		if err == nil && s.Over() {
			return s
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// checkDone checks that every task is done, and that the tables are those that one machine makes.
func checkDone(t testing.TB, f *Following, folder string, sets ...string) {
	t.Helper()
	s := await(t, f)
	for _, one := range s.Tasks {
		if one.State != Done {
			t.Errorf("%s is %s: %+v", one.Task, one.State, one.Failure)
		}
	}
	if _, _, err := f.Results(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := readFile(t, filepath.Join(folder, "tables", storage.SumsFile)), sumsAlone(t, sets...); got != want {
		t.Errorf("SHA256SUMS is\n%s, on one machine\n%s", got, want)
	}
}

// keysOf lists the objects in a folder.
func keysOf(t testing.TB, folder, prefix string) (keys []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			key, _ := filepath.Rel(folder, path)
			if key = filepath.ToSlash(key); strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// mortal is a bucket of a worker that is killed at some call: before it is done, or after. Reading counts, too, if reads
// is set.
type mortal struct {
	bucket.Bucket
	kill  func()
	mu    sync.Mutex
	calls int // left
	after bool
	reads bool
	dead  bool
	again int // objects of steps that were there
}

var errKilled = fmt.Errorf("killed: %w", bucket.ErrDenied)

func (m *mortal) Put(ctx context.Context, key string, body bucket.Body) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errKilled
	}
	m.calls--
	m.dead = m.calls < 0
	if !m.dead || m.after {
		if err := m.Bucket.Put(ctx, key, body); err != nil {
			if errors.Is(err, bucket.ErrExists) && strings.HasPrefix(key, "steps/") {
				m.again++
			}
			return err
		}
	}
	if m.dead {
		m.kill()
		return errKilled
	}
	return nil
}

func (m *mortal) Get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	m.mu.Lock()
	if m.reads && !m.dead {
		if m.calls--; m.calls < 0 {
			m.dead = true
			m.kill()
		}
	}
	dead := m.dead
	m.mu.Unlock()
	if dead {
		return nil, errKilled
	}
	return m.Bucket.Get(ctx, key, offset, n)
}

// mortal makes a worker die in a bucket: nobody hears of it again.
func (f *fleet) mortal(t testing.TB, address string, calls int, after bool) (w *Worker, dead context.Context) {
	t.Helper()
	w, _, dead = f.watched(t, address, &mortal{calls: calls, after: after})
	return w, dead
}

// watched gives a worker a bucket that may be its death.
func (f *fleet) watched(t testing.TB, address string, m *mortal) (w *Worker, _ *mortal, dead context.Context) {
	t.Helper()
	w = f.worker(t)
	dead, die := context.WithCancel(t.Context())
	b, err := bucket.Open(t.Context(), address, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStore(t.Context(), b, address, testVersions)
	if err != nil {
		t.Fatal(err)
	}
	m.Bucket, m.kill = b, func() { w.conn.Close(); die() }
	s.Bucket = m
	w.stores[address] = s
	return w, m, dead
}

func planText(t testing.TB, p Plan) []byte {
	t.Helper()
	text, err := json.Marshal(announced{Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
