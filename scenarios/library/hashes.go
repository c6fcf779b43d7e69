package library

import (
	_ "embed"
	"strings"
)

// hashes are the trace hashes of the scenarios with their own seeds, one line each: the name, the hash, and the word exact
// if the order is open in the stock build. The test of the shipped scenarios (scenarios/runner) keeps them fresh.
// After a change of traces, make golden PKG=./scenarios/library writes all of them. EXACT=0, the stock build, keeps the
// hashes of the scenarios whose order is open.
//
//go:embed hashes.txt
var hashes string

// Hash is the recorded trace hash of a scenario.
type Hash struct {
	Trace string
	// OnlyExact is true if the order is open in the stock build, so that only the exact build gives this hash.
	OnlyExact bool
}

// Hashes are the recorded trace hashes, by the names of the scenarios.
func Hashes() map[string]Hash {
	recorded := map[string]Hash{}
	for line := range strings.Lines(hashes) {
		if fields := strings.Fields(line); len(fields) > 1 {
			recorded[fields[0]] = Hash{fields[1], len(fields) > 2 && fields[2] == "exact"}
		}
	}
	return recorded
}
