// Package kubestep runs the controller of the Kubebuilder book's CronJob tutorial in scenarios. get.sh gets it.
package kubestep

import (
	"slices"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	batchv1 "tutorial.kubebuilder.io/project/api/v1"
	"tutorial.kubebuilder.io/project/internal/controller"
	webhook "tutorial.kubebuilder.io/project/internal/webhook/v1"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// setup does what the project's main does.
func setup(manager ctrl.Manager) error {
	err := (&controller.CronJobReconciler{Client: manager.GetClient(), Scheme: manager.GetScheme()}).SetupWithManager(manager)
	if err != nil {
		return err
	}
	return webhook.SetupCronJobWebhookWithManager(manager)
}

var mine = ctrltest.Operator("cronjob-operator", ctrltest.Manager{
	Kinds: []ctrltest.AddToScheme{batchv1.AddToScheme}, Setup: setup,
}.Run)

const lateJob = "testdata/late-job.yaml"

// TestLateJob shows that one event that arrives late leaves the CronJob Degraded.
func TestLateJob(t *testing.T) {
	scenariotest.Run(t, lateJob, mine, scenariotest.Fails("not-degraded"))
}

// TestNoLateJob is the control.
func TestNoLateJob(t *testing.T) {
	scenariotest.Run(t, lateJob, mine, scenariotest.WithoutFaults())
}

// TestWebhooks lets the project's webhooks decide.
func TestWebhooks(t *testing.T) {
	scenariotest.Run(t, "testdata/webhooks.yaml", mine)
}

// TestLateJobIsFound lets kubestep find it.
func TestLateJobIsFound(t *testing.T) {
	findings := scenariotest.Findings(t, lateJob, mine, scenariotest.WithoutFaults(), scenariotest.Patterns("late-events"))
	for _, finding := range findings.All {
		t.Logf("%s: %s, at %s and %d more", finding.Name, finding.Message, finding.Places[0], len(finding.Places)-1)
	}
	if !slices.ContainsFunc(findings.All, func(f scenariotest.Finding) bool { return f.Name == "not-degraded" }) {
		t.Error("nobody notices that the CronJob stays Degraded")
	}
}
