package cluster

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Security is how those who connect know each other. The zero value is for one machine.
type Security struct {
	// Creds is a file of credentials. A server lets in whoever has the same file; it makes one if there is none. A client
	// may also have one of another NATS's, with a JWT.
	Creds string
	// CA is a file of certificates (PEM) of whom is trusted to vouch for servers.
	CA string
	// Cert and Key are files (PEM) of the server's.
	Cert, Key string
}

// CredsError says that a file of credentials or certificates is of no use.
type CredsError struct {
	File string
	Err  error
}

func (e *CredsError) Error() string {
	if path := (*fs.PathError)(nil); errors.As(e.Err, &path) {
		return fmt.Sprintf("%s: %v", e.File, path.Err)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}
func (e *CredsError) Unwrap() error { return e.Err }

// secure makes a server's options those of the security.
func (s *Security) secure(o *server.Options) error {
	if (s.Cert == "") != (s.Key == "") {
		return errors.New("a certificate and its key belong together")
	}
	if s.Cert != "" {
		cert, err := tls.LoadX509KeyPair(s.Cert, s.Key)
		if err != nil {
			return &CredsError{s.Cert, err}
		}
		roots, err := s.roots()
		if err != nil {
			return err
		}
		o.TLS, o.TLSTimeout = true, 5
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, RootCAs: roots, MinVersion: tls.VersionTLS12}
		if o.Cluster.Name != "" {
			o.Cluster.TLSConfig, o.Cluster.TLSTimeout = o.TLSConfig.Clone(), 5
			o.Cluster.TLSConfig.ClientAuth, o.Cluster.TLSConfig.ClientCAs = tls.RequireAndVerifyClientCert, roots
		}
	}
	if s.Creds == "" {
		return nil
	}
	key, err := s.key(true)
	if err != nil {
		return err
	}
	public, err := key.PublicKey()
	if err != nil {
		return &CredsError{s.Creds, err}
	}
	o.Nkeys = []*server.NkeyUser{{Nkey: public}}
	if o.Cluster.Name != "" {
		// The servers of a cluster know each other by something that only who has the file can know.
		seed, err := key.Seed()
		if err != nil {
			return &CredsError{s.Creds, err}
		}
		mac := hmac.New(sha256.New, seed)
		mac.Write([]byte("gogotb routes"))
		o.Cluster.Username, o.Cluster.Password = "gogotb", hex.EncodeToString(mac.Sum(nil))
		for _, route := range o.Routes {
			route.User = url.UserPassword(o.Cluster.Username, o.Cluster.Password)
		}
	}
	return nil
}

// roots returns the certificates of CA; nil: those of the system.
func (s *Security) roots() (*x509.CertPool, error) {
	if s.CA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.CA)
	if err != nil {
		return nil, &CredsError{s.CA, err}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, &CredsError{s.CA, errors.New("no certificates (PEM)")}
	}
	return pool, nil
}

// key reads the key of Creds, or makes one.
func (s *Security) key(create bool) (nkeys.KeyPair, error) {
	text, err := os.ReadFile(s.Creds)
	if create && errors.Is(err, fs.ErrNotExist) {
		text, err = newCreds(s.Creds)
	}
	if err != nil {
		return nil, &CredsError{s.Creds, err}
	}
	key, err := nkeys.ParseDecoratedNKey(text)
	if err != nil {
		return nil, &CredsError{s.Creds, errors.New("no credentials")}
	}
	return key, nil
}

// newCreds writes a new file of credentials, which only its owner can read.
func newCreds(name string) ([]byte, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := key.Seed()
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", seed)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(text)
	return text, errors.Join(err, file.Sync(), file.Close())
}

// clientOptions are those that every connection has.
func (s *Security) clientOptions() ([]nats.Option, error) {
	opt := []nats.Option{
		nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2), // a server that is gone is noticed in seconds
		nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(requestTime),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // which prints, if it is left to itself
	}
	if s.CA != "" {
		roots, err := s.roots()
		if err != nil {
			return nil, err
		}
		opt = append(opt, nats.Secure(&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}))
	}
	if s.Creds == "" {
		return opt, nil
	}
	text, err := os.ReadFile(s.Creds)
	if err != nil {
		return nil, &CredsError{s.Creds, err}
	}
	if bytes.Contains(text, []byte("BEGIN NATS USER JWT")) {
		return append(opt, nats.UserCredentials(s.Creds)), nil
	}
	key, err := s.key(false)
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, &CredsError{s.Creds, err}
	}
	return append(opt, nats.Nkey(public, key.Sign)), nil
}
