package usi

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// options are what setoption can set.
type options struct {
	tablePath     string // folders, separated as in PATH
	hash          int    // MiB
	threads       int
	multiPV       int
	repetition    rules.Repetition
	moveOverhead  int    // milliseconds
	mateShare     int    // percent
	enginePath    string // a command line
	engineOptions []backend.Option

	engineOptionsText string
}

const (
	defaultHash = 64
	maxHash     = 4096
	maxThreads  = 1 << 10
	maxMultiPV  = rules.MaxMoves
	maxOverhead = int(engine.MaxOverhead / time.Millisecond)
	variant     = "minishogi"
)

func defaults(folders []string) options {
	return options{
		tablePath: strings.Join(folders, string(os.PathListSeparator)),
		hash:      defaultHash, threads: 1, multiPV: 1,
		moveOverhead: int(engine.DefaultOverhead.Milliseconds()), mateShare: engine.DefaultMateShare,
	}
}

// describe lists the options as the engine introduces itself.
func (o *options) describe(d dialect.Dialect) []string {
	text := func(s string) string {
		if s == "" {
			return "<empty>"
		}
		return s
	}
	ponder, overhead := "USI_Ponder", "Move_Overhead" // names in USI have no spaces
	if d == dialect.UCI {
		ponder, overhead = "Ponder", "Move Overhead"
	}
	list := []string{
		fmt.Sprintf("name TablePath type string default %s", text(o.tablePath)),
		fmt.Sprintf("name Hash type spin default %d min 1 max %d", o.hash, maxHash),
		fmt.Sprintf("name Threads type spin default %d min 1 max %d", o.threads, maxThreads),
		fmt.Sprintf("name %s type check default false", ponder),
		fmt.Sprintf("name MultiPV type spin default %d min 1 max %d", o.multiPV, maxMultiPV),
		fmt.Sprintf("name Repetition type combo default %s var %s var %s", o.repetition, rules.RepetitionDraw, rules.FirstPlayerLoses),
		fmt.Sprintf("name %s type spin default %d min 0 max %d", overhead, o.moveOverhead, maxOverhead),
		fmt.Sprintf("name MateShare type spin default %d min 0 max 100", o.mateShare),
		fmt.Sprintf("name EnginePath type string default %s", text(o.enginePath)),
		fmt.Sprintf("name EngineOptions type string default %s", text(o.engineOptionsText)),
	}
	for _, name := range []string{"USI_Variant", "UCI_Variant"} {
		list = append(list, fmt.Sprintf("name %s type combo default %s var %s", name, variant, variant))
	}
	return list
}

// set sets an option. Names may be written in any case, as UCI has it.
func (o *options) set(name, value string) error {
	if value == "<empty>" {
		value = ""
	}
	switch strings.ToLower(name) {
	case "tablepath":
		o.tablePath = value
	case "hash", "usi_hash":
		return spin(&o.hash, value, 1, maxHash)
	case "threads":
		return spin(&o.threads, value, 1, maxThreads)
	case "multipv":
		return spin(&o.multiPV, value, 1, maxMultiPV)
	case "move overhead", "move_overhead":
		return spin(&o.moveOverhead, value, 0, maxOverhead)
	case "mateshare":
		return spin(&o.mateShare, value, 0, 100)
	case "ponder", "usi_ponder":
		// Whoever has the board decides when to ponder.
	case "repetition":
		r, err := rules.ParseRepetition(value)
		if err != nil {
			return err
		}
		if r == rules.Inventor {
			return fmt.Errorf("there are no tables for it")
		}
		o.repetition = r
	case "enginepath":
		o.enginePath = value
		if value != "" {
			_, _, err := backend.ParseCommand(value)
			return err
		}
	case "engineoptions":
		list, err := backend.ParseOptions(value)
		if err != nil {
			return err
		}
		o.engineOptions, o.engineOptionsText = list, value
	case "usi_variant", "uci_variant":
		if value != variant {
			return fmt.Errorf("this engine plays %s only", variant)
		}
	default:
		return fmt.Errorf("no such option")
	}
	return nil
}

// spin sets a number from least to most.
func spin(n *int, value string, least, most int) error {
	v, err := strconv.Atoi(value)
	if err != nil || v < least || v > most {
		return fmt.Errorf("%q is not a number from %d to %d", value, least, most)
	}
	*n = v
	return nil
}

// setOption obeys "setoption name N value V", both of which may have spaces.
func (s *Session) setOption(words []string) {
	text := " " + strings.Join(words, " ") + " "
	_, text, ok := strings.Cut(text, " name ")
	name, value, _ := strings.Cut(text, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" {
		s.remark("setoption: no name")
		return
	}
	if err := s.options.set(name, value); err != nil {
		s.remark("option %s: %v", name, err)
	}
}

// configure makes the engine what the options say. No search may be on.
func (s *Session) configure() {
	o := &s.options
	e := &s.engine
	e.Hash = int64(o.hash) << 20
	e.Lines = o.multiPV
	e.MateShare = o.mateShare
	e.BackEnd = o.enginePath
	e.BackEndOptions = o.engineOptions
	e.Threads = o.threads
	if err := e.OpenTables(o.tablePath); err != nil {
		s.remark("tables: %v", err)
	}
}
