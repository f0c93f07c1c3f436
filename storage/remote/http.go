package remote

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gogotb/storage"
)

// site is a server that speaks HTTP.
type site struct {
	client    *http.Client
	transport *http.Transport
	base      *url.URL
	user      *url.Userinfo
}

const mostRedirects = 5

func newSite(a address) *site {
	t := newTransport()
	return &site{&http.Client{Transport: t, CheckRedirect: checkRedirect}, t, a.base, a.user}
}

// newTransport makes connections of its own, which end with the Source.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConnsPerHost:    usualLimits.requests,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// checkRedirect follows few redirects, and none that gives up encryption.
func checkRedirect(r *http.Request, via []*http.Request) error {
	switch {
	case len(via) > mostRedirects:
		return &Error{What: "redirects without end"}
	case r.URL.Scheme != "https" && (r.URL.Scheme != "http" || via[len(via)-1].URL.Scheme == "https"):
		return &Error{What: "a redirect to where https is not spoken"}
	}
	return nil
}

func (s *site) get(ctx context.Context, name string, span span, known *version) (*reply, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(name).String(), nil)
	if err != nil {
		return nil, &Error{What: "no address"}
	}
	r.Header.Set("User-Agent", "gogotb")
	r.Header.Set("Accept-Encoding", "identity")
	if span != whole {
		r.Header.Set("Range", span.header())
	}
	if known != nil && strings.HasPrefix(known.tag, `"`) {
		r.Header.Set("If-Range", known.tag) // a strong one
	}
	if s.user != nil {
		password, _ := s.user.Password()
		r.SetBasicAuth(s.user.Username(), password)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, networkError(err)
	}
	defer answer.Body.Close()
	p, err := believe(answer.StatusCode, answer.Header, span, known)
	if err != nil {
		return nil, err
	}
	return receive(ctx, answer.Body, p)
}

// list has no answer: HTTP knows no lists.
func (s *site) list(context.Context) ([]string, error) {
	return nil, &Error{What: "what there is cannot be listed, since there is no " + storage.SumsFile, alone: true}
}

func (s *site) close() { s.transport.CloseIdleConnections() }
