//go:build remote

package main

import (
	"gogotb/storage"
	"gogotb/storage/remote"
)

// openSource returns what opens the addresses that a call of gogotb_open names, with a cache for all of them.
func openSource() (func(string) (storage.Source, error), error) {
	o, err := remote.FromEnvironment()
	if err != nil {
		return nil, &storage.OptionError{What: err.Error()}
	}
	client, err := remote.New(o)
	if err != nil {
		return nil, &storage.OptionError{What: err.Error()}
	}
	return client.Source, nil
}

const readsAddresses = true
