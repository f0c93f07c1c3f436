//go:build !unix

package storage

// openLimit is how many files may be open for tables.
func openLimit() int { return maxOpen }
