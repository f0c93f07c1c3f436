//go:build !linux

package retro

// mapping is not there: the file would have to be mapped, and grow without holes.
type mapping struct{ bytes []byte }

func (m *mapping) open(string, int) error  { return errNoScratch }
func (m *mapping) grow(old, new int) error { return errNoScratch }
func (m *mapping) forget()                 {}
func (m *mapping) close()                  {}

func residentMemory() uint64 { return 0 }
