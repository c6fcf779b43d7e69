package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
)

// annotation is the port of the Service that a Deployment asks for.
const annotation = "example.com/expose"

// controller makes a Service for each Deployment that asks for one.
type controller struct {
	client      kubernetes.Interface
	deployments appslisters.DeploymentLister
	queue       workqueue.RateLimitingInterface
	recorder    record.EventRecorder
}

// run is what main calls with a config, on a cluster and in kubestep.
func run(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	factory := informers.NewSharedInformerFactory(client, 0)
	deployments, services := factory.Apps().V1().Deployments(), factory.Core().V1().Services()
	c := &controller{
		client: client, deployments: deployments.Lister(),
		queue:    workqueue.NewNamedRateLimitingQueue(workqueue.DefaultControllerRateLimiter(), "expose"),
		recorder: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "expose"}),
	}
	defer c.queue.ShutDown()
	if _, err := deployments.Informer().AddEventHandler(c.handler(c.enqueue)); err != nil {
		return err
	}
	if _, err := services.Informer().AddEventHandler(c.handler(c.enqueueOwner)); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), deployments.Informer().HasSynced, services.Informer().HasSynced) {
		return ctx.Err()
	}
	wait.UntilWithContext(ctx, c.work, time.Second)
	return nil
}

func (c *controller) handler(enqueue func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, obj any) { enqueue(obj) }, DeleteFunc: enqueue,
	}
}

func (c *controller) enqueue(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *controller) enqueueOwner(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	if service, ok := obj.(*corev1.Service); ok {
		if owner := metav1.GetControllerOf(service); owner != nil && owner.Kind == "Deployment" {
			c.queue.Add(service.Namespace + "/" + owner.Name)
		}
	}
}

func (c *controller) work(ctx context.Context) {
	for {
		key, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		if err := c.sync(ctx, key.(string)); err != nil {
			fmt.Fprintf(os.Stderr, "sync of %s: %v\n", key, err)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	deployment, err := c.deployments.Deployments(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil // the garbage collector deletes the Service
	} else if err != nil {
		return err
	}
	asked, ok := deployment.Annotations[annotation]
	if !ok {
		return ignoreNotFound(c.client.CoreV1().Services(namespace).Delete(ctx, name, metav1.DeleteOptions{}))
	}
	port, err := strconv.Atoi(asked)
	if err != nil {
		c.recorder.Eventf(deployment, corev1.EventTypeWarning, "BadPort", "%q is not a number", asked)
		return nil
	}
	wanted := serviceOf(deployment, int32(port))
	existing, err := c.client.CoreV1().Services(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = c.client.CoreV1().Services(namespace).Create(ctx, wanted, metav1.CreateOptions{})
		return err
	} else if err != nil {
		return err
	}
	if existing.Spec.Ports[0].Port == int32(port) {
		return nil
	}
	changed := existing.DeepCopy()
	changed.Spec.Ports = wanted.Spec.Ports
	_, err = c.client.CoreV1().Services(namespace).Update(ctx, changed, metav1.UpdateOptions{})
	return err
}

func serviceOf(deployment *appsv1.Deployment, port int32) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: deployment.Namespace, Name: deployment.Name,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(deployment, appsv1.SchemeGroupVersion.WithKind("Deployment")),
			},
		},
		Spec: corev1.ServiceSpec{
			Selector: deployment.Spec.Selector.MatchLabels,
			Ports:    []corev1.ServicePort{{Port: port, TargetPort: intstr.FromInt32(port)}},
		},
	}
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// inKubestep runs the controller with the transport of a simulation.
func inKubestep(host string) func(context.Context, http.RoundTripper) error {
	return func(ctx context.Context, transport http.RoundTripper) error {
		return run(ctx, &rest.Config{Host: host, Transport: transport})
	}
}
