// Package sample runs k8s.io/sample-controller as it is. get.sh copies it.
package sample

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/sample-controller/pkg/generated/clientset/versioned"
	"k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/docs/howto/operators/sample-controller/original"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// run does what the controller's main does.
func run(ctx context.Context, clients controllers.Clients) error {
	cluster, err := clients.Config()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(cluster)
	if err != nil {
		return err
	}
	samples, err := versioned.NewForConfig(cluster)
	if err != nil {
		return err
	}
	core := informers.NewSharedInformerFactory(client, 30*time.Second)
	own := externalversions.NewSharedInformerFactory(samples, 30*time.Second)
	controller := original.NewController(ctx, client, samples, core.Apps().V1().Deployments(), own.Samplecontroller().V1alpha1().Foos())
	core.Start(ctx.Done())
	own.Start(ctx.Done())
	defer core.Shutdown()
	defer own.Shutdown()
	return controller.Run(ctx, 2)
}

var mine = scenariotest.Controller("sample-controller", run)

func TestFoo(t *testing.T) {
	result := scenariotest.Run(t, "testdata/foo.yaml", mine)
	t.Log(result.Outcome.TraceHash)
}

func TestFooUnderEveryFault(t *testing.T) {
	scenariotest.Perturb(t, "testdata/foo.yaml", mine)
}

func TestRename(t *testing.T) {
	scenariotest.Run(t, "testdata/rename.yaml", mine)
}

func TestDefinitionWithoutStatus(t *testing.T) {
	scenariotest.Run(t, "testdata/no-status.yaml", mine)
}
