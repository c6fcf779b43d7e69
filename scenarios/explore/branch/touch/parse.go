package touch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Fault is the command of a fault at a record: one of the places that kubestep explore --every tries.
var Fault = verb.Command{
	Name: "fault", Args: "KIND RECORD", About: "a fault of explore --every at the request or event of a record: conflict 412",
}

// Commands lists what can be typed: the commands of a branch, Fault, Release and Prepared.
func Commands() []verb.Command { return append(branch.Commands(), Fault, Release, Prepared) }

// Added is what a branch adds to a run.
type Added struct {
	// Text says what it is, and At when it begins.
	Text  string
	At    time.Duration
	Steps []format.Step
}

// Parse reads a command. It happens at the beat, or if it is about a record, at that.
func (r Run) Parse(line string) (Added, error) {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
	case words[0] == Fault.Name:
		return r.parseFault(words[1:])
	case words[0] == Release.Name:
		return r.parseRelease(strings.Join(words[1:], " "))
	case words[0] == Prepared.Name:
		return r.parsePrepared(words[1:])
	}
	step, err := branch.Parse(line)
	if err != nil {
		return Added{}, err
	}
	return Added{step.Describe(), max(r.Now, 0), []format.Step{step}}, nil
}

// parseFault reads KIND RECORD.
func (r Run) parseFault(words []string) (Added, error) {
	if len(words) != 2 {
		return Added{}, fmt.Errorf("%s needs %s", Fault.Name, Fault.Args)
	}
	seq, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil || seq < 1 || seq > r.Rec.Len() {
		return Added{}, fmt.Errorf("%q is not the number of a record: 1 to %d", words[1], r.Rec.Len())
	}
	places := r.places(seq)
	i := slices.IndexFunc(places, func(p place.Place) bool { return p.Kind == words[0] })
	if i < 0 {
		var names []string
		for _, p := range places {
			names = append(names, p.Kind)
		}
		if names == nil {
			return Added{}, fmt.Errorf("no fault applies to record %d: try a write of a controller, or a watch event of one", seq)
		}
		return Added{}, fmt.Errorf("%s does not apply to record %d: %s", words[0], seq, strings.Join(names, ", "))
	}
	p := &places[i]
	steps := p.Steps(r.Scenario)
	return Added{fmt.Sprintf("%s at %s of %s", p.Kind, p.In.Verb, trace.ObjectName(p.Object)), steps[0].At.Duration, steps}, nil
}
