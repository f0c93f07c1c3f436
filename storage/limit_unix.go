//go:build unix

package storage

import "syscall"

// openLimit returns how many files may be open for tables: half of what this process may open, the other
// half is for what else it does.
func openLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return maxOpen
	}
	return int(min(uint64(limit.Cur)/2, maxOpen))
}
