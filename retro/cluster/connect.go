package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/nats-io/nats.go"
)

// ConnectError says that a server cannot be reached, or lets nobody in.
type ConnectError struct {
	URL string
	Err error
}

func (e *ConnectError) Error() string { return fmt.Sprintf("no connection to %s: %v", e.URL, e.Err) }
func (e *ConnectError) Unwrap() error { return e.Err }

// Connect connects to servers, addresses separated by commas.
func Connect(join string, s Security, name string) (*nats.Conn, error) {
	opt, err := s.clientOptions()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(join, append(opt, nats.Name(name))...)
	if err != nil {
		return nil, &ConnectError{join, err}
	}
	return conn, nil
}

// Await is Connect, but waits for a server to be there. tell is told what it waits for, again and again.
func Await(ctx context.Context, join string, s Security, name string, tell func(error)) (conn *nats.Conn, err error) {
	err = insist(ctx, tell, func() error {
		conn, err = Connect(join, s, name)
		return err
	})
	return conn, err
}

// insist calls f once a second until it succeeds, trying again is of no use, or ctx is done.
func insist(ctx context.Context, tell func(error), f func() error) error {
	for {
		err := f()
		if err == nil || hopeless(err) || ctx.Err() != nil {
			return err
		}
		tell(err)
		wait(ctx, time.Second)
	}
}

// hopeless tells whether nothing but another program, or other credentials, will help.
func hopeless(err error) bool {
	var version *VersionError
	var creds *CredsError
	var connect *ConnectError
	return errors.As(err, &version) || errors.As(err, &creds) || errors.As(err, &connect) && !away(connect.Err) || errors.Is(err, nats.ErrConnectionClosed)
}

// away tells whether an error says that there is no server yet, or none any more, rather than that it lets nobody in.
func away(err error) bool {
	var network *net.OpError
	var name *net.DNSError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) || errors.As(err, &name) ||
		errors.As(err, &network) && (network.Op == "dial" || network.Op == "read" || network.Timeout())
}
