//go:build long && linux

package main

import (
	"flag"
	"regexp"
	"strings"
	"testing"
)

var estimateSets = flag.String("estimate-sets", "GSP RBS RRB RSS RPP RGG BBS BGP BPP GGS SPP", "what TestEstimatesOfThree makes")

// TestEstimatesOfThree: sets of three pieces take what was estimated. Their results are saved so
// often, as otherwise nothing would be, that they do not take the memory that they usually do. With
// the least memory that is accepted they keep to that.
func TestEstimatesOfThree(t *testing.T) {
	for _, set := range strings.Fields(*estimateSets) {
		whole := checkEstimate(t, set, []string{"memory", "tables"})
		saved := checkEstimate(t, set, []string{"scratch"}, "--checkpoint-every", "1s")
		sameTables(t, saved, whole, set)
		if least := leastMemory(t, set); least != "" {
			limited := checkEstimate(t, set, []string{"memory"}, "--memory", least)
			sameTables(t, limited, whole, set)
		}
	}
}

// leastMemory is what a refusal says that a set needs if there is a scratch file; "" if it needs none.
func leastMemory(t *testing.T, set string) string {
	t.Helper()
	r := gogotb(t, "generate", "--dir", t.TempDir(), "--estimate", "--memory", "1MiB", set)
	if match := regexp.MustCompile(`or ([0-9.]+ [MG]iB) and a scratch file`).FindStringSubmatch(r.stderr); match != nil {
		return match[1]
	}
	return ""
}
