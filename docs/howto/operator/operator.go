// Package operator is a small operator in the style of controller-runtime: a Deployment with the annotation
// example.com/expose gets a Service for that port, which goes with it. It defines no types of its own.
package operator

import (
	"context"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Expose is the annotation with the port: example.com/expose: "8080".
const Expose = "example.com/expose"

// Run runs the operator until ctx ends, against a real cluster or a simulated one.
func Run(ctx context.Context, cluster *rest.Config, options ctrl.Options) error {
	manager, err := newManager(cluster, options)
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

func newManager(cluster *rest.Config, options ctrl.Options) (ctrl.Manager, error) {
	manager, err := ctrl.NewManager(cluster, options)
	if err != nil {
		return nil, err
	}
	return manager, ctrl.NewControllerManagedBy(manager).For(&appsv1.Deployment{}).Owns(&corev1.Service{}).
		Complete(&reconciler{manager.GetClient()})
}

type reconciler struct{ client.Client }

// Reconcile makes, corrects or removes the Service of one Deployment.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var deployment appsv1.Deployment
	if err := r.Get(ctx, request.NamespacedName, &deployment); err != nil {
		// What is gone takes its Service with it: the garbage collector follows the owner reference.
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: deployment.Namespace, Name: deployment.Name}}
	text, exposed := deployment.Annotations[Expose]
	if !exposed {
		return ctrl.Result{}, r.remove(ctx, &deployment, service)
	}
	port, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		// Trying again does not help; a change of the annotation wakes the operator.
		klog.FromContext(ctx).Error(err, "Annotation is no port", "deployment", klog.KObj(&deployment))
		return ctrl.Result{}, nil
	}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = deployment.Spec.Selector.MatchLabels
		if len(service.Spec.Ports) != 1 {
			service.Spec.Ports = make([]corev1.ServicePort, 1)
		}
		service.Spec.Ports[0].Port, service.Spec.Ports[0].TargetPort = int32(port), intstr.FromInt32(int32(port))
		return controllerutil.SetControllerReference(&deployment, service, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("service of %s: %w", deployment.Name, err)
	}
	return ctrl.Result{}, nil
}

// remove deletes the Service, if it is the operator's.
func (r *reconciler) remove(ctx context.Context, owner *appsv1.Deployment, service *corev1.Service) error {
	if err := r.Get(ctx, client.ObjectKeyFromObject(service), service); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !metav1.IsControlledBy(service, owner) {
		return nil
	}
	return client.IgnoreNotFound(r.Delete(ctx, service))
}
