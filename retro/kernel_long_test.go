//go:build long

package retro

import "testing"

// TestKernelFour is TestKernel for sets of four pieces, with identical pieces in the outer
// dimensions, and between outer and inner ones. It takes 4 GB.
func TestKernelFour(t *testing.T) {
	for _, name := range []string{"GGPP", "GSSP", "SSPP"} {
		t.Run(name, func(t *testing.T) { testKernel(t, name, 200000) })
	}
}
