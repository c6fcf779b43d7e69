// Package lws runs the controllers of LeaderWorkerSet in scenarios. get.sh gets them.
package lws

import (
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	leaderworkersetv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
	"sigs.k8s.io/lws/pkg/webhooks"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// setup does what the main does.
func setup(manager ctrl.Manager) error {
	if err := controllers.SetupIndexes(manager.GetFieldIndexer()); err != nil {
		return err
	}
	events := manager.GetEventRecorder("leaderworkerset")
	sets := controllers.NewLeaderWorkerSetReconciler(manager.GetClient(), manager.GetScheme(), events)
	if err := sets.SetupWithManager(manager); err != nil {
		return err
	}
	pods := controllers.NewPodReconciler(manager.GetClient(), manager.GetScheme(), events, nil)
	if err := pods.SetupWithManager(manager); err != nil {
		return err
	}
	if err := webhooks.SetupLeaderWorkerSetWebhook(manager); err != nil {
		return err
	}
	return webhooks.NewPodWebhook(nil).Setup(manager)
}

var mine = ctrltest.Operator("lws-controller-manager", ctrltest.Manager{
	Kinds: []ctrltest.AddToScheme{leaderworkersetv1.AddToScheme}, Setup: setup,
}.Run)

// TestGroups runs a set whose Pods are created while nobody answers the webhooks.
func TestGroups(t *testing.T) {
	scenariotest.Run(t, "testdata/groups.yaml", mine)
}

// TestWithoutWebhooks shows what the webhooks are for: a Pod without the labels that they set is nobody's worker.
func TestWithoutWebhooks(t *testing.T) {
	scenariotest.Run(t, "testdata/without-webhooks.yaml", mine, scenariotest.Fails("available", "convergence"))
}
