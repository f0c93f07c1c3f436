package retro

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// mapping is a file without a name, mapped into memory.
type mapping struct {
	file  *os.File
	bytes []byte
}

// open makes a file of size bytes in a folder. They get their room on the disk: without it a full
// disk would kill the process later.
func (m *mapping) open(dir string, size int) error {
	file, err := nameless(dir)
	if err != nil {
		return pathless(err)
	}
	m.file = file
	err = allocate(file, int64(size))
	if err == nil {
		m.bytes, err = unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err == nil {
		// How much the system would read ahead otherwise depends on the disk's settings, 128 KiB to many MiB. Where the cache is
		// limited, too, it may have to forget that again before it is used.
		unix.Madvise(m.bytes, unix.MADV_RANDOM)
	}
	if err != nil {
		file.Close()
	}
	return pathless(err)
}

// nameless makes a file without a name, or, where the file system has none, one that loses its name
// at once.
func nameless(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		return os.NewFile(uintptr(fd), dir), nil
	}
	file, err := os.CreateTemp(dir, "*.scratch")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func allocate(file *os.File, size int64) error {
	for {
		if err := unix.Fallocate(int(file.Fd()), 0, 0, size); err != unix.EINTR {
			return err
		}
	}
}

// expect says whether most of the file is needed: then the system reads it in pieces of 2 MiB, which take a fault each in place
// of hundreds.
func (m *mapping) expect(most bool) {
	if most {
		unix.Madvise(m.bytes, unix.MADV_HUGEPAGE)
	} else {
		unix.Madvise(m.bytes, unix.MADV_NOHUGEPAGE)
	}
}

// forget gives the memory back to the system. What was written stays.
func (m *mapping) forget() { unix.Madvise(m.bytes, unix.MADV_DONTNEED) }

func (m *mapping) close() {
	unix.Munmap(m.bytes)
	m.file.Close()
}

// mapSegment returns so many bytes of zeros, in huge pages if the system has them; nil if there are none.
func mapSegment(size int) []byte {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil
	}
	unix.Madvise(b, unix.MADV_HUGEPAGE)
	return b
}

func unmapSegment(b []byte) { unix.Munmap(b) }

// residentMemory returns how many bytes of memory the process takes.
func residentMemory() uint64 {
	stat, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
