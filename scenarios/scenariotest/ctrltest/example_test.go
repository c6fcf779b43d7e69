package ctrltest_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// A test plays a scenario with an operator whose controllers setup adds, as the operator's main function does.
func ExampleManager() {
	var t *testing.T                    // that of the test
	var reconciler reconcile.Reconciler // that of the operator
	setup := func(manager ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(manager).For(&appsv1.Deployment{}).Complete(reconciler)
	}
	scenariotest.Run(t, "testdata/expose.yaml", ctrltest.Operator("mine", ctrltest.Manager{Setup: setup}.Run))
}
