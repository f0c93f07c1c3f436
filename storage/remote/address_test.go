package remote

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"gogotb/storage"
)

// TestAddresses: what addresses mean, how they are shown, and what is none.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"https://host":                    "https://host/",
		"https://host/":                   "https://host/",
		"https://host:8055/tables":        "https://host:8055/tables/",
		"http://host/a%20b/":              "http://host/a%20b/",
		"https://user:secret@host/tables": "https://host/tables/",
		"http://user:secret@127.0.0.1/x":  "http://127.0.0.1/x/",
		"http://user:secret@[::1]:80/x":   "http://[::1]:80/x/",
		"HTTPS://host/":                   "https://host/",
		"s3://bucket":                     "s3://bucket/",
		"s3://bucket/":                    "s3://bucket/",
		"s3://bucket/a/b":                 "s3://bucket/a/b/",
		"s3://bucket//a/b/":               "s3://bucket/a/b/",
	} {
		a, err := parseAddress(text)
		if err != nil || a.name != want {
			t.Errorf("%s: %q, %v, want %q", text, a.name, err, want)
		}
	}
	for text, words := range map[string]string{
		"https://":                           "no host",
		"https:///path":                      "no host",
		"https://host/?token=secret":         "a query",
		"https://host/#secret":               "a fragment",
		"http://user:secret@host/":           "use https",
		"s3://id:secret@bucket/":             "environment",
		"s3://bucket:9000/":                  "AWS_ENDPOINT_URL",
		"ftp://user:secret@host/":            "none of https://",
		"https://user:secret@ho st/":         "no URL",
		"https://user:secret@host/%zz":       "no URL",
		"https://user:secret@host:port/":     "no URL",
		"https://user:secret@host/\x7fx":     "no URL",
		"https://user:secret@host/a?secret=": "a query",
	} {
		var e *storage.OptionError
		_, err := storage.Open([]string{text}, &storage.Options{Source: newClient(t, Options{}).Source})
		if !errors.As(err, &e) || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", text, err, words)
		}
	}
}

// TestPassword: a password reaches its host, and nobody else: neither a host that it redirects to nor an error.
func TestPassword(t *testing.T) {
	dir := written(t, "R")
	right, other := serve(t, dir), serve(t, dir)
	guarded := func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != secret {
			http.Error(w, r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}
	right.spoiled(guarded)
	at := func(user string) string { return strings.Replace(right.address(), "http://", "http://"+user+"@", 1) }
	me := at("me:" + strings.ReplaceAll(secret, "/", "%2F"))
	samePositions(t, openAt(t, newClient(t, Options{}), me), "R", 5)
	tables := openAt(t, newClient(t, Options{}), at("me:wrongword"))
	_, err := tables.Outcome(legal(t, "R", 0.5))
	unavailable(t, "a wrong password", err, "401 Unauthorized")
	if err != nil && strings.Contains(err.Error(), "wrongword") || tables.Dirs()[0] != right.address() {
		t.Errorf("%v, %v", err, tables.Dirs())
	}
	other.spoiled(func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		if r.Header.Get("Authorization") != "" {
			t.Error("another host is told the password")
		}
		files.ServeHTTP(w, r)
	})
	away := strings.Replace(other.address(), "127.0.0.1", "localhost", 1)
	right.spoiled(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, away+strings.TrimPrefix(r.URL.Path, "/t/"), http.StatusTemporaryRedirect)
	})
	samePositions(t, openAt(t, newClient(t, Options{}), me), "R", 5)
}
