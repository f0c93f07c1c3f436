//go:build !unix

package storage

// openLimit returns how many files may be open for tables.
func openLimit() int { return maxOpen }
