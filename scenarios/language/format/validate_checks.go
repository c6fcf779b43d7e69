package format

import (
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
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

// mayDiffer checks that each exception is about some objects, but not about all of them.
func (v *validator) mayDiffer() {
	for i, may := range v.scenario.Spec.MayDiffer {
		at := source.Item("spec.mayDiffer", i)
		if may.Resource == "" && may.Namespace == "" && may.Name == "" && may.Field == "" && !v.failed[at] {
			v.fail(at, "resource: jobs, field: status.failed",
				"an exception for all fields of all objects; it needs resource, name or field")
		}
		v.faultResource(at+".resource", may.Resource)
		v.faultNamespace(at+".namespace", may.Resource, may.Namespace)
	}
}

// futures checks that each begins somewhere, and that those with a time begin one after the other, within the run.
func (v *validator) futures() {
	var before time.Duration
	for i, future := range v.scenario.Spec.Futures {
		var places []string
		for _, place := range []string{"from", "when", "record"} {
			if v.scenario.Has(source.Join(FuturePath(i), place)) {
				places = append(places, place)
			}
		}
		switch {
		case len(places) > 1:
			v.fail(source.Join(FuturePath(i), places[1]), "two futures", "a future has only one of from, when and record")
		case len(places) == 0 && !v.failed[FuturePath(i)]:
			v.fail(FuturePath(i), "from: 5.15s", "a future needs from, when or record")
		case len(places) == 1 && future.Record != nil && *future.Record < 1:
			v.fail(FuturePath(i)+".record", "412", "the first record is 1")
		}
		if future.From == nil {
			continue
		}
		from, path := future.From.Duration, FuturePath(i)+".from"
		switch horizon := v.scenario.Spec.Horizon.Duration; {
		case from <= 0:
			v.fail(path, "seed: "+strconv.FormatInt(future.Seed, 10)+" in spec, for the whole run", "must be later than 0s")
		case from <= before:
			v.fail(path, notation.Text(before+time.Second),
				"must be later than the future before it, which begins at %s", notation.Text(before))
		case from > horizon:
			v.fail(path, notation.Text(horizon), "must be within the horizon, %s", notation.Text(horizon))
		}
		before = max(before, from)
	}
}
