package law

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
)

// Exceptions are the fields in which a run with another length of a time differs: the field itself, in templates and copies of it, too.
func Exceptions(t *Time) []compare.Exception {
	name := t.Path[strings.LastIndexByte(t.Path, '.')+1:]
	all := []compare.Exception{
		{Field: "*" + name, Because: "It is the time."},
		{Field: "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration", Because: "It has the time."},
	}
	if name == gracePeriod {
		all = append(all, compare.Exception{Field: "metadata.deletionGracePeriodSeconds", Because: "It is the time."})
	}
	return all
}

const gracePeriod = "terminationGracePeriodSeconds"
