package cluster

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// freePort returns an address of this machine at which nobody listens.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startAt starts a server at an address that has its own credentials.
func startAt(t testing.TB, address string) (s *Server, creds string) {
	t.Helper()
	creds = filepath.Join(t.TempDir(), "fleet.creds")
	s, err := StartServer(ServerOptions{Store: t.TempDir(), Listen: address, Versions: testVersions, Security: Security{Creds: creds}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s, creds
}

// TestAwait: who waits for a server gets it when it is there. What no server can mend ends the wait at once.
func TestAwait(t *testing.T) {
	address := freePort(t)
	creds := filepath.Join(t.TempDir(), "fleet.creds")
	if _, err := newCreds(creds); err != nil {
		t.Fatal(err)
	}
	told := 0
	conn, err := Await(t.Context(), "nats://"+address, Security{Creds: creds}, "test", func(err error) {
		if told++; told > 1 {
			return
		}
		var away *ConnectError
		if !errors.As(err, &away) || away.URL != "nats://"+address {
			t.Errorf("it waits because of %v", err)
		}
		s, err := StartServer(ServerOptions{Store: t.TempDir(), Listen: address, Versions: testVersions, Security: Security{Creds: creds}})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(s.Stop)
	})
	if err != nil || told == 0 {
		t.Fatalf("%v, told %d times", err, told)
	}
	conn.Close()
	for _, c := range []struct {
		join     string
		security Security
	}{
		{"nats://" + address, Security{}},
		{"nats://" + address, Security{Creds: "/none"}},
		{"nats://" + address, Security{Creds: creds, CA: creds}},
		{"nats://a b", Security{}},
	} {
		if _, err := Await(t.Context(), c.join, c.security, "test", func(err error) { t.Errorf("%+v: it waits because of %v", c, err) }); err == nil {
			t.Errorf("%+v: it is let in", c)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	if _, err := Await(ctx, "nats://"+freePort(t), Security{}, "test", func(error) { stop() }); err == nil {
		t.Error("it is let in where nobody is")
	}
}

// TestRefusedLater: a worker whose server comes back with other credentials ends, and says why.
func TestRefusedLater(t *testing.T) {
	address := freePort(t)
	s, creds := startAt(t, address)
	conn, err := Connect(s.URL(), Security{Creds: creds}, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	f := fleet{scratch: t.TempDir()}
	w := f.workerBy(conn)
	ended := make(chan error)
	go func() { ended <- w.Run(t.Context()) }()
	for !strings.Contains(f.journal.String(), "msg=ready") {
		time.Sleep(10 * time.Millisecond)
	}
	s.Stop()
	startAt(t, address)
	var refused *ConnectError
	if err := <-ended; !errors.As(err, &refused) {
		t.Errorf("it ends with %v", err)
	}
}
