package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/enginetest"
	"gogotb/rules"
)

func TestMain(m *testing.M) {
	enginetest.Run()
	os.Exit(m.Run())
}

// start starts an engine with a behaviour.
func start(t *testing.T, behaviour string, options ...Option) (*Engine, error) {
	t.Helper()
	t.Setenv(enginetest.Behaviour, behaviour)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return Start(ctx, program, options)
}

// What cannot be trusted is not used, and the error says why.
func TestStartRefuses(t *testing.T) {
	for behaviour, want := range map[string]string{
		enginetest.Dead:       "ended",
		enginetest.Deaf:       "neither usi nor uci",
		enginetest.Chess:      "does not know minishogi",
		enginetest.Large:      "no move",
		enginetest.LargeShows: "shows",
		enginetest.NoLine:     "no line",
	} {
		t.Run(behaviour, func(t *testing.T) {
			e, err := start(t, behaviour)
			if err == nil {
				e.Kill()
				t.Fatal("it is trusted")
			}
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	var wrong *CommandError
	if _, err := Start(t.Context(), "/nonexistent/engine", nil); !errors.As(err, &wrong) {
		t.Errorf("a program that is not there: %v", err)
	}
}

func position(t *testing.T, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSearch(t *testing.T) {
	for _, behaviour := range []string{enginetest.Good, enginetest.GoodUCI, enginetest.Quick} {
		t.Run(behaviour, func(t *testing.T) {
			e, err := start(t, behaviour, Option{"Hash", "16"})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			want := dialect.UCI
			if behaviour == enginetest.Good {
				want = dialect.USI
			}
			if e.dialect != want || e.Name != "bad engine, "+behaviour || !e.SetOption("MultiPV", "2") || e.SetOption("Nonsense", "2") {
				t.Errorf("%v %q %v", e.dialect, e.Name, e.options)
			}
			for range 3 {
				r := Request{
					Start: position(t, rules.StartSFEN), Moves: []rules.Move{rules.Step(24, 19, false)},
					Among: []rules.Move{rules.Step(0, 5, false)}, Depth: 3, Grace: time.Second,
				}
				var infos []Info
				found, err := e.Search(t.Context(), r, func(i Info) { infos = append(infos, i) })
				if err != nil || found.Move != r.Among[0] {
					t.Fatal(found, err)
				}
				mate := dialect.MateIn(3)
				if want == dialect.UCI {
					mate = dialect.MateIn(5)
				}
				if !reflect.DeepEqual(infos, []Info{
					{Depth: 7, Line: 1, Score: 42, Nodes: 1000, PV: r.Among},
					{Depth: 8, Line: 1, Score: mate, Nodes: 2000, PV: r.Among},
				}) {
					t.Errorf("%+v", infos)
				}
			}
		})
	}
}

// What goes wrong in a search is an error, in time.
func TestSearchFails(t *testing.T) {
	for behaviour, want := range map[string]string{
		enginetest.Mute:      "in time",
		enginetest.Asleep:    "in time",
		enginetest.Dies:      "ended",
		enginetest.Nonsense:  "bestmove",
		enginetest.Illegal:   "illegal move",
		enginetest.Resigns:   "no move",
		enginetest.Deviates:  "none of the moves",
		enginetest.Endless:   "in time",
		enginetest.Forgetful: "shows",
	} {
		t.Run(behaviour, func(t *testing.T) {
			e, err := start(t, behaviour)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Kill()
			limit := time.Minute
			if want == "in time" {
				limit = 200 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			p := position(t, rules.StartSFEN)
			found, err := e.Search(ctx, Request{Start: p, Among: []rules.Move{rules.Step(15, 10, false)}, Grace: 50 * time.Millisecond}, func(Info) {})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, %v, want %q", found, err, want)
			}
			var useless *AnswerError
			if errors.As(err, &useless) {
				if _, err := e.Search(ctx, Request{Start: p, Depth: 1}, func(Info) {}); !errors.As(err, &useless) && behaviour != enginetest.Deviates {
					t.Errorf("asked again: %v", err)
				}
			}
		})
	}
}

// An engine that is late can be asked again, and its late answer is not taken for the next one.
func TestLate(t *testing.T) {
	e, err := start(t, enginetest.Tardy)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	p := position(t, rules.StartSFEN)
	var late *LateError
	if found, err := e.Search(ctx, Request{Start: p}, func(Info) {}); !errors.As(err, &late) {
		t.Fatal(found, err)
	}
	want := rules.Step(24, 19, false)
	found, err := e.Search(t.Context(), Request{Start: p, Among: []rules.Move{want}, Depth: 1}, func(Info) {})
	if err != nil || found.Move != want {
		t.Error(found, err)
	}
}

// The time that an engine has counts from the beginning, also if it does not take the position.
func TestStuck(t *testing.T) {
	before := settingTime
	settingTime = time.Hour
	defer func() { settingTime = before }()
	e, err := start(t, enginetest.Stuck)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Kill()
	r := Request{Start: position(t, rules.StartSFEN), Depth: 1, Grace: time.Millisecond}
	if _, err := e.Search(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var late *LateError
	if found, err := e.Search(ctx, r, nil); !errors.As(err, &late) {
		t.Error(found, err)
	}
}

// Options are set by the names that the engine has for them.
func TestOptionNames(t *testing.T) {
	e, err := start(t, enginetest.Renames, Option{"Skill Level", "7"}, Option{"Hash", "16"}, Option{"Threads", "2"})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var infos []Info
	if _, err := e.Search(t.Context(), Request{Start: position(t, rules.StartSFEN), Lines: 3, Depth: 1}, func(i Info) { infos = append(infos, i) }); err != nil {
		t.Fatal(err)
	}
	if len(infos) != 3 || infos[0].Line != 3 || infos[0].Score != 7 || infos[0].Nodes != 162 {
		t.Errorf("%+v", infos)
	}
}

// An engine that has gone silent is given up even if nothing bounds the search.
func TestSilence(t *testing.T) {
	before := silence
	silence = 50 * time.Millisecond
	defer func() { silence = before }()
	e, err := start(t, enginetest.Asleep)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Kill()
	p := position(t, rules.StartSFEN)
	if _, err := e.Search(t.Context(), Request{Start: p, Depth: 30}, func(Info) {}); err == nil {
		t.Error("an answer from the dead")
	}
}

// Bounds are told from scores.
func TestBounds(t *testing.T) {
	e, err := start(t, enginetest.Unsure)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var bounds []dialect.Bound
	if _, err := e.Search(t.Context(), Request{Start: position(t, rules.StartSFEN), Depth: 1}, func(i Info) { bounds = append(bounds, i.Bound) }); err != nil {
		t.Fatal(err)
	}
	if want := []dialect.Bound{dialect.LowerBound, dialect.UpperBound, dialect.Exact, dialect.Exact}; !slices.Equal(bounds, want) {
		t.Errorf("%v, want %v", bounds, want)
	}
}

// An engine that declines to promote may say so, as Fairy-Stockfish does.
func TestPromotionDeclined(t *testing.T) {
	e, err := start(t, enginetest.Declines)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	want := rules.Step(5, 0, false)
	r := Request{Start: position(t, "4k/R4/5/5/K4 b - 1"), Among: []rules.Move{want, rules.Step(20, 21, false)}, Depth: 1}
	infos := 0
	found, err := e.Search(t.Context(), r, func(i Info) {
		if infos++; i.PV[0] == want {
			infos += 100
		}
	})
	if err != nil || found.Move != want || infos < 100 {
		t.Error(found, err, infos)
	}
}

func TestParseCommand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"engine", "my engine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "text"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for command, want := range map[string][]string{
		"engine":            {"engine"},
		" DIR/engine ":      {"engine"},
		"DIR/engine usi -x": {"engine", "usi", "-x"},
		"DIR/my engine":     {"my engine"},
		"'DIR/my engine'":   {"my engine"},
		`"DIR/my engine" load "a b" 'c  d' e\ f ''`: {"my engine", "load", "a b", "c  d", "e f", ""},
		`DIR/my\ engine -o '$HOME;|&'`:              {"my engine", "-o", "$HOME;|&"},
		"engine `ls` $HOME # *":                     {"engine", "`ls`", "$HOME", "#", "*"},
	} {
		program, args, err := ParseCommand(strings.ReplaceAll(command, "DIR", dir))
		if got := append([]string{filepath.Base(program)}, args...); err != nil || filepath.Dir(program) != dir || !slices.Equal(got, want) {
			t.Errorf("%s: %s, %q, %v, want %q", command, program, args, err, want)
		}
	}
	for command, want := range map[string]string{
		"":                     "not found",
		"  ":                   "not found",
		"nonexistent":          "nonexistent: executable file not found",
		"DIR/nonexistent -x":   "/nonexistent: no such file",
		"DIR/my engine -x":     "/my: no such file",
		"DIR/text":             "/text: permission denied",
		"DIR/text -x":          "/text: permission denied",
		"DIR":                  "is a directory",
		`"DIR/engine -x`:       "quote is not closed",
		"DIR/engine; rm x":     "must be quoted",
		"DIR/engine -x > file": "must be quoted",
		"DIR/engine (x)":       "not quoted",
		"'' -x":                "not found",
	} {
		program, args, err := ParseCommand(strings.ReplaceAll(command, "DIR", dir))
		var wrong *CommandError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %s %q, %v, want %q", command, program, args, err, want)
		}
	}
}

// Whatever is given as a command line, a program that is there comes of it, or an error that says what is wrong.
func FuzzParseCommand(f *testing.F) {
	for _, seed := range []string{"sh -c 'a b'", `"a b" c\ d`, "a;b", "'", "a `b` $(c)", "\xff\x00", "sh ''"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		program, args, err := ParseCommand(command)
		var wrong *CommandError
		if (err == nil) == (program == "") || err != nil && (!errors.As(err, &wrong) || wrong.Err == nil || args != nil) {
			t.Errorf("%q: %q %q, %v", command, program, args, err)
		}
	})
}

func TestParseOptions(t *testing.T) {
	got, err := ParseOptions(" Hash=64; Skill Level = 10 ;EvalFile=/a=b;; Clear=")
	want := []Option{{"Hash", "64"}, {"Skill Level", "10"}, {"EvalFile", "/a=b"}, {"Clear", ""}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Error(got, err)
	}
	for _, text := range []string{"Hash", "=3", "a=1;b"} {
		if got, err := ParseOptions(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
