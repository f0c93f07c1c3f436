//go:build long && linux

package main

import (
	"flag"
	"strings"
	"testing"
)

var estimateSets = flag.String("estimate-sets", "GSP RBS RRB RSS RPP RGG BBS BGP BPP GGS SPP", "what TestEstimatesOfThree makes")

// TestEstimatesOfThree: sets of three pieces take what was estimated. Their results are saved so
// often, as otherwise nothing would be, that they do not take the memory that they usually do.
func TestEstimatesOfThree(t *testing.T) {
	for _, set := range strings.Fields(*estimateSets) {
		whole := checkEstimate(t, set, []string{"memory", "tables"})
		saved := checkEstimate(t, set, []string{"scratch"}, "--checkpoint-every", "1s")
		sameTables(t, saved, whole, set)
	}
}
