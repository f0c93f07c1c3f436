package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// certificate writes a certificate for this machine that vouches for itself, and its key.
func certificate(t testing.TB) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, body []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: body}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

// TestSecurity: who has the credentials gets in, by TLS, and nobody else.
func TestSecurity(t *testing.T) {
	cert, key := certificate(t)
	creds := filepath.Join(t.TempDir(), "made", "fleet.creds")
	opt := ServerOptions{Store: t.TempDir(), Listen: "127.0.0.1:0", Versions: testVersions, Security: Security{Creds: creds, CA: cert, Cert: cert, Key: key}}
	s, err := StartServer(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if info, err := os.Stat(creds); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials: %v, %v", info, err)
	}
	others := filepath.Join(t.TempDir(), "others.creds")
	if _, err := newCreds(others); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		security Security
		in       bool
	}{
		{"who has both", Security{Creds: creds, CA: cert}, true},
		{"without credentials", Security{CA: cert}, false},
		{"with others' credentials", Security{Creds: others, CA: cert}, false},
		{"without trust in the server", Security{Creds: creds}, false},
	} {
		conn, err := Connect(s.URL(), c.security, "test")
		if err == nil {
			_, err = NewClient(t.Context(), conn, testVersions)
			conn.Close()
		}
		if (err == nil) != c.in {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// The process of the server itself needs no trust.
	conn := connect(t, s)
	if _, err := NewClient(t.Context(), conn, testVersions); err != nil {
		t.Errorf("from within: %v", err)
	}
	for _, bad := range []Security{{Creds: cert}, {Creds: filepath.Join(t.TempDir(), "none")}, {CA: key}, {CA: "/none"}} {
		var wrong *CredsError
		if _, err := Connect(s.URL(), bad, "test"); !errors.As(err, &wrong) || !strings.Contains(err.Error(), bad.Creds+bad.CA) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	r := httptest.NewRecorder()
	promhttp.HandlerFor(s.Metrics(), promhttp.HandlerOpts{}).ServeHTTP(r, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{"\ngogotb_cluster_connections 1\n", "\ngogotb_cluster_leader ", "\ngogotb_cluster_store_bytes "} {
		if !strings.Contains(r.Body.String(), line) {
			t.Errorf("the metrics have no %q", line)
		}
	}
}

// TestBeyondThisMachine: without credentials a server listens to this machine alone.
func TestBeyondThisMachine(t *testing.T) {
	for _, o := range []ServerOptions{
		{Listen: "0.0.0.0:0"}, {Listen: ":0"}, {Listen: "[::]:0"}, {Listen: "192.0.2.1:0"}, {Listen: "somewhere"}, {Listen: "127.0.0.1:99999"},
		{Listen: "127.0.0.1:0", Routes: []string{"127.0.0.1:1"}, Cluster: "0.0.0.0:0"},
		{Listen: "127.0.0.1:0", Routes: []string{"nowhere"}, Cluster: "127.0.0.1:0"},
	} {
		o.Store = t.TempDir()
		var refused *ListenError
		s, err := StartServer(o)
		if !errors.As(err, &refused) {
			t.Errorf("%+v: %v", o, err)
		}
		if err == nil {
			s.Stop()
		}
	}
}
