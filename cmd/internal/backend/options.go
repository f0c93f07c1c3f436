package backend

import (
	"fmt"
	"slices"
	"strings"
)

// variant is the name of the game in the options of engines that know several.
const variant = "minishogi"

// Option is an option of an engine: a name and a value.
type Option struct{ Name, Value string }

// ParseOptions reads options in the form "Hash=64; Skill Level=10".
func ParseOptions(text string) ([]Option, error) {
	var options []Option
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("%q is not like name=value", part)
		}
		options = append(options, Option{name, strings.TrimSpace(value)})
	}
	return options, nil
}

// SetOption sets an option that the engine may have; it reports false if it has none of that name.
func (e *Engine) SetOption(name, value string) bool {
	own, ok := e.optionName(name)
	return ok && e.process.send("setoption name %s value %s", own, value) == nil
}

// optionName returns the engine's own name for an option. Newer versions of Fairy-Stockfish list other names in USI
// than in UCI: Hash is USI_Hash there, MultiPV is USI_MultiPV, Skill Level is Skill_Level.
func (e *Engine) optionName(name string) (own string, ok bool) {
	if _, ok := e.options[name]; ok {
		return name, true
	}
	for own := range e.options {
		if plain(own) == plain(name) {
			return own, true
		}
	}
	return "", false
}

// plain returns the name of an option without what protocols do to it.
func plain(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), " ", "_")
	return strings.TrimPrefix(strings.TrimPrefix(name, "usi_"), "uci_")
}

// setVariant makes an engine that knows several games play this one.
func (e *Engine) setVariant() error {
	for _, name := range []string{"UCI_Variant", "USI_Variant"} {
		line, ok := e.options[name]
		if !ok {
			continue
		}
		if words := strings.Fields(line); slices.Contains(words, "var") && !slices.Contains(words, variant) {
			return fmt.Errorf("its option %s does not know %s", name, variant)
		}
		e.process.send("setoption name %s value %s", name, variant)
	}
	return nil
}
