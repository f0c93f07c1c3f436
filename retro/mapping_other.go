//go:build !linux

package retro

import "errors"

// errNoScratch says that a scratch file needs Linux.
var errNoScratch = errors.New("not supported on this system")

// mapping is not there: the file would have to be mapped, and have no holes.
type mapping struct{ bytes []byte }

func (m *mapping) open(string, int) error { return errNoScratch }
func (m *mapping) expect(bool)            {}
func (m *mapping) forget()                {}
func (m *mapping) close()                 {}

// mapSegment returns so many bytes of zeros.
func mapSegment(size int) []byte { return make([]byte, size) }

func unmapSegment([]byte) {}

func residentMemory() uint64 { return 0 }
