package library

import (
	_ "embed"
	"strings"
)

// hashes are the trace hashes of the scenarios with their own seeds, one line each: the name and the hash. The test of
// the shipped scenarios (scenarios/runner) keeps them fresh.
//
//go:embed hashes.txt
var hashes string

// Hashes are the trace hashes that the scenarios have in the stock build, by name. A scenario whose order is open has
// none.
func Hashes() map[string]string {
	recorded := map[string]string{}
	for line := range strings.Lines(hashes) {
		if name, hash, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			recorded[name] = hash
		}
	}
	return recorded
}
