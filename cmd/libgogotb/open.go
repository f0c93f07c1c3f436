package main

// #include "gogotb.h"
// #include "internal.h"
import "C"

import (
	"gogotb/cmd/internal/version"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// The runtime has started by now, and no exported function runs before this has.
func init() { C.libgogotb_restore_signals() }

//export libgogotb_version
func libgogotb_version(versions *C.gogotb_versions) C.int {
	return guard(func() error {
		if versions == nil {
			return errNull
		}
		*versions = C.gogotb_versions{table_format: storage.FormatVersion, rules: rules.Version}
		setText(versions.program[:], version.Number)
		return nil
	})
}

//export libgogotb_addresses
func libgogotb_addresses(reads *C.int) C.int {
	return guard(func() error {
		if reads == nil {
			return errNull
		}
		*reads = C.int(flag(readsAddresses))
		return nil
	})
}

//export libgogotb_open
func libgogotb_open(folders *C.char, cacheBytes C.size_t, tables *C.gogotb_tables) C.int {
	return guard(func() error {
		if folders == nil || tables == nil {
			return errNull
		}
		source, err := openSource()
		if err != nil {
			return err
		}
		dirs := storage.SplitList(goString(folders))
		t, err := storage.Open(dirs, &storage.Options{CacheBytes: int64(cacheBytes), Source: source})
		if err != nil {
			return err
		}
		*tables = C.gogotb_tables(openTables.register(t))
		return nil
	})
}

//export libgogotb_close
func libgogotb_close(tables C.gogotb_tables) C.int {
	return guard(func() error {
		open, err := openTables.unregister(uint64(tables))
		if !open {
			return errNotOpen
		}
		return err
	})
}

//export libgogotb_list_sets
func libgogotb_list_sets(tables C.gogotb_tables, sets *C.gogotb_set, room C.size_t, count *C.size_t) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if noList(sets, room, count) {
			return errNull
		}
		found, err := find(t)
		if err != nil {
			return err
		}
		list := make([]C.gogotb_set, len(found))
		for i, s := range found {
			m := s.Index().Material()
			outcomes, distances := s.Bytes()
			list[i] = C.gogotb_set{pieces: C.uint8_t(m.PieceCount()), distances: flag(s.HasDistances()),
				outcome_bytes: C.uint64_t(outcomes), distance_bytes: C.uint64_t(distances)}
			setText(list[i].material[:], m.String())
		}
		return writeList(list, sets, room, count)
	})
}

//export libgogotb_largest
func libgogotb_largest(tables C.gogotb_tables, pieces *C.int) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if pieces == nil {
			return errNull
		}
		found, err := find(t)
		if err != nil {
			return err
		}
		*pieces = -1
		if len(found) > 0 {
			*pieces = C.int(found[len(found)-1].Index().Material().PieceCount())
		}
		return nil
	})
}

// find opens the sets of which there are tables, in the order of index.Sets. Those that cannot be used are passed
// over: a probe says why.
func find(t *storage.Tables) ([]*storage.Set, error) {
	files, err := t.Glance()
	if err != nil {
		return nil, err
	}
	return t.SetsOf(files), nil
}

//export libgogotb_load_outcomes
func libgogotb_load_outcomes(tables C.gogotb_tables, material *C.char) C.int {
	return withSet(tables, material, func(s *storage.Set) error { return s.LoadOutcomes() })
}

//export libgogotb_get_cache_stats
func libgogotb_get_cache_stats(tables C.gogotb_tables, stats *C.gogotb_cache_stats) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if stats == nil {
			return errNull
		}
		s := t.CacheStats()
		*stats = C.gogotb_cache_stats{hits: C.uint64_t(s.Hits), misses: C.uint64_t(s.Misses), bytes: C.uint64_t(s.Bytes)}
		return nil
	})
}

// withTables runs f for open tables.
func withTables(tables C.gogotb_tables, f func(*storage.Tables) error) C.int {
	return guard(func() error {
		t := openTables.use(uint64(tables))
		if t == nil {
			return errNotOpen
		}
		defer t.RUnlock()
		return f(t.Tables)
	})
}

// withSet runs f for the tables of a material set.
func withSet(tables C.gogotb_tables, material *C.char, f func(*storage.Set) error) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if material == nil {
			return errNull
		}
		m, err := index.ParseMaterial(goString(material))
		if err != nil {
			return err
		}
		s, err := t.Set(m)
		if err != nil {
			return err
		}
		return f(s)
	})
}
