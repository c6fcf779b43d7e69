// Package rabbitmq runs RabbitMQ's cluster-operator of March 2021 in scenarios. get.sh gets it.
package rabbitmq

import (
	"strings"
	"testing"

	rabbitmqv1beta1 "github.com/rabbitmq/cluster-operator/api/v1beta1"
	rabbitmq "github.com/rabbitmq/cluster-operator/controllers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// setup does what the operator's main does.
func setup(manager ctrl.Manager) error {
	cluster := manager.GetConfig()
	return (&rabbitmq.RabbitmqClusterReconciler{
		Client: manager.GetClient(), Scheme: manager.GetScheme(), Recorder: manager.GetEventRecorderFor("rabbitmqcluster-controller"),
		Namespace: "default", ClusterConfig: cluster, Clientset: kubernetes.NewForConfigOrDie(cluster), PodExecutor: noPods{},
	}).SetupWithManager(manager)
}

// noPods answers the commands that the operator runs in Pods: a simulation has no containers.
type noPods struct{}

func (noPods) Exec(*kubernetes.Clientset, *rest.Config, string, string, string, ...string) (stdout, stderr string, err error) {
	return "", "", nil
}

// The operator of 2021 lists what it watches.
var mine = ctrltest.Operator("rabbitmq-operator", ctrltest.Manager{
	Kinds: []ctrltest.AddToScheme{rabbitmqv1beta1.AddToScheme}, Setup: setup, Lists: true,
}.Run)

// bugs are the scenarios, the check that fails, and the pattern of Perturb that finds the bug at a place.
var bugs = []struct{ scenario, check, pattern, place string }{
	{"crash-while-resizing", "claim-grows", "crash-after-write", "delete of statefulsets/hare-server"},
	{"stale-size", "not-deleted-again", "stale-restart", "before the update of rabbitmqclusters.rabbitmq.com/hare"},
	{"stale-deletion", "not-deleted-again", "stale-restart", "during the deletion of rabbitmqclusters.rabbitmq.com/hare"},
	{"missed-scale-up", "never-scaled-down", "missed-change", "update and update of rabbitmqclusters.rabbitmq.com/hare"},
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
				scenariotest.Patterns(bug.pattern))
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
