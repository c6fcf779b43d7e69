package controllers

import (
	"slices"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// State reports whether a controller runs in a scenario that lists it, and if not, what it needs.
type State struct {
	// Runs means that listing it is enough.
	Runs bool
	// Gates are the feature gates that must be enabled.
	Gates []string
	// Config are the fields of kubernetes.config that it needs, in YAML's flow style.
	Config string
	// Reason says why it cannot run here; empty if it can.
	Reason string
}

// State of the controller under the current feature gates.
func (d Descriptor) State() State {
	if d.Cloud {
		return State{Reason: "belongs to the cloud controller manager; kube-controller-manager skips it"}
	}
	state := State{Config: Of(d.Name).need.config}
	for _, gate := range slices.Concat(d.FeatureGates, Of(d.Name).need.gates) {
		if !utilfeature.DefaultFeatureGate.Enabled(gate) {
			state.Gates = append(state.Gates, string(gate))
		}
	}
	state.Runs = len(state.Gates) == 0 && state.Config == ""
	return state
}

// String is the state in a few words: runs, needs featureGates {GenericWorkload: true}.
func (s State) String() string {
	var wants []string
	if len(s.Gates) > 0 {
		wants = append(wants, "featureGates {"+strings.Join(s.Gates, ": true, ")+": true}")
	}
	if s.Config != "" {
		wants = append(wants, "config {"+s.Config+"}")
	}
	switch {
	case s.Reason != "":
		return "does not run: " + s.Reason
	case len(wants) > 0:
		return "needs " + strings.Join(wants, " and ")
	}
	return "runs"
}
