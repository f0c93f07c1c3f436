//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interrupt ends a server as administrators do.
func (s *started) interrupt() {
	s.t.Helper()
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
	if status := s.cmd.ProcessState.ExitCode(); status != exitDone {
		s.t.Errorf("status %d, want %d", status, exitDone)
	}
}

// getAt asks for a path at an address, which may be the path of a Unix socket.
func getAt(t testing.TB, network, address, path string) (status int, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	r, err := client.Get("http://gogotb" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// TestServeUnix: a Unix socket that owner and group may use, gone when the server goes; one that a killed server
// has left is replaced, a live one and other files are not.
func TestServeUnix(t *testing.T) {
	socket := filepath.Join(shortDir(t), "http.sock")
	server := start(t, serving(t, "--addr", "unix:"+socket), 1)
	if server.addresses[0] != socket {
		t.Errorf("it says it is at %s", server.addresses[0])
	}
	if status, body := getAt(t, "unix", socket, "/healthz"); status != http.StatusOK {
		t.Errorf("%d: %s", status, body)
	}
	info, err := os.Stat(socket)
	if err != nil || info.Mode() != fs.ModeSocket|0o660 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	refuse(t, exitFailed, []string{socket, "in use"}, "--dir", smallTables(t), "serve", "--addr", "unix:"+socket)
	if r := gogotb(t, "serve", "--check", "--addr", "unix:"+socket); r.status != exitDone {
		t.Errorf("it is not well: %+v", r)
	}
	server.interrupt()
	if _, err := os.Lstat(socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	refuse(t, exitFailed, []string{socket}, "serve", "--check", "--addr", "unix:"+socket)

	killed := start(t, serving(t, "--addr", "unix:"+socket), 1)
	killed.cmd.Process.Kill()
	killed.cmd.Wait()
	if _, err := os.Lstat(socket); err != nil {
		t.Fatal(err)
	}
	start(t, serving(t, "--addr", "unix:"+socket), 1).interrupt()

	if err := os.WriteFile(socket, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{socket, "no socket"}, "--dir", smallTables(t), "serve", "--addr", "unix:"+socket)
	if text, err := os.ReadFile(socket); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	refuse(t, exitFailed, []string{"none"}, "--dir", smallTables(t), "serve", "--addr", "unix:"+filepath.Join(t.TempDir(), "none", "http.sock"))
}

// shortDir is a temporary folder with a name that is short enough for sockets in it.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gogotb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// bySystemd is a command that gets listening sockets as systemd passes them.
func bySystemd(t testing.TB, cmd *exec.Cmd, sockets ...*os.File) *exec.Cmd {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`}, cmd.Args...)...)
	shell.Dir = cmd.Dir
	shell.Env = append(os.Environ(), fmt.Sprintf("LISTEN_FDS=%d", len(sockets)))
	shell.ExtraFiles = sockets
	return shell
}

// opened are listening sockets as systemd opens them, and their addresses.
func opened(t testing.TB, addresses ...string) (files []*os.File, at []string) {
	t.Helper()
	for _, address := range addresses {
		network, where, _ := strings.Cut(address, " ")
		l, err := net.Listen(network, where)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		f, err := l.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		files, at = append(files, f), append(at, l.Addr().String())
	}
	return files, at
}

// TestServeSystemd: sockets that systemd has opened are served and stay when the server goes; systemd is told when it is ready.
func TestServeSystemd(t *testing.T) {
	socket := filepath.Join(shortDir(t), "http.sock")
	files, at := opened(t, "tcp 127.0.0.1:0", "unix "+socket)
	notices, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(shortDir(t), "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer notices.Close()
	if err := notices.SetReadDeadline(time.Now().Add(5 * time.Minute)); err != nil { // or a lost notice would hang
		t.Fatal(err)
	}
	for range 2 { // again with the same sockets, as after a restart
		cmd := bySystemd(t, serving(t, "--addr", "systemd"), files...)
		cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+notices.LocalAddr().String())
		server := start(t, cmd, 2)
		for i, network := range []string{"tcp", "unix"} {
			if server.addresses[i] != at[i] {
				t.Errorf("it says it is at %s, want %s", server.addresses[i], at[i])
			}
			if status, body := getAt(t, network, at[i], "/healthz"); status != http.StatusOK {
				t.Errorf("%s: %d %s", at[i], status, body)
			}
		}
		server.interrupt()
		for _, want := range []string{"READY=1", "STOPPING=1"} {
			text := make([]byte, 100)
			n, err := notices.Read(text)
			if err != nil || string(text[:n]) != want {
				t.Errorf("systemd is told %q, %v, want %s", text[:n], err, want)
			}
		}
		if _, err := os.Lstat(socket); err != nil {
			t.Errorf("the socket has gone: %v", err)
		}
	}
	datagrams, err := notices.File()
	if err != nil {
		t.Fatal(err)
	}
	defer datagrams.Close()
	for _, c := range []struct {
		sockets []*os.File
		say     string
	}{{nil, "no socket"}, {[]*os.File{datagrams}, "socket 1"}} {
		checkRefusal(t, finish(t, bySystemd(t, serving(t, "--addr", "systemd"), c.sockets...)), exitFailed, []string{c.say}, []string{"serve", "--addr", "systemd"})
	}
}

// TestUnitStarts runs what the systemd unit runs, with the socket of its .socket unit on a free port.
func TestUnitStarts(t *testing.T) {
	setting := func(unit, name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("serve", "deploy", unit))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, name+"="); ok {
				return strings.TrimSpace(value)
			}
		}
		t.Fatalf("%s has no %s", unit, name)
		return ""
	}
	host, _, err := net.SplitHostPort(setting("gogotb.socket", "ListenStream"))
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("the socket is not for this machine alone: %s, %v", host, err)
	}
	args := strings.Fields(setting("gogotb.service", "ExecStart"))
	args = strings.Fields(strings.ReplaceAll(strings.Join(args[1:], " "), "/var/lib/gogotb", smallTables(t)))
	files, at := opened(t, "tcp "+net.JoinHostPort(host, "0"))
	server := start(t, bySystemd(t, command(t, args...), files...), 1)
	if status, body := getAt(t, "tcp", at[0], "/healthz"); status != http.StatusOK {
		t.Errorf("%d: %s", status, body)
	}
	server.interrupt()
}

// TestServeMetricsAddress: the metrics at an address of their own.
func TestServeMetricsAddress(t *testing.T) {
	server := start(t, serving(t, "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--access-log", "--trusted-proxy", "127.0.0.0/8", "--trusted-proxy", "unix"), 2)
	for i, want := range []int{http.StatusNotFound, http.StatusOK} {
		if status, body := getAt(t, "tcp", server.addresses[i], "/metrics"); status != want {
			t.Errorf("%s: %d: %s", server.addresses[i], status, body)
		}
	}
	if r := gogotb(t, "serve", "--check", "--addr", server.addresses[0]); r.status != exitDone || r.stdout+r.stderr != "" {
		t.Errorf("it is not well: %+v", r)
	}
	server.interrupt()
	refuse(t, exitFailed, []string{server.addresses[0]}, "serve", "--check", "--addr", server.addresses[0])
}

// TestServeAddressesRefused: what is no address, or no proxy, is wrong usage.
func TestServeAddressesRefused(t *testing.T) {
	for _, c := range [][]string{
		{"--addr unix:", "--addr", "unix:"},
		{"--metrics-addr 8056", "--metrics-addr", "8056"},
		{"--metrics-addr systemd", "--metrics-addr", "systemd"},
		{`--trusted-proxy: "10.0.0"`, "--trusted-proxy", "10.0.0"},
		{"--check", "--check", "--addr", "systemd"},
	} {
		refuse(t, exitUsage, c[:1], append([]string{"--dir", smallTables(t), "serve"}, c[1:]...)...)
	}
}
