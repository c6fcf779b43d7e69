package touch

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Prepared is the command of a branch that the scenario prepares.
var Prepared = verb.Command{Name: "branch", Args: "N", About: "a branch that the scenario prepares, by its number"}

// IsOf reports whether a branch names a thing: a program, or an object by its kind and a glob for its name.
func IsOf(table *kinds.Table, b *format.Branch, t Thing) bool {
	return slices.ContainsFunc(b.Of, func(name string) bool {
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return name == t.Program
		}
		kind := table.Named(name[strings.LastIndexByte(name[:slash], '/')+1 : slash])
		matched, _ := path.Match(name[slash+1:], t.Object.Name)
		return kind != nil && matched && kind.GroupResource().String() == t.Object.Resource
	})
}

// prepared are the branches of a thing, and for a message those of both its ends.
func (r Run) prepared(t Thing) (all []Offer) {
	if r.Scenario == nil {
		return nil
	}
	for i := range r.Scenario.Spec.Branches {
		b := &r.Scenario.Spec.Branches[i]
		if slices.ContainsFunc(r.ends(t), func(end Thing) bool { return IsOf(r.table(), b, end) }) {
			all = append(all, Offer{fmt.Sprintf("%s %d", Prepared.Name, i+1), b.Title})
		}
	}
	return all
}

// ends are the program and the object of a message; everything else is its own end.
func (r Run) ends(t Thing) []Thing {
	record := r.Rec.Record(t.Message)
	if record == nil {
		return []Thing{t}
	}
	var ends []Thing
	if i := slices.IndexFunc(r.Components, func(c *scene.Component) bool { return c.Is(record.Actor) }); i >= 0 {
		ends = append(ends, Thing{Program: r.Components[i].Name})
	}
	switch {
	case record.Request != nil:
		ends = append(ends, Thing{Object: record.Request.Object})
	case record.Watch != nil:
		ends = append(ends, Thing{Object: record.Watch.Object})
	}
	return ends
}

// parsePrepared reads the number of a branch.
func (r Run) parsePrepared(words []string) (Added, error) {
	branches := r.Scenario.Spec.Branches
	if len(words) != 1 {
		return Added{}, fmt.Errorf("%s needs %s", Prepared.Name, Prepared.Args)
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > len(branches) {
		return Added{}, fmt.Errorf("the scenario prepares %d branches: %q is none of them", len(branches), words[0])
	}
	b := &branches[n-1]
	return Added{b.Title, b.At.Duration, b.Steps}, nil
}
