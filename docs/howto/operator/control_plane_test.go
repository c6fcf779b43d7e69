package operator

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kubestep/kubestep/sim/simtest"
)

// TestExposeWithoutScenario runs the operator as a test with envtest would: a control plane, the manager, and a client
// that creates a Deployment and waits for its Service.
func TestExposeWithoutScenario(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Seed: 1})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- Run(ctx, cluster.ConfigOf("expose-operator"), ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
		}()

		api, err := client.New(cluster.Config, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]string{"app": "web"}
		deployment := &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", Annotations: map[string]string{Expose: "8080"}},
			Spec: appsv1.DeploymentSpec{
				Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: labels},
					Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
				},
			},
		}
		if err := api.Create(ctx, deployment); err != nil {
			t.Fatal(err)
		}
		var service corev1.Service
		err = wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
			err := api.Get(ctx, client.ObjectKeyFromObject(deployment), &service)
			return err == nil, client.IgnoreNotFound(err)
		})
		if err != nil {
			t.Fatal(err)
		}
		if port := service.Spec.Ports[0].Port; port != 8080 {
			t.Errorf("the Service has port %d, want 8080", port)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
