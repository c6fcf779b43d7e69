package prototype

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// readyAfter is how long a Pod takes to become ready, as in the scenarios that the prototype is compared with.
const readyAfter = 2 * time.Second

// startKubelet makes each new Pod run on the only node, and ready after a while. A Pod that is deleted is gone at once: the fake clientset
// knows no grace period.
func startKubelet(ctx context.Context, client kubernetes.Interface, pods cache.SharedIndexInformer) error {
	_, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) {
		pod := object.(*corev1.Pod).DeepCopy()
		go func() {
			pod.Spec.NodeName = "node"
			bound, err := client.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
			if err != nil {
				ended(err)
				return
			}
			time.Sleep(readyAfter)
			bound.Status.Phase = corev1.PodRunning
			ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}
			bound.Status.Conditions = []corev1.PodCondition{ready}
			_, err = client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, bound, metav1.UpdateOptions{})
			ended(err)
		}()
	}})
	return err
}

// ended panics for an error that the rollout cannot cause: a Pod that it has deleted is not found.
func ended(err error) {
	if err != nil && !apierrors.IsNotFound(err) {
		panic(err)
	}
}
