package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gogotb/index"
	"gogotb/storage"
)

// serverVariable makes the test binary a server of the tables in the folder that it names, so
// that a benchmark can measure the server apart from its clients.
const serverVariable = "GOGOTB_TEST_SERVER"

// runServer is the test binary as a server. It ends when its standard input does.
func runServer(dir string) int {
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(listener.Addr())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := New(Options{Tables: tables}).Serve(ctx, listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// connections is how many clients ask at the same time.
const connections = 64

// BenchmarkAPI drives a server in a process of its own over loopback with 64 connections,
// asking for random positions, and reports requests a second, the median and the 99th
// percentile of the time that an answer takes, the processor time that it takes of the server, which
// hardly depends on what else the machine does, and the server's memory at the end.
func BenchmarkAPI(b *testing.B) {
	testTables(b)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverVariable+"="+tablesDir)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer stdin.Close()
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	root := "http://" + strings.TrimSpace(address)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()

	sfens := benchPositions(b, 2000)
	many := `{"positions":["` + strings.Join(sfens[:100], `","`) + `"]}`
	escape := func(sfen string) string {
		return strings.ReplaceAll(strings.ReplaceAll(sfen, " ", "_"), "+", "%2B")
	}
	for _, c := range []struct {
		name    string
		request func(i int) *http.Request
	}{
		{"probe", func(i int) *http.Request {
			return mustRequest(b, http.MethodGet, root+"/api/v1/probe?sfen="+escape(sfens[i%len(sfens)]))
		}},
		{"line", func(i int) *http.Request {
			return mustRequest(b, http.MethodGet, root+"/api/v1/line?sfen="+escape(sfens[i%len(sfens)]))
		}},
		{"probe-100", func(int) *http.Request {
			r := mustRequest(b, http.MethodPost, root+"/api/v1/probe")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(many)), int64(len(many))
			return r
		}},
		{"page", func(int) *http.Request { return mustRequest(b, http.MethodGet, root+"/") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			before := metricOf(b, client, root, "process_cpu_seconds_total")
			drive(b, client, c.request)
			b.ReportMetric((metricOf(b, client, root, "process_cpu_seconds_total")-before)*1e6/float64(b.N), "server-us/op")
			b.ReportMetric(metricOf(b, client, root, "process_resident_memory_bytes")/(1<<20), "server-MiB")
		})
	}
}

// drive sends b.N requests from 64 clients and reports how it went.
func drive(b *testing.B, client *http.Client, request func(int) *http.Request) {
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		times = make([]time.Duration, b.N)
	)
	start := time.Now()
	for range connections {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
				sent := time.Now()
				r, err := client.Do(request(i))
				if err != nil {
					b.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != http.StatusOK {
					b.Errorf("%s, %v", r.Status, err)
				}
				r.Body.Close()
				times[i] = time.Since(sent)
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	slices.Sort(times)
	b.ReportMetric(float64(b.N)/took.Seconds(), "requests/s")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}

// metricOf is a number among the server's metrics.
func metricOf(b *testing.B, client *http.Client, root, name string) float64 {
	b.Helper()
	r, err := client.Get(root + "/metrics")
	if err != nil {
		b.Fatal(err)
	}
	defer r.Body.Close()
	for in := bufio.NewScanner(r.Body); in.Scan(); {
		var n float64
		if _, err := fmt.Sscanf(in.Text(), name+" %g", &n); err == nil {
			return n
		}
	}
	b.Fatalf("the metrics lack %s", name)
	return 0
}

// benchPositions are random legal positions of the two-piece test sets.
func benchPositions(b *testing.B, n int) []string {
	b.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var indices []*index.Index
	for _, name := range []string{"RB", "RG", "GP", "PP"} {
		indices = append(indices, mustSet(b, name).Index())
	}
	var sfens []string
	for len(sfens) < n {
		x := indices[len(sfens)%len(indices)]
		p, err := x.Decode(random.Uint64N(x.Size()))
		if err != nil {
			b.Fatal(err)
		}
		if p.Validate() == nil {
			sfens = append(sfens, p.SFEN())
		}
	}
	return sfens
}
