package law

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Rest is how much longer runs are than the scenario, in addition to twice its longest time: so long after the last change, a run is at
// rest.
const Rest = 2 * time.Minute

// Base is the file of a scenario whose runs are compared: without what it expects and checks, which may be right for one length of a time
// only, and long enough for each time of it to be over.
func Base(s *format.Scenario, times []*Time) ([]byte, error) { return edit(s, times, nil, 0) }

// Change is Base with another length of a time.
func (t *Time) Change(s *format.Scenario, times []*Time, length time.Duration) ([]byte, error) {
	return edit(s, times, t, length)
}

// Horizon is how long the runs last.
func Horizon(s *format.Scenario, times []*Time) time.Duration {
	return s.Spec.Horizon.Duration + 2*longest(times) + Rest
}

// IsOver reports whether a run has changed nothing for as long as the longest time of the scenario before its end: otherwise, more may
// come.
func IsOver(s *format.Scenario, times []*Time, l *Look) bool {
	return l.settled.Last() <= Horizon(s, times)-longest(times)
}

func longest(times []*Time) (longest time.Duration) {
	for _, t := range times {
		longest = max(longest, t.Value)
	}
	return longest
}

func edit(s *format.Scenario, times []*Time, changed *Time, length time.Duration) ([]byte, error) {
	horizon := Horizon(s, times)
	return format.Edit(s, func(spec *yaml.Node) error {
		format.SetField(spec, "horizon", scalar(notation.Duration{Duration: horizon}.String()))
		if checks := source.Field(spec, "checks"); checks != nil {
			*checks = yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		}
		for _, step := range steps(spec) {
			calm(step, horizon)
		}
		switch {
		case changed == nil:
			return nil
		case changed.kind == option:
			config := child(child(spec, "kubernetes"), "config")
			changed.set(config, length)
			return nil
		}
		return eachManifest(spec, func(object *yaml.Node) (bool, error) {
			for _, t := range timesOf(object) {
				if t.String() == changed.String() {
					changed.set(object, length)
					return true, nil
				}
			}
			return false, nil
		})
	})
}

// calm lets a step fail for no reason that depends on how long something takes.
func calm(step *yaml.Node, horizon time.Duration) {
	if expect := source.Field(step, "expect"); expect != nil {
		format.SetField(expect, "that", &yaml.Node{Kind: yaml.ScalarNode, Value: "true", Style: yaml.DoubleQuotedStyle})
	}
	if wait := source.Field(step, "wait"); wait != nil && wait.Kind == yaml.MappingNode {
		format.SetField(wait, "timeout", scalar(notation.Duration{Duration: horizon}.String()))
	}
}

// index is an element of a list in a path.
var index = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// set writes another length into an object.
func (t *Time) set(object *yaml.Node, length time.Duration) {
	value := strconv.Itoa(int(length / time.Second))
	if t.kind == option {
		value = length.String()
	}
	names := strings.Split(t.Path, ".")
	node := object
	for _, name := range names[:len(names)-1] {
		if element := index.FindStringSubmatch(name); element != nil {
			i, _ := strconv.Atoi(element[2])
			node = source.Field(node, element[1]).Content[i]
			continue
		}
		node = child(node, name)
	}
	format.SetField(node, names[len(names)-1], scalar(value))
}

// child is the mapping that a field has; it is added if it is not there.
func child(node *yaml.Node, name string) *yaml.Node {
	if known := source.Field(node, name); known != nil {
		return known
	}
	format.SetField(node, name, &yaml.Node{Kind: yaml.MappingNode})
	return source.Field(node, name)
}

func scalar(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// Seconds is a length in words.
func Seconds(length time.Duration) string { return notation.Text(length) }
