package scheduler

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// newPodInformer is upstream's (NewInformerFactory): it leaves out the Pods that have ended.
func newPodInformer(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
	return &podInformer{coreinformers.NewFilteredPodInformer(client, metav1.NamespaceAll, resync, cache.Indexers{},
		func(o *metav1.ListOptions) {
			o.FieldSelector = fmt.Sprintf("status.phase!=%v,status.phase!=%v", corev1.PodSucceeded, corev1.PodFailed)
		})}
}

// podInformer is an informer whose Pods share their labels. The plugin PodTopologySpread compares the labels of all Pods for each Pod
// that it scores: in a rollout of 2,000 Pods, some 12 million times. Most of that time goes into fetching the labels of each Pod from
// memory, and the Pods of a template have the same. The scheduler never changes a Pod of its cache, so no decision depends on it.
type podInformer struct{ cache.SharedIndexInformer }

// SetTransform implements cache.SharedInformer. A factory calls it after it has made an informer.
func (p *podInformer) SetTransform(transform cache.TransformFunc) error {
	shared := sharedLabels{}
	return p.SharedIndexInformer.SetTransform(func(obj any) (any, error) {
		if transform != nil {
			var err error
			if obj, err = transform(obj); err != nil {
				return obj, err
			}
		}
		if pod, ok := obj.(*corev1.Pod); ok {
			shared.use(pod)
		}
		return obj, nil
	})
}

// sharedLabels are the namespaces and labels of Pods, by both.
type sharedLabels map[string]sharedOnes

type sharedOnes struct {
	namespace string
	labels    map[string]string
}

// sharedMax is how many labels are remembered. Each Pod of a StatefulSet has labels of its own, and so have the Pods of each Job of a
// CronJob, so the labels of Pods that are gone would otherwise be kept until the end.
const sharedMax = 1024

// use gives a Pod the labels of an earlier one, if they are equal.
func (s sharedLabels) use(pod *corev1.Pod) {
	key := pod.Namespace + "?" + labels.Set(pod.Labels).String()
	ones, known := s[key]
	if !known {
		if len(s) == sharedMax {
			clear(s)
		}
		ones = sharedOnes{pod.Namespace, pod.Labels}
		s[key] = ones
	}
	pod.Namespace, pod.Labels = ones.namespace, ones.labels
}
