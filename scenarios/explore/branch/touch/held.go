package touch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
)

// Release is the command that ends a fault which holds requests or watch events.
var Release = verb.Command{
	Name: "release", Args: "FAULT", About: "end a fault that holds requests or watch events: they continue now",
}

// held are the faults that hold something of a thing at the beat, each as the command that ends it.
func (r Run) held(t Thing) (all []Offer) {
	for _, hold := range r.Holds() {
		rule := hold.Fault.Rule
		command := Release.Name + " " + rule
		if !r.holdsBack(hold, t) || !slices.Contains(r.rules(), rule) || contains(all, command) {
			continue
		}
		message := "the " + hold.Fault.Verb + " of " + trace.ObjectName(hold.Fault.Object)
		if hold.Fault.IsOfEvent() {
			message += ", and all that waits behind it,"
		}
		all = append(all, Offer{command, message + " continues now"})
	}
	return all
}

// holdsBack reports whether a thing waits for what a fault holds: the message itself, the object that it is about, the program that sent
// it, or one that learns of its keys from that watch.
func (r Run) holdsBack(hold *trace.Record, t Thing) bool {
	switch {
	case t.Message != 0:
		return t.Message == hold.Seq
	case t.Program == "":
		return t.Object == hold.Fault.Object
	}
	i := slices.IndexFunc(r.Components, func(c *scene.Component) bool { return c.Name == t.Program })
	if i < 0 {
		return false
	}
	c := r.Components[i]
	if !hold.Fault.IsOfEvent() {
		return c.Is(hold.Actor)
	}
	return r.Learns(c, hold)
}

// rules are the names of the faults of the scenario that a step can end. One without a name has its place in the file, which may be another
// one in a branch that leaves out an open question.
func (r Run) rules() (names []string) {
	if r.Scenario == nil {
		return nil
	}
	open := branch.Open(r.Scenario, r.Rec, max(r.Now, 0)) >= 0
	r.Scenario.EachFault(func(at string, f *format.FaultRule) {
		switch {
		case f.Name != "":
			names = append(names, f.Name)
		case !open:
			names = append(names, at)
		}
	})
	return names
}

// parseRelease reads the name of a fault.
func (r Run) parseRelease(name string) (Added, error) {
	if name == "" {
		return Added{}, fmt.Errorf("%s needs %s", Release.Name, Release.Args)
	}
	var held []string
	for _, hold := range r.Holds() {
		if rule := hold.Fault.Rule; slices.Contains(r.rules(), rule) && !slices.Contains(held, rule) {
			held = append(held, rule)
		}
	}
	switch {
	case len(held) == 0:
		return Added{}, fmt.Errorf("no fault holds anything at %s", trace.Seconds(max(r.Now, 0)))
	case !slices.Contains(held, name):
		return Added{}, fmt.Errorf("no fault %q holds anything at %s: %s", name, trace.Seconds(max(r.Now, 0)), strings.Join(held, ", "))
	}
	step := format.Step{Verb: verb.OfRule(&format.FaultRule{Release: name})}
	return Added{step.Describe(), max(r.Now, time.Duration(0)), []format.Step{step}}, nil
}
