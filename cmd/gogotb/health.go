package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// checkHealth asks the server at an address of --addr whether it is well, as a container without a shell
// has its health looked at.
func checkHealth(ctx context.Context, address string) error {
	if address == systemdAddress {
		return usagef("--check: where is the server? --addr systemd does not say")
	}
	network, at := "tcp", address
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, at = "unix", path
	}
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, at)
		},
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://gogotb/healthz", nil)
	if err != nil {
		return err
	}
	r, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, r.Status)
	}
	return nil
}
