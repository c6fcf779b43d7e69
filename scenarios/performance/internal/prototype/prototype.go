// Package prototype is the program that a developer of Kubernetes writes first to try a controller without a cluster, and that kubestep
// is compared with: the Deployment and ReplicaSet controllers over client-go's fake clientset, in a bubble of testing/synctest. It has
// what a rollout needs, and nothing that explains it: no API server with validation, defaults, admission and Events that one can list, no
// latencies, no scheduler and no garbage collector, no conditions, no trace, and no hash that a second run has to have.
package prototype

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/kubestep/kubestep/sim/engine"
)

// Outcome is what a rollout of the prototype did.
type Outcome struct {
	// Writes are the requests that changed an object.
	Writes int
	// Virtual is how long the rollout took.
	Virtual time.Duration
}

// The workers that kube-controller-manager starts for each of the two controllers, and how many Pods the ReplicaSet controller creates at
// once (--concurrent-deployment-syncs, --concurrent-replicaset-syncs, and replicaset.BurstReplicas).
const workers = 5

// step is how often the user looks at the Deployment, and patience how long.
const (
	step     = 100 * time.Millisecond
	patience = 30 * time.Minute
)

// Rollout creates a Deployment with a number of replicas, waits until all of them are available, gives it a new image, and waits again.
// The error says that one of the two takes longer than half an hour of virtual time.
func Rollout(replicas int) (*Outcome, error) {
	outcome := &Outcome{}
	var failed error
	// A clock that begins in the past stops the first controller that reports an error: upstream's handler of errors has noted when the
	// process began, and sleeps until it is a millisecond later.
	if err := engine.Bubble(time.Now(), func() { failed = outcome.roll(replicas) }); err != nil {
		return nil, err
	}
	return outcome, failed
}

func (o *Outcome) roll(replicas int) error {
	ctx, cancel := context.WithCancel(context.Background())
	world := newWorld(replicas)
	done := make(chan error)
	defer func() {
		cancel()
		<-done
		<-done
	}()
	factory := informers.NewSharedInformerFactory(world.clientset, 0)
	defer factory.Shutdown()
	defer cancel()
	deployments, sets, pods := factory.Apps().V1().Deployments(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods()
	rollouts, err := deployment.NewDeploymentController(ctx, deployments, sets, pods, world.clientset)
	if err != nil {
		return err
	}
	replicaSets := replicaset.NewReplicaSetController(ctx, sets, pods, world.clientset, replicaset.BurstReplicas)
	if err := startKubelet(ctx, world.clientset, pods.Informer()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	time.Sleep(step) // a list of the fake clientset has no resourceVersion, so a watch that opens later has missed what came between
	go func() { rollouts.Run(ctx, workers); done <- nil }()
	go func() { replicaSets.Run(ctx, workers); done <- nil }()

	began := time.Now()
	client := world.clientset.AppsV1().Deployments(metav1.NamespaceDefault)
	if _, err := client.Create(ctx, web(replicas), metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := complete(ctx, world.clientset); err != nil {
		return err
	}
	current, err := client.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	current.Spec.Template.Spec.Containers[0].Image = "web:v2"
	if _, err := client.Update(ctx, current, metav1.UpdateOptions{}); err != nil {
		return err
	}
	err = complete(ctx, world.clientset)
	o.Writes, o.Virtual = world.writes, time.Since(began)
	return err
}

const name = "web"

// web is the Deployment of the rollout.
func web(replicas int) *appsv1.Deployment {
	number, limit := int32(replicas), int32(10)
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault},
		Spec: appsv1.DeploymentSpec{
			Replicas: &number, RevisionHistoryLimit: &limit, Selector: &metav1.LabelSelector{MatchLabels: labels},
			// What the API server sets by default.
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &quarter, MaxSurge: &quarter},
			},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyAlways,
					Containers:    []corev1.Container{{Name: "c", Image: "web:v1"}},
				},
			},
		},
	}
}

// complete waits until a rollout is complete, as kubectl rollout status sees it.
func complete(ctx context.Context, client kubernetes.Interface) error {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(step) {
		d, err := client.AppsV1().Deployments(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		wanted, s := *d.Spec.Replicas, d.Status
		if s.ObservedGeneration >= d.Generation && s.UpdatedReplicas == wanted && s.Replicas == wanted && s.AvailableReplicas == wanted {
			return nil
		}
	}
	return fmt.Errorf("the rollout is not complete after %s", patience)
}
