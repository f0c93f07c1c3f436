package serve

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the peers whose word is taken on whom they ask for. The zero value trusts nobody.
type Proxies struct {
	networks []netip.Prefix
	unix     bool // who connects to a Unix socket
}

// Add trusts a network (CIDR), an address, or with "unix" whoever connects to a Unix socket.
func (p *Proxies) Add(text string) error {
	if text == "unix" {
		p.unix = true
		return nil
	}
	network, err := netip.ParsePrefix(text)
	if address, other := netip.ParseAddr(text); other == nil && address.Zone() == "" {
		network, err = netip.PrefixFrom(address, address.BitLen()), nil
	}
	if err != nil {
		return fmt.Errorf("%q is not a network like 10.0.0.0/8, an address or unix", text)
	}
	p.networks = append(p.networks, network.Masked())
	return nil
}

func (p *Proxies) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// address returns who a request comes from; the zero Addr stands for all of whom that is not known.
//
// Proxies add to the headers Forwarded (RFC 7239) or X-Forwarded-For whom they ask for, at the right, and leave
// what their client sent. So the right-most address that is no trusted proxy's is the client's, and whatever stands
// to the left of it is hearsay. A proxy uses one of the headers, and the other may come from the client: where
// both are there and do not agree, neither is believed, nor one that is malformed, and the request counts as the
// proxy's own. Such requests share the places of one client, which harms nobody else.
func (p *Proxies) address(r *http.Request) netip.Addr {
	peer, trusted := netip.Addr{}, p.unix
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		peer = at.Addr().Unmap().WithZone("")
		trusted = p.trusts(peer)
	}
	if !trusted {
		return peer
	}
	var told []netip.Addr
	for name, parse := range map[string]func(string) []netip.Addr{"Forwarded": parseForwarded, "X-Forwarded-For": parseXForwardedFor} {
		var hops []netip.Addr
		for _, line := range r.Header.Values(name) {
			hops = append(hops, parse(line)...)
		}
		if len(hops) > 0 {
			told = append(told, p.client(hops))
		}
	}
	if len(told) == 0 || !told[0].IsValid() || told[0] != told[len(told)-1] {
		return peer
	}
	return told[0]
}

// client returns the right-most address that is not trusted, or the first if all are.
func (p *Proxies) client(hops []netip.Addr) netip.Addr {
	for _, address := range slices.Backward(hops) {
		if !p.trusts(address) {
			return address
		}
	}
	return hops[0]
}

// parseXForwardedFor reads a line of addresses. One that is none is the zero Addr.
func parseXForwardedFor(line string) (hops []netip.Addr) {
	for text := range strings.SplitSeq(line, ",") {
		if text = strings.TrimSpace(text); text != "" {
			hops = append(hops, parseNode(text))
		}
	}
	return hops
}

// parseForwarded reads a line of RFC 7239. A hop without an address is the zero Addr, and so is all
// of a line that is not well formed: its quotes may hide where the last hop begins.
func parseForwarded(line string) (hops []netip.Addr) {
	malformed := []netip.Addr{{}}
	node, pairs := "", 0
	for rest := line; ; {
		rest = strings.TrimLeft(rest, " \t")
		name := rest[:tokenLength(rest)]
		rest = rest[len(name):]
		if name != "" {
			value, after, ok := forwardedValue(rest)
			if !ok {
				return malformed
			}
			if strings.EqualFold(name, "for") {
				if node != "" {
					return malformed
				}
				node = value
			}
			pairs++
			rest = strings.TrimLeft(after, " \t")
		}
		if rest == "" || rest[0] == ',' {
			if pairs > 0 {
				hops = append(hops, parseNode(node))
			}
			node, pairs = "", 0
			if rest == "" {
				return hops
			}
		} else if rest[0] != ';' {
			return malformed
		}
		rest = rest[1:]
	}
}

// forwardedValue reads = and a token or a quoted string.
func forwardedValue(text string) (value, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "=")
	if !ok {
		return "", "", false
	}
	if n := tokenLength(text); n > 0 {
		return text[:n], text[n:], true
	}
	var b strings.Builder
	for i := 1; i < len(text) && text[0] == '"'; i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:], true
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}

// tokenLength returns how many bytes a text begins with that may be in a token (RFC 9110).
func tokenLength(text string) int {
	for i := range len(text) {
		c := text[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0 {
			continue
		}
		return i
	}
	return len(text)
}

// parseNode reads an address with or without a port, one of IPv6 in brackets or, without a port, bare. Whatever
// else proxies call their clients, "unknown" or "_hidden", is the zero Addr.
func parseNode(text string) netip.Addr {
	host, port := text, ""
	if inside, ok := strings.CutPrefix(text, "["); ok {
		host, port, ok = strings.Cut(inside, "]")
		if !ok || !strings.Contains(host, ":") {
			return netip.Addr{}
		}
	} else if strings.Count(text, ":") == 1 {
		colon := strings.IndexByte(text, ':')
		host, port = text[:colon], text[colon:]
	}
	address, err := netip.ParseAddr(host)
	address = address.Unmap()
	if err != nil || address.Zone() != "" || address.IsUnspecified() || port != "" && !isPort(port) {
		return netip.Addr{}
	}
	return address
}

// isPort tells whether a text is a colon and a port of RFC 7239: a number, or a name that begins with an underscore.
func isPort(text string) bool {
	port, ok := strings.CutPrefix(text, ":")
	if hidden, named := strings.CutPrefix(port, "_"); named {
		return ok && hidden != "" && tokenLength(hidden) == len(hidden)
	}
	return ok && port != "" && len(port) <= 5 && strings.Trim(port, "0123456789") == ""
}

// clientOf returns who a request comes from: an address, or a network of IPv6, of which anybody
// has many addresses.
func (s *Server) clientOf(r *http.Request) netip.Prefix {
	address := s.proxies.address(r)
	bits := 32
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // nobody knows who; all of these are one client
	}
	return prefix
}
