// Package inventory says in a line which tables there are, for programs that begin to use them.
package inventory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gogotb/index"
	"gogotb/storage"
)

// Sets says how many sets can be probed, and where they are: "51 sets of up to 3 pieces in ./tables". Every
// file of a folder is looked at, and at addresses what their names tell is believed; flaws are what is wrong with those that
// cannot be used, and with folders that cannot be read.
func Sets(tables *storage.Tables) (line string, flaws []error) {
	files, err := tables.Glance()
	if err != nil {
		flaws = append(flaws, err)
	}
	sets, most := map[index.Material]bool{}, 0
	for _, f := range files {
		switch {
		case f.Err != nil:
			flaws = append(flaws, f.Err)
		case f.Kind == storage.Outcomes:
			sets[f.Material] = true
			most = max(most, f.Material.PieceCount())
		}
	}
	return count(len(sets), most) + " in " + folders(tables.Dirs()), flaws
}

// count returns a number of sets of which the largest has most pieces.
func count(sets, most int) string {
	pieces := fmt.Sprintf("%d pieces", most)
	if most == 1 {
		pieces = "1 piece"
	}
	switch {
	case sets == 0:
		return "no tables"
	case most == 0:
		return "1 set, that of the two kings alone,"
	case sets == 1:
		return "1 set of " + pieces
	}
	return fmt.Sprintf("%d sets of up to %s", sets, pieces)
}

func folders(dirs []string) string {
	names := make([]string, len(dirs))
	for i, dir := range dirs {
		names[i] = folder(dir)
	}
	return strings.Join(names, ", ")
}

// folder returns the name of a folder such that nobody takes it for a word of the sentence.
func folder(dir string) string {
	if storage.IsAddress(dir) || filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "." + string(filepath.Separator) + dir
}

// Folders returns an error for the first of the folders that is not there, or is no folder. Addresses are not asked.
func Folders(dirs []string) error {
	for _, dir := range dirs {
		if storage.IsAddress(dir) {
			continue
		}
		stat, err := os.Stat(dir)
		switch {
		case os.IsNotExist(err):
			return fmt.Errorf("there is no folder %s", folder(dir))
		case err != nil:
			return err
		case !stat.IsDir():
			return fmt.Errorf("%s is not a folder", folder(dir))
		}
	}
	return nil
}
