package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"
)

// systemdAddress stands for the sockets that systemd has opened (LISTEN_FDS).
const systemdAddress = "systemd"

// checkAddress refuses what is no address before anything is opened.
func checkAddress(flag, address string) error {
	if address == systemdAddress {
		return nil
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		if path == "" {
			return usagef("--%s %s: no path of a socket", flag, address)
		}
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return usagef("--%s %s: not an address with a port, like 127.0.0.1:8055, nor unix:PATH nor systemd", flag, address)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return usagef("--%s %s: %q is no port", flag, address, port)
	}
	return nil
}

// listen opens an address that checkAddress lets pass. Only systemd gives several listeners.
func listen(ctx context.Context, address string) ([]net.Listener, error) {
	if address == systemdAddress {
		return inherited()
	}
	network := "tcp"
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, address = "unix", path
		if err := removeStale(ctx, path); err != nil {
			return nil, err
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if network == "unix" {
		// Its owner and group may connect: the proxy's user is of that group.
		if err := os.Chmod(address, 0o660); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return []net.Listener{l}, nil
}

// removeStale removes a socket on which nobody listens, as a server leaves that was killed. Anything else stays.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s: there is a file that is no socket", path)
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err == nil {
		c.Close()
		return fmt.Errorf("%s: address already in use", path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return os.Remove(path)
}

// inherited returns the sockets that systemd has opened for this process.
func inherited() ([]net.Listener, error) {
	listeners, err := activation.Listeners()
	if err != nil {
		return nil, err
	}
	if len(listeners) == 0 {
		return nil, errors.New("systemd has passed no socket: LISTEN_FDS and LISTEN_PID do not name any for this process")
	}
	for i, l := range listeners {
		if l == nil || !slices.Contains([]string{"tcp", "unix"}, l.Addr().Network()) {
			return nil, fmt.Errorf("socket %d of those that systemd has passed does not take connections", i+1)
		}
	}
	return listeners, nil
}
