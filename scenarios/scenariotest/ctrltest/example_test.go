package ctrltest_test

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// A test plays a scenario with an operator whose controllers setup adds, as the operator's main function does. This one labels
// each ConfigMap that it sees.
func ExampleManager() {
	setup := func(manager ctrl.Manager) error {
		api := manager.GetClient()
		label := func(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
			var found corev1.ConfigMap
			if err := api.Get(ctx, request.NamespacedName, &found); err != nil || found.Labels["seen"] != "" {
				return ctrl.Result{}, client.IgnoreNotFound(err)
			}
			changed := found.DeepCopy()
			changed.Labels = map[string]string{"seen": "true"}
			return ctrl.Result{}, api.Patch(ctx, changed, client.MergeFrom(&found))
		}
		return ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(reconcile.Func(label))
	}
	t := new(testing.T) // in a test, its parameter
	result := scenariotest.Run(t, `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: seen}
spec:
  title: An operator labels what it sees
  horizon: 1m
  kubernetes: {controllers: []}
  steps:
  - create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: mine}
  checks:
  - {name: labeled, at-end: "configmap('mine').metadata.labels.seen == 'true'"}
`, ctrltest.Operator("labeler", ctrltest.Manager{Setup: setup}.Run))
	for _, check := range result.Outcome.Checks {
		if !check.Invariant {
			fmt.Println(check.Name, check.Passed)
		}
	}
	// Output: labeled true
}
