package auditlog_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestARealClusterAndItsSimulationEndAlike continues the dump of a real control plane of Kubernetes v1.36.3 with its audit log: what
// users did with kubectl in two minutes, such as a rollout to an image that cannot be pulled, server-side apply, a drain and custom
// resources. testdata/cluster/checks.yaml has the state in which the cluster was afterwards. In the log, the requests that did not
// happen after the dump are left out, and of those of the system all but a few.
func TestARealClusterAndItsSimulationEndAlike(t *testing.T) {
	dump, log := read(t, "dump.yaml"), auditlog.New()
	if err := log.Read("audit.log", bytes.NewReader(read(t, "audit.log"))); err != nil {
		t.Fatal(err)
	}
	state, err := snapshot.Begin(bytes.NewReader(dump), snapshot.Options{Name: "cluster", Source: "dump.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := log.Continue(state, auditlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := string(read(t, "checks.yaml"))
	if strings.HasPrefix(controllers.KubernetesVersion, "v1.36.") {
		list += string(read(t, "names.yaml"))
	}
	checks := "  checks:\n  " + strings.ReplaceAll(list, "\n", "\n  ")
	scenario, err := format.Parse("cluster.yaml", append(file, checks...), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := plan.Run(runner.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range outcome.Checks {
		if check.Result != runner.Pass {
			t.Errorf("%s: %s", check.Name, check.Message)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/cluster/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
