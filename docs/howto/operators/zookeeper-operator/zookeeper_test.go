// Package zookeeper runs pravega's zookeeper-operator of March 2021 in scenarios. get.sh gets it.
package zookeeper

import (
	"strings"
	"testing"

	zookeeperv1beta1 "github.com/pravega/zookeeper-operator/pkg/apis/zookeeper/v1beta1"
	"github.com/pravega/zookeeper-operator/pkg/controller/zookeepercluster"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// The operator of 2021 lists what it watches.
var mine = ctrltest.Operator("zookeeper-operator", ctrltest.Manager{
	Kinds: []ctrltest.AddToScheme{zookeeperv1beta1.SchemeBuilder.AddToScheme}, Setup: zookeepercluster.AddZookeeperReconciler, Lists: true,
}.Run)

// bugs are the scenarios, the check that fails, and the place of a stale restart at which Perturb finds the bug.
var bugs = []struct{ scenario, check, place string }{
	{"stale-deletion", "claims-stay", "during the deletion of zookeeperclusters.zookeeper.pravega.io/zoo"},
	{"stale-replicas", "claims-stay", "before the update of zookeeperclusters.zookeeper.pravega.io/zoo"},
}

// TestBugs shows each bug, and that it takes the faults of the scenario.
func TestBugs(t *testing.T) {
	for _, bug := range bugs {
		file := "testdata/" + bug.scenario + ".yaml"
		t.Run(bug.scenario, func(t *testing.T) { scenariotest.Run(t, file, mine, scenariotest.Fails(bug.check)) })
		t.Run(bug.scenario+"-control", func(t *testing.T) { scenariotest.Run(t, file, mine, scenariotest.WithoutFaults()) })
	}
}

// TestBugsAreFound lets kubestep find each bug from the control.
func TestBugsAreFound(t *testing.T) {
	for _, bug := range bugs {
		t.Run(bug.scenario, func(t *testing.T) {
			findings := scenariotest.Findings(t, "testdata/"+bug.scenario+".yaml", mine, scenariotest.WithoutFaults(),
				scenariotest.Patterns("stale-restart"))
			found := false
			for _, finding := range findings.All {
				for _, place := range finding.Places {
					t.Logf("%s: %s: %s", place, finding.Name, finding.Message)
					found = found || strings.Contains(place.At, bug.place)
				}
			}
			if !found {
				t.Errorf("nobody finds it in %d runs", findings.Runs)
			}
		})
	}
}
