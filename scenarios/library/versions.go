package library

import (
	_ "embed"
	"strings"
)

// measurements are the versions of Kubernetes with which all scenarios ran, from newer to older ones, and the scenarios that did
// not pass with them. The script docs/versions.sh writes them, with binaries of these versions. All scenarios pass with the main
// version; tests see to that.
//
//go:embed versions.txt
var measurements string

// Untried is the result of a scenario that has not run with a version yet.
const Untried = "untried"

// Measured is a version of Kubernetes with which all scenarios ran.
type Measured struct {
	// Kubernetes is the version, such as v1.35.4.
	Kubernetes string
	// Differs has the results of the scenarios that did not pass, or are Untried, by their names.
	Differs map[string]string
}

// Passes reports whether a scenario passed.
func (m Measured) Passes(name string) bool { return m.Differs[name] == "" }

// Measurements are the measured versions other than the main one, from newer to older ones.
func Measurements() []Measured {
	var all []Measured
	for line := range strings.Lines(measurements) {
		switch fields := strings.Fields(line); {
		case len(fields) == 2 && fields[0] == "measured":
			all = append(all, Measured{fields[1], map[string]string{}})
		case len(fields) == 4 && fields[0] == "differs" && len(all) > 0:
			all[len(all)-1].Differs[fields[2]] = fields[3]
		}
	}
	return all
}
