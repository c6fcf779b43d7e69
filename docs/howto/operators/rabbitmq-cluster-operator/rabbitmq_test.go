// Package rabbitmq runs RabbitMQ's cluster-operator of March 2021 in scenarios. get.sh gets it.
package rabbitmq

import (
	"context"
	"os"
	"strings"
	"testing"

	rabbitmqv1beta1 "github.com/rabbitmq/cluster-operator/api/v1beta1"
	rabbitmq "github.com/rabbitmq/cluster-operator/controllers"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// run does what the operator's main does.
func run(ctx context.Context, cluster *rest.Config, options ctrl.Options) error {
	options.Scheme = runtime.NewScheme()
	if err := rabbitmqv1beta1.AddToScheme(options.Scheme); err != nil {
		return err
	}
	if err := clientscheme.AddToScheme(options.Scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(cluster, options)
	if err != nil {
		return err
	}
	err = (&rabbitmq.RabbitmqClusterReconciler{
		Client: manager.GetClient(), Scheme: manager.GetScheme(), Recorder: manager.GetEventRecorderFor("rabbitmqcluster-controller"),
		Namespace: "default", ClusterConfig: cluster, Clientset: kubernetes.NewForConfigOrDie(cluster), PodExecutor: noPods{},
	}).SetupWithManager(manager)
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

// noPods answers the commands that the operator runs in Pods: a simulation has no containers.
type noPods struct{}

func (noPods) Exec(*kubernetes.Clientset, *rest.Config, string, string, string, ...string) (stdout, stderr string, err error) {
	return "", "", nil
}

// scenario is a scenario with the operator's definition.
func scenario(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	crd, err := os.ReadFile("original/config/crd/bases/rabbitmq.com_rabbitmqclusters.yaml")
	if err != nil {
		t.Fatalf("%v\nTry: ./get.sh", err)
	}
	indented := strings.ReplaceAll(strings.TrimSpace(string(crd)), "\n", "\n      ")
	return strings.Replace(string(text), "DEFINITION", indented, 1)
}

var mine = ctrltest.Operator("rabbitmq-operator", run)

// TestResize is the control: nothing goes wrong, and the claim grows.
func TestResize(t *testing.T) {
	scenariotest.Run(t, scenario(t, "resize.yaml"), mine)
}

// TestCrashWhileResizing is issue 782.
func TestCrashWhileResizing(t *testing.T) {
	scenariotest.Run(t, scenario(t, "crash-while-resizing.yaml"), mine)
}

// TestCrashesAreFound lets kubestep find issue 782: of all crashes after a write, some leave the claim as it is.
func TestCrashesAreFound(t *testing.T) {
	findings := scenariotest.Findings(t, scenario(t, "resize.yaml"), mine, scenariotest.Patterns("crash-after-write"),
		scenariotest.IgnoreEnd("secrets/")) // passwords differ in each run
	var found bool
	for _, finding := range findings.All {
		for _, plan := range finding.Plans {
			t.Logf("%s: %s", plan.String(), finding.Message)
			found = found || finding.Name == "grown" && strings.Contains(plan.Place, "delete of statefulsets/hare-server")
		}
	}
	if !found {
		t.Error("nobody notices that the claim stays as it is")
	}
}
