package main

import (
	"os"

	"github.com/spf13/cobra"

	"gogotb/storage"
)

// dirVariable names the folder of tables where --dir does not.
const dirVariable = "GOGOTB_DIR"

// tableDirs are the folders that tables are looked for in, in this order.
func tableDirs(cmd *cobra.Command) []string {
	dirs, err := cmd.Flags().GetStringArray("dir")
	if err != nil {
		panic(err) // the root command has the flag
	}
	if len(dirs) > 0 {
		return dirs
	}
	if dir := os.Getenv(dirVariable); dir != "" {
		return []string{dir}
	}
	return []string{"tables"}
}

// openTables opens the tables in these folders; the caller closes them.
func openTables(cmd *cobra.Command) (*storage.Tables, error) {
	return storage.Open(tableDirs(cmd), nil)
}
