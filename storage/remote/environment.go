package remote

import (
	"fmt"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
)

// Variables of the environment that say where pages are kept on disk, and how many bytes of them ("2GiB").
const (
	DiskVariable      = "GOGOTB_CACHE_DIR"
	DiskBytesVariable = "GOGOTB_CACHE_SIZE"
)

// FromEnvironment returns Options with the cache on disk that the environment asks for.
func FromEnvironment() (Options, error) {
	o := Options{Disk: os.Getenv(DiskVariable)}
	if text := os.Getenv(DiskBytesVariable); text != "" {
		n, err := humanize.ParseBytes(text)
		if err != nil || n == 0 || n > 1<<60 || strings.HasPrefix(text, "-") {
			return o, fmt.Errorf("%s=%s is no size, such as 2GiB", DiskBytesVariable, text)
		}
		o.DiskBytes = int64(n)
	}
	return o, nil
}
