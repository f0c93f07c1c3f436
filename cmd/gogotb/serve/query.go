package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gogotb/cmd/internal/position"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// query are the parameters of a request: each known to the address, given at most once.
type query struct {
	values url.Values
	raw    string
}

// readQuery reads the parameters of a request, which may be no others than those named.
func readQuery(r *http.Request, names ...string) (query, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, badRequest("bad-query", "the query is not well formed: %v", err)
	}
	for name, list := range values {
		switch {
		case !slices.Contains(names, name):
			return query{}, badRequest("unknown-parameter", "%q is not a parameter of this address; it has %s", name, nameList(names))
		case len(list) > 1:
			return query{}, badRequest("bad-parameter", "%s: given %d times", name, len(list))
		}
	}
	return query{values, r.URL.RawQuery}, nil
}

// readAll returns the body of a request, which is a visitor's file.
func readAll(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.As(err, &tooLarge) {
		err = badRequest("bad-body", "the body could not be read: %v", err)
	}
	return data, err
}

func nameList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// need returns a parameter that must be there.
func (q query) need(name string) (string, error) {
	text := q.values.Get(name)
	if text == "" {
		return "", badRequest("missing-parameter", "%s: missing", name)
	}
	return text, nil
}

// number returns a whole number in a range, absent if the parameter is not there.
func (q query) number(name string, least, most, absent int) (int, error) {
	text := q.values.Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, badRequest("bad-parameter", "%s: %q is not a number from %d to %d", name, text, least, most)
	}
	return n, nil
}

// choice returns one of a few texts, "" if the parameter is not there.
func (q query) choice(name string, of ...string) (string, error) {
	text := q.values.Get(name)
	if text != "" && !slices.Contains(of, text) {
		return "", badRequest("bad-parameter", "%s: %q is not one of %s", name, text, strings.Join(of, ", "))
	}
	return text, nil
}

// position returns the parameter sfen.
func (q query) position() (rules.Position, error) {
	text, err := q.need("sfen")
	if err != nil {
		return rules.Position{}, err
	}
	p, err := readPosition(text)
	return p, q.explained("sfen", err)
}

// readPosition reads the position of a parameter. A space before a piece that may be promoted has perhaps been a plus
// sign, so that such a text is refused and not read without it.
func readPosition(text string) (rules.Position, error) {
	if len(text) > 1 && text[0] == ' ' && strings.IndexByte("RBSPrbsp", text[1]) >= 0 {
		return rules.ParseSFEN(text)
	}
	return position.Read(text)
}

// explained returns an error in a parameter, with a word on plus signs if there is none where one was meant.
func (q query) explained(name string, err error) error {
	if err == nil || !strings.Contains(q.raw, "+") {
		return err
	}
	literal, _ := url.ParseQuery(strings.ReplaceAll(q.raw, "+", "%2B"))
	meant := literal.Get(name)
	if meant == q.values.Get(name) {
		return err
	}
	if name == "sfen" {
		if _, other := position.Read(meant); other != nil {
			return err
		}
	}
	return fmt.Errorf("%w (in an address + means a space, and a plus sign is written %%2B)", err)
}

func (q query) material() (index.Material, error) {
	text, err := q.need("material")
	if err != nil {
		return index.Material{}, err
	}
	return index.ParseMaterial(text)
}

// adjudication returns what the parameters repetition and first_player make of open positions.
func (q query) adjudication() (storage.Adjudication, error) {
	return readAdjudication(q.values.Get("repetition"), q.values.Get("first_player"))
}

func readAdjudication(repetition, firstPlayer string) (a storage.Adjudication, err error) {
	if repetition != "" {
		if a.Repetition, err = rules.ParseRepetition(repetition); err != nil {
			return a, badRequest("bad-parameter", "repetition: %q is not one of draw, first-player-loses", repetition)
		}
	}
	if a.Repetition == rules.Inventor {
		return a, badRequest("bad-parameter", "repetition: there are no tables for inventor")
	}
	first, err := readFirstPlayer(firstPlayer)
	if first != nil {
		a.FirstPlayer = *first
	}
	return a, err
}

// readFirstPlayer returns nil where nothing is said.
func readFirstPlayer(text string) (*rules.Color, error) {
	sente, gote := rules.Sente, rules.Gote
	switch text {
	case "":
		return nil, nil
	case "b":
		return &sente, nil
	case "w":
		return &gote, nil
	}
	return nil, badRequest("bad-parameter", "first_player: %q is not b or w", text)
}
