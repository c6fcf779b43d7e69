package compare

import (
	"slices"
	"strings"
)

// passing are resources whose objects say who is currently there.
var passing = map[string]bool{"leases.coordination.k8s.io": true}

// Settled returns the objects whose last state differs in what was wanted or reached, and not only in how it was
// reached: without counters of versions, the node that a Pod happened to get, and the node port that a Service did. Times,
// addresses, uids and generated names are never compared.
func (r *Report) Settled() []FinalPair { return Settled(r.Final) }

// Settled returns the pairs that differ in what was wanted or reached; see Report.Settled.
func Settled(all []FinalPair) []FinalPair {
	var pairs []FinalPair
	for _, pair := range all {
		if passing[pair.Resource] {
			continue
		}
		pair.Fields = slices.DeleteFunc(slices.Clone(pair.Fields), func(f FieldPair) bool { return isOnTheWay(f.Path) })
		if pair.A != pair.B || len(pair.Fields) > 0 {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// isOnTheWay reports whether a field depends on the way to a state.
func isOnTheWay(path string) bool {
	return path == "metadata.generation" || path == "spec.nodeName" || strings.HasSuffix(path, "].nodeName") ||
		strings.HasSuffix(path, "bservedGeneration") || strings.HasSuffix(path, "odePort")
}
