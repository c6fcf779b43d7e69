package format

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// checks wants exactly one condition for each check, and a name of its own.
func (v *validator) checks() {
	first := map[string]int{}
	for i, check := range v.scenario.Spec.Checks {
		path := source.Item("spec.checks", i)
		if before, twice := first[check.Name]; twice && check.Name != "" {
			v.fail(path+".name", check.Name+"-2", "duplicate name %q, already used by %s", check.Name,
				source.Item("spec.checks", before))
		} else {
			first[check.Name] = i
		}
		v.condition(path)
		for _, name := range []string{"from", "until"} {
			if v.has(source.Join(path, name)) && !v.scenario.Has(path+".always") {
				v.fail(source.Join(path, name), "always, or remove the line", "%s needs always", name)
			}
		}
	}
}

func (v *validator) condition(path string) {
	conditions := []string{"always", "eventually", "at-end"}
	var found []string
	for _, name := range conditions {
		if v.scenario.Has(source.Join(path, name)) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, "one of "+strings.Join(conditions, ", "), "a check needs a condition")
	case len(found) > 1:
		v.fail(source.Join(path, found[1]), "split it into two checks",
			"a check has only one condition, and this one already has %s", found[0])
	}
}
