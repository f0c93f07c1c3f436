package usi

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"gogotb/cmd/internal/enginetest"
	"gogotb/storage"
)

// away is a Source that does not answer, or says so.
type away struct{ err error }

func (a away) Name() string { return "https://host/tables/" }
func (a away) Close() error { return nil }

func (a away) Open(ctx context.Context, _ string, _ int64) (storage.SourceFile, error) {
	_, err := a.List(ctx)
	return nil, err
}

func (a away) List(ctx context.Context) ([]string, error) {
	if a.err != nil {
		return nil, a.err
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestTablesAway: tables that are away, or silent, cost a part of the time, and no move.
func TestTablesAway(t *testing.T) {
	for remark, source := range map[string]away{
		"no answer today":                 {errors.New("no answer today")},
		"the tables have not answered in": {},
	} {
		c := enginetest.Connect(t, func(in io.Reader, out io.Writer) error {
			s := New("gogotb test", []string{"https://host:8055/tables/"}, out)
			s.SetSource(func(string) (storage.Source, error) { return source, nil })
			return s.Run(in)
		})
		c.Send("usi", "isready")
		c.Read("readyok")
		c.Send("position sfen 4k/5/5/5/K4 b RB 1", "go movetime 600")
		lines := strings.Join(c.Read("bestmove "), "\n")
		if strings.Contains(lines, "resign") || !strings.Contains(lines, remark) {
			t.Errorf("%q: %s", remark, lines)
		}
		c.Quit()
	}
}
