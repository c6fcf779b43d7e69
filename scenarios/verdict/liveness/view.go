package liveness

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/verdict/internal/relation"
	"github.com/kubestep/kubestep/sim/kinds"
)

// view adds to a World what several goals ask.
type view struct {
	World
	// pods are the Pods by namespace, and controlled those that have a controller, by its uid; nil before they are needed.
	pods       map[string][]*corev1.Pod
	controlled map[types.UID][]*corev1.Pod
	// table has the kinds of the API server and of its definitions; nil before it is needed.
	table *kinds.Table
	// relations is the same world for relations; nil before it is needed.
	relations *relation.View
}

func newView(world World) *view { return &view{World: world} }

// podsIn are the Pods in a namespace.
func (v *view) podsIn(namespace string) []*corev1.Pod {
	v.list()
	return v.pods[namespace]
}

// controlledBy are the Pods that an object controls.
func (v *view) controlledBy(uid types.UID) []*corev1.Pod {
	if w, ok := v.World.(Owned); ok && v.pods == nil {
		if objects, ok := w.PodsOf(uid); ok {
			var pods []*corev1.Pod
			for _, object := range objects {
				if p, ok := object.(*corev1.Pod); ok {
					pods = append(pods, p)
				}
			}
			return pods
		}
	}
	v.list()
	return v.controlled[uid]
}

// list lists the Pods when they are needed first.
func (v *view) list() {
	if v.pods != nil {
		return
	}
	v.pods, v.controlled = map[string][]*corev1.Pod{}, map[types.UID][]*corev1.Pod{}
	for _, object := range v.List(corev1.Resource("pods"), "") {
		p := object.(*corev1.Pod)
		v.pods[p.Namespace] = append(v.pods[p.Namespace], p)
		if owner := metav1.GetControllerOfNoCopy(p); owner != nil {
			v.controlled[owner.UID] = append(v.controlled[owner.UID], p)
		}
	}
}

// kinds are those of the API server, and those that CustomResourceDefinitions define.
func (v *view) kinds() *kinds.Table {
	if v.table != nil {
		return v.table
	}
	v.table = definition.TableIn(v.List(definition.Kind.GroupResource(), ""))
	return v.table
}

// works reports whether a controller runs. The empty name stands for those outside kube-controller-manager.
func (v *view) works(controller string) bool {
	if controller == "" {
		return true
	}
	_, works := v.Process(controller)
	return works
}

// isKnown reports whether a controller has a process, which may be dead.
func (v *view) isKnown(controller string) bool {
	name, works := v.Process(controller)
	return controller == "" || works || name != ""
}

// has reports whether objects of a resource are known.
func (v *view) has(resource schema.GroupResource) bool {
	partial, ok := v.World.(Partial)
	return !ok || partial.Has(resource)
}

// node returns a node, or nil.
func (v *view) node(name string) *corev1.Node {
	if object, found := v.Get(corev1.Resource("nodes"), "", name); found {
		return object.(*corev1.Node)
	}
	return nil
}

// awaitPod says that an object waits for the first Pod that is on its way: not Ready, or about to be removed. It is false if
// there is none.
func (v *view) awaitPod(lack *Lack, pods []*corev1.Pod, minReadySeconds int32) bool {
	for _, p := range pods {
		if text := v.onItsWay(p, minReadySeconds); text != "" {
			lack.await(corev1.Resource("pods"), p, fmt.Sprintf("Pod %s, which %s", p.Name, text))
			return true
		}
	}
	return false
}

// onItsWay says why a Pod does not count as available; empty if it does, or has ended.
func (v *view) onItsWay(p *corev1.Pod, minReadySeconds int32) string {
	switch {
	case p.DeletionTimestamp != nil:
		return "is terminating"
	case pod.IsPodTerminal(p):
		return ""
	case p.Spec.NodeName == "":
		return "is not scheduled"
	case !pod.IsPodReady(p):
		return "is not Ready" + v.whyItStays(p)
	case !pod.IsPodAvailable(p, minReadySeconds, metav1.NewTime(v.Date())):
		return "has not been Ready for minReadySeconds"
	}
	return ""
}

// active are the Pods that are neither finished nor terminating.
func active(pods []*corev1.Pod) []*corev1.Pod {
	var some []*corev1.Pod
	for _, p := range pods {
		if p.DeletionTimestamp == nil && !pod.IsPodTerminal(p) {
			some = append(some, p)
		}
	}
	return some
}

// counts are how many Pods are active, and how many of them are Ready.
func counts(pods []*corev1.Pod) (count, ready int32) {
	for _, p := range active(pods) {
		count++
		if pod.IsPodReady(p) {
			ready++
		}
	}
	return count, ready
}

// unobserved says that a controller has not seen a change of a spec.
func unobserved(generation, observed int64) *Lack {
	if observed >= generation {
		return nil
	}
	return &Lack{
		Missing: fmt.Sprintf("metadata.generation is %d, but status.observedGeneration is %d", generation, observed), Alone: true,
	}
}

// differ lists the numbers in a status that are not true; pairs are a name, what the status says, and what is.
func differ(pairs ...any) *Lack {
	for i := 0; i < len(pairs); i += 3 {
		says, is := pairs[i+1].(int32), pairs[i+2].(int32)
		if says != is {
			return &Lack{Missing: fmt.Sprintf("status.%s is %d, but it should be %d", pairs[i], says, is)}
		}
	}
	return nil
}

// notAllReady says that fewer active Pods are Ready than wanted, and which one is not.
func (v *view) notAllReady(pods []*corev1.Pod, want int32) *Lack {
	_, ready := counts(pods)
	if ready >= want {
		return nil
	}
	lack := &Lack{Missing: fmt.Sprintf("%d of %d Pods are Ready", ready, want)}
	if !v.awaitPod(lack, active(pods), 0) {
		return nil
	}
	return lack
}
