//go:build !remote

package main

import "gogotb/storage"

// openSource returns nil: clients of HTTP and S3 are not linked, as few programs want them.
func openSource() (func(string) (storage.Source, error), error) { return nil, nil }

const readsAddresses = false
