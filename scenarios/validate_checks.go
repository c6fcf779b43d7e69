package scenarios

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/invariant"
	"github.com/kubestep/kubestep/scenarios/spelling"
)

// checks wants exactly one condition for each check, and a name of its own.
func (v *validator) checks() {
	first := map[string]int{}
	for i, check := range v.scenario.Spec.Checks {
		path := itemPath("spec.checks", i)
		if before, twice := first[check.Name]; twice && check.Name != "" {
			v.fail(path+".name", check.Name+"-2", "the name %q is taken by %s", check.Name,
				itemPath("spec.checks", before))
		} else {
			first[check.Name] = i
		}
		v.condition(path)
		for _, name := range []string{"from", "until"} {
			if v.has(joinPath(path, name)) && !v.scenario.has(path+".always") {
				v.fail(joinPath(path, name), "always, or remove the line", "%s needs always", name)
			}
		}
		if check.From != "" && check.From != FirstAvailable {
			v.expression(path+".from", check.From)
		}
	}
}

func (v *validator) condition(path string) {
	conditions := []string{"always", "eventually", "at-end"}
	var found []string
	for _, name := range conditions {
		if v.scenario.has(joinPath(path, name)) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, "one of "+strings.Join(conditions, ", "), "a check needs a condition")
	case len(found) > 1:
		v.fail(joinPath(path, found[1]), "make two checks of them",
			"a check has one condition, and this one has %s already", found[0])
	}
}

// invariants wants names that exist, each in one of the lists and once.
func (v *validator) invariants() {
	known, first := invariant.Names(), map[string]string{}
	of := v.scenario.Spec.Invariants
	for _, list := range []struct {
		path  string
		names []string
	}{{"spec.invariants.expect", of.Expect}, {"spec.invariants.skip", of.Skip}} {
		for i, name := range list.names {
			path := itemPath(list.path, i)
			switch before := first[name]; {
			case !slices.Contains(known, name):
				v.fail(path, cmp.Or(spelling.Nearest(name, known), "one of "+strings.Join(known, ", ")), "there is no invariant %q", name)
			case before != "":
				v.fail(path, "remove one of them", "%s is there already, in %s", name, before)
			}
			first[name] = list.path
		}
	}
}
