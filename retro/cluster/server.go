package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions say where a server listens and keeps what it has.
type ServerOptions struct {
	Store    string   // folder
	Listen   string   // host:port for workers and clients; "": nobody can connect but this process
	Name     string   // of the server in a cluster; "": made up
	Routes   []string // the other servers of a cluster, host:port
	Cluster  string   // host:port for these
	Security Security
	Versions Versions
	Log      *slog.Logger
}

// Server is a NATS server with JetStream in this process.
type Server struct {
	nats *server.Server
	opt  ServerOptions
}

// startTime is how long a server may take to begin.
const startTime = 30 * time.Second

// ListenError says that a server cannot, or should not, listen where it was told to.
type ListenError struct{ Address, Why string }

func (e *ListenError) Error() string { return fmt.Sprintf("%s: %s", e.Address, e.Why) }

// StartServer starts a server. What JetStream acknowledges is on the disk by then.
func StartServer(opt ServerOptions) (*Server, error) {
	o := &server.Options{
		ServerName: cmp.Or(opt.Name, newName()), JetStream: true, StoreDir: opt.Store, SyncAlways: true,
		DontListen: opt.Listen == "", NoSigs: true, NoLog: opt.Log == nil,
	}
	if opt.Listen != "" {
		var err error
		if o.Host, o.Port, err = opt.hostPort(opt.Listen); err != nil {
			return nil, err
		}
	}
	if len(opt.Routes) > 0 {
		host, port, err := opt.hostPort(opt.Cluster)
		if err != nil {
			return nil, err
		}
		o.Cluster = server.ClusterOpts{Name: "gogotb", Host: host, Port: port}
		for _, route := range opt.Routes {
			if _, _, err := net.SplitHostPort(route); err != nil {
				return nil, &ListenError{route, "not of the form host:port"}
			}
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats-route", Host: route})
		}
	}
	if err := opt.Security.secure(o); err != nil {
		return nil, err
	}
	n, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s := &Server{n, opt}
	if opt.Log != nil {
		n.SetLoggerV2(&serverLog{opt.Log, n}, false, false, false)
	}
	n.Start()
	if !n.ReadyForConnections(startTime) {
		s.Stop()
		return nil, errors.New("the NATS server has not begun; its log says why")
	}
	return s, nil
}

// hostPort reads an address to listen at. Beyond this machine only those with credentials are let in.
func (o *ServerOptions) hostPort(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, &ListenError{address, "not of the form host:port"}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && o.Security.Creds == "" {
		return "", 0, &ListenError{address, "beyond this machine anybody could join: give a file of credentials"}
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return cmp.Or(host, "0.0.0.0"), port, nil
}

// URL returns where clients connect to.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Connect connects to the server from within the process.
func (s *Server) Connect() (*nats.Conn, error) {
	opt, err := s.opt.Security.clientOptions()
	if err != nil {
		return nil, err
	}
	return nats.Connect("", append(opt, nats.InProcessServer(s.nats), nats.Name("gogotb cluster serve"))...)
}

// Attend is there as a member of the fleet until ctx is done, so that workers of other versions are refused.
func (s *Server) Attend(ctx context.Context) error {
	conn, err := s.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	c, err := newControl(conn, DefaultLease)
	if err != nil {
		return err
	}
	m := Member{Name: s.nats.Name(), Kind: "server", Versions: s.opt.Versions}
	said := false
	err = insist(ctx, func(err error) { // until most of the servers are there
		if !said && s.opt.Log != nil {
			s.opt.Log.Warn("waiting for the other servers", "error", err)
		}
		said = true
	}, func() error {
		if err := c.openOnce(ctx); err != nil {
			return err
		}
		return c.admit(ctx, "this server", m.Versions)
	})
	if err != nil {
		return err
	}
	for {
		entry, err := c.claim(ctx, memberPrefix+m.Name, m)
		if err == nil {
			entry.keep(ctx, func() any { return m }, func(error) {})
		}
		if ctx.Err() != nil {
			return nil
		}
		wait(ctx, c.lease/renewals) // the entry of the process before has not ended yet
		if lost(err) {
			c.openOnce(ctx)
		}
	}
}

// Stop stops the server.
func (s *Server) Stop() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// serverLog writes the NATS server's log to ours.
type serverLog struct {
	log  *slog.Logger
	nats *server.Server
}

func (l *serverLog) Noticef(format string, v ...any) { l.write(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.write(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.write(slog.LevelError, format, v) }
func (l *serverLog) Debugf(format string, v ...any)  { l.write(slog.LevelDebug, format, v) }
func (l *serverLog) Tracef(format string, v ...any)  { l.write(slog.LevelDebug, format, v) }

// Fatalf ends the server, not the process.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.write(slog.LevelError, format, v)
	go l.nats.Shutdown()
}

func (l *serverLog) write(level slog.Level, format string, v []any) {
	l.log.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(format, v...)), "from", "nats")
}
