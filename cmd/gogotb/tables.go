package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"gogotb/storage"
	"gogotb/storage/remote"
)

// dirVariable names the folders of tables where --dir does not, as PATH names its folders.
const dirVariable = "GOGOTB_DIR"

// folders is the flag --dir.
type folders []string

func (f *folders) String() string { return strings.Join(*f, " ") }
func (f *folders) Type() string   { return "folder" }

func (f *folders) Set(name string) error {
	if name == "" {
		return usagef("the name of a folder is empty")
	}
	*f = append(*f, name)
	return nil
}

// tableDirs returns the folders that tables are looked for in, in this order.
func tableDirs(cmd *cobra.Command) []string {
	dirs := *cmd.Flag("dir").Value.(*folders)
	if len(dirs) == 0 {
		dirs = storage.SplitList(os.Getenv(dirVariable))
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" }) // as a colon at the end leaves one
	}
	if len(dirs) == 0 {
		dirs = []string{"tables"}
	}
	return dirs
}

// openTables opens the tables in these folders, with cacheBytes for unpacked blocks, 0 for the usual; the caller
// closes them. Files that are passed over are named on standard error.
func openTables(cmd *cobra.Command, cacheBytes int64) (*storage.Tables, error) {
	return openTablesFor(cmd, cacheBytes, func(w storage.Warning) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), oneLine(w.String()))
	})
}

// openTablesFor opens them for somebody else who is warned.
func openTablesFor(cmd *cobra.Command, cacheBytes int64, warn func(storage.Warning)) (*storage.Tables, error) {
	tables, err := storage.Open(tableDirs(cmd), &storage.Options{CacheBytes: cacheBytes, Warn: warn, Source: addresses(cmd)})
	var option *storage.OptionError
	if errors.As(err, &option) {
		return nil, &usageError{err}
	}
	return tables, err
}

// addresses opens what --dir names that is no folder. The cache for all of them is made when the first is opened.
func addresses(cmd *cobra.Command) func(string) (storage.Source, error) {
	client := sync.OnceValues(func() (*remote.Client, error) {
		o, err := remote.FromEnvironment()
		if dir := cmd.Flag("disk-cache").Value.String(); dir != "" {
			o.Disk = dir
		}
		if size := *cmd.Flag("disk-cache-size").Value.(*byteSize); size > 0 {
			o.DiskBytes = int64(size)
		}
		if err != nil {
			return nil, err
		}
		return remote.New(o)
	})
	return func(address string) (storage.Source, error) {
		c, err := client()
		if err != nil {
			return nil, err
		}
		return c.Source(address)
	}
}
