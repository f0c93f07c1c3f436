package remote

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strings"
)

// address is where a Source is.
type address struct {
	name string // for people, without secrets, with a slash at the end

	base *url.URL // of HTTP, without user
	user *url.Userinfo

	bucket, prefix string // of S3; the prefix is empty, or ends with a slash
}

// parseAddress reads an address. Errors do not repeat what may be secret.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return address{}, errors.New("the address of tables is no URL")
	}
	shown := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	switch {
	case u.Host == "" || u.Opaque != "":
		return address{}, fmt.Errorf("the address %s names no host or bucket", shown)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return address{}, fmt.Errorf("the address %s has a query or a fragment, and names of files cannot follow that", shown)
	}
	switch u.Scheme {
	case "http", "https":
		return parseHTTP(u)
	case "s3":
		return parseS3(u)
	}
	return address{}, fmt.Errorf("the address %s is none of https://, http:// and s3://", shown)
}

func parseHTTP(u *url.URL) (address, error) {
	a := address{user: u.User, base: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}}
	a.base = a.base.JoinPath("/")
	a.name = a.base.String()
	if u.User != nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		return address{}, fmt.Errorf("a password for %s would be sent without encryption; use https", a.name)
	}
	return a, nil
}

// loopback tells whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func parseS3(u *url.URL) (address, error) {
	if u.User != nil {
		return address{}, errors.New("keys of S3 belong into the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), not into an address")
	}
	if u.Port() != "" {
		return address{}, fmt.Errorf("s3://%s/ has a port: the server of S3 is named by AWS_ENDPOINT_URL", u.Host)
	}
	a := address{bucket: u.Host, prefix: strings.TrimPrefix(path.Clean("/"+u.Path), "/")}
	if a.prefix != "" {
		a.prefix += "/"
	}
	a.name = "s3://" + a.bucket + "/" + a.prefix
	return a, nil
}
