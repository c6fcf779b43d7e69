//go:build linux

package controllers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	v1resource "k8s.io/kubernetes/pkg/api/v1/resource"

	"github.com/kubestep/kubestep/sim/trace"
)

// The lines of the eviction manager that are recorded: pkg/kubelet/eviction/eviction_manager.go.
const (
	evictionBegins    = "Eviction manager: synchronize housekeeping"
	evictionThreshold = "Eviction manager: threshold observed resource"
	evictionResource  = "Eviction manager: attempting to reclaim"
	evictionOrder     = "Eviction manager: pods ranked for eviction"

	// effective is the log of thresholds that the manager acts on.
	effective = "thresholds - updated stats"
)

// pressure is a threshold of a kubelet that is met.
type pressure struct {
	signal, resource     string
	threshold, available int64
}

// evicts reads the lines of the eviction manager, which works on one goroutine.
func (f *facts) evicts(message string, values []any) {
	switch message {
	case evictionBegins:
		f.met, f.reclaims = nil, ""
	case evictionThreshold:
		threshold, isThreshold := valueOf(values, "quantity").(*resource.Quantity)
		available, isAvailable := valueOf(values, "available").(*resource.Quantity)
		if isThreshold && isAvailable && textOf(values, "log") == effective {
			f.met = append(f.met, pressure{
				textOf(values, "signal"), textOf(values, "resourceName"), threshold.Value(), available.Value(),
			})
		}
	case evictionResource:
		f.reclaims = textOf(values, "resourceName")
	case evictionOrder:
		f.ranks(values)
	}
}

// ranks records the order in which Pods are evicted, with what it depends on.
func (f *facts) ranks(values []any) {
	list, ok := valueOf(values, "pods").(interface{ MarshalLog() any })
	if !ok {
		return
	}
	refs, _ := list.MarshalLog().([]any)
	c, of := f.control, corev1.ResourceName(f.reclaims)
	c.mu.Lock()
	running := c.kubelets.running[c.kubelets.nodes[f.actor]].kubelet
	c.mu.Unlock()
	if running == nil {
		return
	}
	usage, err := running.Usage(of)
	if err != nil {
		return // the kubelet could not measure it either
	}
	for rank, one := range refs {
		ref, _ := one.(klog.ObjectRef)
		object, found := c.sim.State.Get(corev1.Resource("pods"), ref.Namespace, ref.Name)
		if !found {
			continue
		}
		pod := object.(*corev1.Pod)
		requested := v1resource.GetResourceRequestQuantity(pod, of)
		what := &trace.Eviction{
			Resource: f.reclaims, Rank: rank + 1, Of: len(refs), Priority: corev1helpers.PodPriority(pod),
			Used: usage[types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}], Requested: requested.Value(),
		}
		for _, p := range f.met {
			if p.resource == f.reclaims {
				what.Signal, what.Threshold, what.Available = p.signal, p.threshold, p.available
				break
			}
		}
		c.recordContainer(f.actor, &trace.Container{
			Object: trace.Object{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}, UID: uidOf(pod), Eviction: what,
		}, false)
	}
}
