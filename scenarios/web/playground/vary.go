package playground

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Numbers are those of a what-if: the whole run with other numbers. Empty ones stay as they are.
type Numbers struct {
	// Object is the workload, such as deployment/web; empty for the first one of the scenario.
	Object         string `json:"object"`
	MaxSurge       string `json:"maxSurge"`
	MaxUnavailable string `json:"maxUnavailable"`
	Ready          string `json:"ready"`
	Replicas       string `json:"replicas"`
}

// vary returns the scenario with the numbers.
func (n *Numbers) vary(s *format.Scenario) (*format.Scenario, error) {
	if n == nil {
		return s, nil
	}
	for _, number := range []struct{ name, value string }{
		{"max-surge", n.MaxSurge}, {"max-unavailable", n.MaxUnavailable}, {"ready", n.Ready}, {"replicas", n.Replicas},
	} {
		if number.value == "" {
			continue
		}
		v, _, err := branch.ParseVariation(number.name + " " + number.value)
		if err == nil {
			s, err = v.Of(s, n.object(s))
		}
		if err != nil {
			return nil, &Failure{Message: err.Error(), Try: "another number, or none"}
		}
	}
	return s, nil
}

// object is the workload that the numbers are about.
func (n *Numbers) object(s *format.Scenario) trace.Object {
	kind, name, _ := strings.Cut(n.Object, "/")
	if n.Object == "" {
		kind, name = firstWorkload(s)
	}
	o := trace.Object{Name: name}
	if known := kinds.BuiltIn().Named(kind); known != nil {
		o.Resource = known.GroupResource().String()
	}
	return o
}

// workloadKinds are the kinds that have the numbers.
var workloadKinds = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"}

// firstWorkload is the first workload in the manifests of a scenario. If there is none, it is a Deployment that the
// variation reports as missing.
func firstWorkload(s *format.Scenario) (kind, name string) {
	for _, step := range s.Spec.Steps {
		of, ok := step.Verb.(verb.Manifester)
		if !ok {
			continue
		}
		decoder := yaml.NewDecoder(strings.NewReader(*of.Manifests()))
		for {
			var object struct {
				Kind     string
				Metadata struct{ Name string }
			}
			if decoder.Decode(&object) != nil {
				break
			}
			if slices.Contains(workloadKinds, object.Kind) {
				return object.Kind, object.Metadata.Name
			}
		}
	}
	return "Deployment", ""
}
