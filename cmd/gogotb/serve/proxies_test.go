package serve

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// asks is a request from a peer with headers, "Name: value" each.
func asks(peer string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = peer
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return r
}

func trust(t testing.TB, texts ...string) Proxies {
	t.Helper()
	var p Proxies
	for _, text := range texts {
		if err := p.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestClientOf(t *testing.T) {
	proxies := trust(t, "10.0.0.0/8", "2001:db8:aa::/48", "198.51.100.7")
	const forwarded, x = "Forwarded: ", "X-Forwarded-For: "
	for _, c := range []struct {
		peer    string
		headers []string
		want    string
	}{
		{"192.0.2.7:1234", nil, "192.0.2.7/32"},
		{"[::ffff:192.0.2.7]:1", nil, "192.0.2.7/32"},
		{"[2001:db8:1:2:3:4:5:6]:443", nil, "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:443", nil, "fe80::/64"},
		{"pipe", nil, "invalid Prefix"},
		// Nobody is believed who is not trusted.
		{"192.0.2.7:1", []string{x + "203.0.113.1"}, "192.0.2.7/32"},
		{"192.0.2.7:1", []string{forwarded + "for=203.0.113.1"}, "192.0.2.7/32"},
		{"@", []string{x + "203.0.113.1"}, "invalid Prefix"},
		// The right-most address that is not trusted.
		{"10.1.2.3:1", []string{x + "203.0.113.1"}, "203.0.113.1/32"},
		{"198.51.100.7:1", []string{x + "203.0.113.1"}, "203.0.113.1/32"},
		{"[::ffff:10.1.2.3]:1", []string{x + "203.0.113.1"}, "203.0.113.1/32"},
		{"[2001:db8:aa::1]:1", []string{x + "2001:db8:1:2::3"}, "2001:db8:1:2::/64"},
		{"10.1.2.3:1", []string{x + "1.1.1.1, 203.0.113.1"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{x + "1.1.1.1,203.0.113.1 , 10.9.9.9,198.51.100.7"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{x + "1.1.1.1", x + "203.0.113.1", x + "10.9.9.9"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{x + "rubbish, 203.0.113.1"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{x + "10.4.4.4, 10.5.5.5"}, "10.4.4.4/32"}, // a client of the same network
		{"10.1.2.3:1", []string{forwarded + "for=1.1.1.1, for=203.0.113.1;proto=https;by=10.1.2.3"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{forwarded + `For="[2001:db8:cafe::17]:4711"`}, "2001:db8:cafe::/64"}, // RFC 7239
		{"10.1.2.3:1", []string{forwarded + `for=192.0.2.43, for="[2001:db8:cafe::17]"`}, "2001:db8:cafe::/64"},
		{"10.1.2.3:1", []string{forwarded + `proto=http ; for="192.0.2.43:47011" , ,for=10.2.2.2`}, "192.0.2.43/32"},
		{"10.1.2.3:1", []string{forwarded + `for="203\.0.113.1"`}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{forwarded + `for=203.0.113.1;host="a,for=6.6.6.6;b"`}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{forwarded + `for="unclosed`, forwarded + "for=203.0.113.1"}, "203.0.113.1/32"},
		// Ports, brackets, and IPv4 in IPv6.
		{"10.1.2.3:1", []string{x + "203.0.113.1:80"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{x + "[2001:db8:1:2::3]"}, "2001:db8:1:2::/64"},
		{"10.1.2.3:1", []string{x + "[2001:db8:1:2::3]:80"}, "2001:db8:1:2::/64"},
		{"10.1.2.3:1", []string{x + "::ffff:203.0.113.1"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{forwarded + `for="203.0.113.1:_x"`}, "203.0.113.1/32"},
		// What is no address, or not well formed, stays the proxy's.
		{"10.1.2.3:1", []string{x + ""}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + " , ,"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "1.1.1.1, rubbish"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "203.0.113.1:"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "203.0.113.1:123456"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "[203.0.113.1]:80"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "[2001:db8::1"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "[2001:db8::1]80"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "fe80::1%eth0"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "0.0.0.0"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{x + "::"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "for=unknown"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "for=_hidden"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "proto=https"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "203.0.113.1"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "for=203.0.113.1;for=203.0.113.2"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "for=2001:db8::1"}, "10.1.2.3/32"}, // has to be quoted
		{"10.1.2.3:1", []string{forwarded + "for =203.0.113.1"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + `for="1.1.1.1, for=203.0.113.1`}, "10.1.2.3/32"},
		// Both headers count if they agree.
		{"10.1.2.3:1", []string{forwarded + "for=203.0.113.1", x + "9.9.9.9, 203.0.113.1"}, "203.0.113.1/32"},
		{"10.1.2.3:1", []string{forwarded + "for=6.6.6.6", x + "203.0.113.1"}, "10.1.2.3/32"},
		{"10.1.2.3:1", []string{forwarded + "rubbish", x + "203.0.113.1"}, "10.1.2.3/32"},
	} {
		s := Server{proxies: proxies}
		if got := s.clientOf(asks(c.peer, c.headers...)).String(); got != c.want {
			t.Errorf("%s, %q: %s, want %s", c.peer, c.headers, got, c.want)
		}
	}
	// Who may use a Unix socket is trusted on request.
	s := Server{proxies: trust(t, "unix")}
	for peer, want := range map[string]string{"@": "203.0.113.1/32", "": "203.0.113.1/32", "10.1.2.3:1": "10.1.2.3/32"} {
		if got := s.clientOf(asks(peer, x+"203.0.113.1")).String(); got != want {
			t.Errorf("peer %q: %s, want %s", peer, got, want)
		}
	}
}

func TestProxiesRefused(t *testing.T) {
	for _, text := range []string{"", "10.0.0.0/33", "10.0.0", "example.org", "fe80::1%eth0", "fe80::%eth0/64", "10.0.0.1:80", "UNIX"} {
		var p Proxies
		if err := p.Add(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzForwarded: whatever a client sends, a proxy that adds the client's address to it gets the client that address,
// or its own if the headers do not make sense.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{
		"", "for=1.1.1.1", `for="[2001:db8::1]:80"`, `for="`, `for=1.1.1.1;host="a\"`, "1.1.1.1", "[::1]:80", ", ,", "unknown", "for=_x;by=y",
		`a="\`, "for=10.0.0.1, 10.0.0.2", "for", "=", ";", "\x00", "for=1.1.1.1:99999",
	} {
		f.Add(seed, seed)
	}
	proxies := trust(f, "10.0.0.0/8")
	peer, client := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("192.0.2.9")
	f.Fuzz(func(t *testing.T, forwarded, x string) {
		ask := func(headers ...string) netip.Addr { return proxies.address(asks("10.0.0.1:80", headers...)) }
		if got := ask("X-Forwarded-For: "+x+", 192.0.2.9", "X-Forwarded-For: 10.7.7.7"); got != client {
			t.Errorf("X-Forwarded-For %q: %v", x, got)
		}
		if got := ask("Forwarded: " + forwarded + ", for=192.0.2.9"); got != client && got != peer {
			t.Errorf("Forwarded %q: %v", forwarded, got)
		}
		if got := ask("Forwarded: "+forwarded, "Forwarded: for=192.0.2.9"); got != client {
			t.Errorf("Forwarded %q in a line of its own: %v", forwarded, got)
		}
		if got := ask("Forwarded: "+forwarded, "X-Forwarded-For: "+x+", 192.0.2.9"); got != client && got != peer {
			t.Errorf("Forwarded %q and X-Forwarded-For %q: %v", forwarded, x, got)
		}
		if got := ask("Forwarded: "+forwarded, "X-Forwarded-For: "+x); !got.IsValid() || got.Is4In6() || got.Zone() != "" {
			t.Errorf("Forwarded %q and X-Forwarded-For %q: %v is no client", forwarded, x, got)
		}
	})
}
