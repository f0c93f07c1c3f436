// Package tabletest makes tables for tests, and draws positions to probe them with.
package tabletest

import (
	"context"
	"fmt"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/storage"
)

// Write solves material sets and writes their tables into a folder.
func Write(dir string, sets ...string) error {
	for _, set := range sets {
		m, err := index.ParseMaterial(set)
		if err != nil {
			return err
		}
		if err := write(dir, m); err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
	}
	return nil
}

func write(dir string, m index.Material) error {
	ctx := context.Background()
	solution, err := retro.Solve(ctx, m, retro.Options{})
	if err != nil {
		return err
	}
	x, err := index.New(m)
	if err != nil {
		return err
	}
	w, err := storage.Create(dir, x, storage.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Abort()
	stats, err := solution.Values(ctx, w.Append)
	if err != nil {
		return err
	}
	return w.Commit(stats)
}
