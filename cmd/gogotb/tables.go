package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/storage"
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
		dirs = filepath.SplitList(os.Getenv(dirVariable))
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
	return storage.Open(tableDirs(cmd), &storage.Options{CacheBytes: cacheBytes, Warn: func(w storage.Warning) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), oneLine(w.String()))
	}})
}
