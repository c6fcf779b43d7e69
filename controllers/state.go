package controllers

import (
	"slices"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/features"
)

// need is what a controller needs from the scenario to run, besides its own feature gates.
type need struct {
	// gates are looked at in the constructor, and not in the descriptor.
	gates []featuregate.Feature
	// config are fields of KubeControllerManagerConfiguration, as in kubernetes.config.
	config string
}

// needs are those of the controllers that do not run with upstream's defaults.
var needs = map[string]need{
	// startNodeIpamController (cmd/kube-controller-manager/app/core.go) is disabled unless CIDRs are allocated.
	names.NodeIpamController: {config: "kubeCloudShared: {allocateNodeCIDRs: true, clusterCIDR: 10.244.0.0/16}"},
	// newSVMController (cmd/kube-controller-manager/app/storageversionmigrator.go).
	names.StorageVersionMigratorController: {gates: []featuregate.Feature{features.StorageVersionMigrator}},
}

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
	state := State{Config: needs[d.Name].config}
	for _, gate := range slices.Concat(d.FeatureGates, needs[d.Name].gates) {
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
