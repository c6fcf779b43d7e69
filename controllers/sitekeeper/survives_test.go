package sitekeeper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/sitekeeper"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// TestSitekeeperSurvives runs all patterns against the controller with a kind of its own that comes with kubestep.
func TestSitekeeperSurvives(t *testing.T) {
	findings := scenariotest.Perturb(t, "sitekeeper", scenariotest.Controller("sitekeeper", controllers.Builtin["sitekeeper"]), scenariotest.Smallest(0))
	if findings.Runs < 60 {
		t.Errorf("only %d runs", findings.Runs)
	}
}

// TestPerturbFindsTheLateFinalizer does not say where the controller is to crash.
func TestPerturbFindsTheLateFinalizer(t *testing.T) {
	findings := scenariotest.Findings(t, `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: late-finalizer}
spec:
  title: A Site is deleted soon
  horizon: 1m
  kubernetes: {controllers: [garbage-collector-controller]}
  controllers: [sitekeeper-finalizer-last]
  cluster:
    definitions: |
      `+strings.ReplaceAll(strings.TrimSpace(sitekeeper.Definition), "\n", "\n      ")+`
  steps:
  - create: |
      apiVersion: sitekeeper.kubestep.dev/v1
      kind: Site
      metadata: {name: shop}
      spec: {host: shop.example.com}
  - after: 200ms
    delete: {target: site/shop}
  checks:
  - {name: released, at-end: "!list('configmaps').exists(c, c.metadata.name == 'hosts' && has(c.data))"}
`, scenariotest.Controller("sitekeeper-finalizer-last", controllers.Builtin["sitekeeper-finalizer-last"]),
		scenariotest.Patterns("crash-after-write"), scenariotest.IgnoreEnd("configmaps/hosts")) // a Site that is deleted before it is served has no host
	if len(findings.All) != 1 || findings.All[0].Name != "released" || len(findings.All[0].Places) != 1 ||
		!strings.HasPrefix(findings.All[0].Places[0].String(), "crash-after-write after create of configmaps/hosts") {
		for _, finding := range findings.All {
			t.Logf("%s: %s\n%s", finding.Name, finding.Message, fmt.Sprint(finding.Places))
		}
		t.Errorf("%d runs find %d mistakes", findings.Runs, len(findings.All))
	}
}

// TestTheDefinitionOfSitekeeper keeps the definition in the scenario as it is in the package.
func TestTheDefinitionOfSitekeeper(t *testing.T) {
	scenario, err := runner.Open("sitekeeper")
	if err != nil {
		t.Fatal(err)
	}
	if scenario.Spec.Cluster.Definitions != sitekeeper.Definition {
		t.Error("scenarios/controllers/sitekeeper.yaml has another definition than controllers/sitekeeper/definition.yaml")
	}
}
