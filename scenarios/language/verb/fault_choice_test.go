package verb_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

const someFaults = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: faults}
spec:
  title: Two rules, and three steps that are faults
  cluster: {nodes: [{count: 1}]}
  faults:
  - {name: slow, request: {verb: update}, delay: 5s}
  - {request: {verb: create}, fail: InternalError}
  steps:
  - wait: {for: "true"}
  - fault: {name: stuck, watch: {resource: pods}, hold: true}
  - fault: {release: slow}
  - node: {fail: node-1}
`

// TestChooseFaults chooses faults by what the file and the trace call them.
func TestChooseFaults(t *testing.T) {
	s, err := format.Parse("faults.yaml", []byte(someFaults), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"spec.faults[0]", "spec.faults[1]", "spec.steps[0]", "spec.steps[1]", "spec.steps[2]", "spec.steps[3]"}
	for _, test := range []struct {
		places, want string
		faults       int
		steps        int
	}{
		{"", "spec.faults[0] spec.faults[1] spec.steps[0] spec.steps[1] spec.steps[2] spec.steps[3]", 2, 3},
		// What releases a rule that is left out goes with it.
		{"spec.faults", "spec.faults[0] spec.faults[1] spec.steps[2]", 2, 1},
		{"slow", "spec.faults[0] spec.steps[2]", 1, 1},
		{"spec.faults[1]", "spec.faults[1]", 1, 0},
		{"spec.steps", "spec.steps[1] spec.steps[2] spec.steps[3]", 0, 3},
		{"stuck,spec.steps[3]", "spec.steps[1] spec.steps[3]", 0, 2},
		{"spec.steps[1].fault", "spec.steps[1]", 0, 1},
	} {
		var places []string
		if test.places != "" {
			places = strings.Split(test.places, ",")
		}
		choice, err := verb.ChooseFaults(s, places...)
		if err != nil {
			t.Errorf("%s: %v", test.places, err)
			continue
		}
		chosen := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !choice(path) })
		faults, steps := verb.CountFaults(s, choice)
		if got := strings.Join(chosen, " "); got != test.want || faults != test.faults || steps != test.steps {
			t.Errorf("%s: %s (%d, %d), want %s (%d, %d)", test.places, got, faults, steps, test.want, test.faults, test.steps)
		}
	}
	for place, try := range map[string]string{
		"spec.steps[0]": "spec.steps[1]", "spec.fault": "spec.faults", "slwo": "slow",
	} {
		_, err := verb.ChooseFaults(s, place)
		var wrong *source.Error
		if !errors.As(err, &wrong) || wrong.Try != try {
			t.Errorf("%s: %v, want the hint %s", place, err, try)
		}
	}
}
