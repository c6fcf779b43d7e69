package shrink

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Size is the size of a scenario.
type Size struct {
	Lines    int           `json:"lines"`
	Steps    int           `json:"steps"`
	Faults   int           `json:"faults"`
	PodRules int           `json:"podRules"`
	Objects  int           `json:"objects"`
	Pods     int           `json:"pods"`
	Horizon  time.Duration `json:"horizon"`
}

// sizeOf measures a draft; notes and questions are steps, too.
func sizeOf(d *draft) Size {
	text := d.text()
	size := Size{Lines: strings.Count(string(text), "\n")}
	scenario, err := format.Parse("scenario.yaml", text, verb.All)
	if err != nil {
		return size
	}
	size.Steps, size.Faults = len(scenario.Spec.Steps), len(scenario.Spec.Faults)
	size.Horizon = scenario.Spec.Horizon.Duration
	if rules := d.find("spec", "cluster", "pods"); rules != nil {
		size.PodRules = len(rules.Content)
	}
	for _, step := range scenario.Spec.Steps {
		if holder, ok := step.Verb.(format.RuleHolder); ok && holder.FaultRule().Release == "" {
			size.Faults++
		}
	}
	for _, p := range d.manifests() {
		for _, document := range documents(d.at(p).Value) {
			size.Objects++
			for _, number := range podNumbers(document) {
				size.Pods += number.n
			}
		}
	}
	return size
}

// Change describes what became smaller: 12 steps to 3, horizon 30m to 12s.
func Change(before, after Size) string {
	var words []string
	count := func(noun string, a, b int) {
		if a != b {
			words = append(words, fmt.Sprintf("%s to %d", trace.Count(a, noun), b))
		}
	}
	count("step", before.Steps, after.Steps)
	count("fault", before.Faults, after.Faults)
	count("pod rule", before.PodRules, after.PodRules)
	count("object", before.Objects, after.Objects)
	count("replica", before.Pods, after.Pods)
	if before.Horizon != after.Horizon {
		words = append(words, fmt.Sprintf("horizon %s to %s", notation.Duration{Duration: before.Horizon},
			notation.Duration{Duration: after.Horizon}))
	}
	count("line", before.Lines, after.Lines)
	if len(words) == 0 {
		return "nothing could be removed"
	}
	return strings.Join(words, ", ")
}
