// Update puts the statistics of all tables in folders into the atlas: run it in the project's root, as `make atlas` does. Sets
// whose tables are elsewhere keep the statistics they have.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/atlas"
	"gogotb/index"
	"gogotb/storage"
)

func main() {
	if err := update("cmd/internal/atlas", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "atlas:", err)
		os.Exit(1)
	}
}

func update(dir string, folders []string) error {
	tables, err := storage.Open(folders, nil)
	if err != nil {
		return err
	}
	defer tables.Close()
	files, err := tables.List()
	if err != nil {
		return err
	}
	found := map[string]answer.Stats{}
	for _, f := range files {
		if f.Err != nil {
			return f.Err
		}
		if f.Material.PieceCount() > index.MaxPieces || found[f.Material.String()].Material != "" {
			continue
		}
		set, err := tables.Set(f.Material)
		if err != nil {
			return err
		}
		if found[f.Material.String()], err = answer.StatsOf(set); err != nil {
			return err
		}
	}
	old, err := atlas.Embedded()
	if err != nil {
		return err
	}
	all := old.Merge(atlas.New(found))
	lines, err := all.Lines()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "stats.jsonl"), lines, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ATLAS.md"), all.Markdown(), 0o644)
}
