package liveness

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/sim/trace"
)

// World is the state at the end of a run. Objects are shared, typed, and must not be modified.
type World interface {
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
	// List returns the objects of a resource, sorted by namespace and name.
	List(resource schema.GroupResource, namespace string) []runtime.Object
	// Date is the virtual date.
	Date() time.Time
	// Process returns the process of an actor, and whether it runs.
	Process(actor string) (name string, works bool)
}

// Dated is a World that knows when the taints of a node were last changed, which a taint need not say itself.
type Dated interface {
	// Tainted returns the zero time if it is unknown.
	Tainted(node string) time.Time
}

// Goal is what the objects of a resource want.
type Goal struct {
	Resource schema.GroupResource
	// Controller has to act.
	Controller string
	// Sentence says what the objects want, and Upstream where Kubernetes decides it.
	Sentence, Upstream string
	// lack compares an object with what it wants; nil means that it has it.
	lack func(*view, runtime.Object) *Lack
}

// Lack is what an object wants and does not have.
type Lack struct {
	// Missing is the difference, such as "2 Pods, but spec.replicas is 3".
	Missing string `json:"missing"`
	// For is what the object waits for outside its controller; empty if nothing keeps the controller from acting.
	For string `json:"waitsFor,omitempty"`
}

// String says what is missing, and what the object waits for.
func (l Lack) String() string {
	if l.For == "" {
		return l.Missing
	}
	return l.Missing + "; it waits for " + l.For
}

// Finding is an object that is not as it wants to be.
type Finding struct {
	Object     trace.Object
	Controller string
	Lack
}

// Stuck reports whether the object waits for nothing but its controller.
func (f *Finding) Stuck() bool { return f.For == "" }

// String returns a sentence.
func (f *Finding) String() string { return trace.ObjectName(f.Object) + ": " + f.Lack.String() }

// Goals lists the goals of all kinds, in the order in which objects wait for one another.
func Goals() []Goal {
	return []Goal{
		autoscalers, deployments, replicaSets, replicationControllers, statefulSets, daemonSets, cronJobs, jobs, claims, endpointSlices,
		endpoints, disruptionBudgets, quotas, evictions, podRemovals, jobPodRemovals, claimRemovals, namespaceRemovals,
	}
}

// Find compares every object with what it wants. Objects of controllers that do not run are left out: nobody else acts for
// them.
func Find(world World) []*Finding {
	v := newView(world)
	var found []*Finding
	for _, goal := range Goals() {
		if _, works := world.Process(goal.Controller); !works {
			continue
		}
		for _, object := range world.List(goal.Resource, "") {
			lack := goal.lack(v, object)
			if lack == nil {
				continue
			}
			found = append(found, &Finding{Object: name(goal.Resource, object), Controller: goal.Controller, Lack: *lack})
		}
	}
	return found
}

// LackOf compares one object with what a goal wants; nil means that it has it, or does not exist.
func LackOf(world World, goal Goal, o trace.Object) *Lack {
	object, found := world.Get(goal.Resource, o.Namespace, o.Name)
	if !found {
		return nil
	}
	return goal.lack(newView(world), object)
}

func name(resource schema.GroupResource, object runtime.Object) trace.Object {
	accessor, err := meta.Accessor(object)
	if err != nil {
		panic("liveness: an object without metadata: " + err.Error())
	}
	return trace.Object{Resource: resource.String(), Namespace: accessor.GetNamespace(), Name: accessor.GetName()}
}

// view adds to a World what several goals ask.
type view struct {
	World
	// pods are the Pods by namespace, and controlled those that have a controller, by its uid.
	pods       map[string][]*corev1.Pod
	controlled map[types.UID][]*corev1.Pod
}

func newView(world World) *view {
	v := &view{World: world, pods: map[string][]*corev1.Pod{}, controlled: map[types.UID][]*corev1.Pod{}}
	for _, object := range world.List(corev1.Resource("pods"), "") {
		p := object.(*corev1.Pod)
		v.pods[p.Namespace] = append(v.pods[p.Namespace], p)
		if owner := metav1.GetControllerOfNoCopy(p); owner != nil {
			v.controlled[owner.UID] = append(v.controlled[owner.UID], p)
		}
	}
	return v
}

// unready says which Pod is on its way: not Ready, or about to be removed. It is empty if there is none.
func (v *view) unready(pods []*corev1.Pod, minReadySeconds int32) string {
	for _, p := range pods {
		switch {
		case p.DeletionTimestamp != nil:
			return fmt.Sprintf("Pod %s, which is terminating", p.Name)
		case pod.IsPodTerminal(p):
		case p.Spec.NodeName == "":
			return fmt.Sprintf("Pod %s, which is not scheduled", p.Name)
		case !pod.IsPodReady(p):
			return fmt.Sprintf("Pod %s, which is not Ready", p.Name)
		case !pod.IsPodAvailable(p, minReadySeconds, metav1.NewTime(v.Date())):
			return fmt.Sprintf("Pod %s, which has not been Ready for minReadySeconds", p.Name)
		}
	}
	return ""
}

// counts are how many Pods of a workload there are: active ones, which are neither finished nor terminating, and how
// many of them are Ready.
func counts(pods []*corev1.Pod) (active, ready int32) {
	for _, p := range pods {
		if p.DeletionTimestamp != nil || pod.IsPodTerminal(p) {
			continue
		}
		active++
		if pod.IsPodReady(p) {
			ready++
		}
	}
	return active, ready
}

// unobserved says that a controller has not seen a change of a spec.
func unobserved(generation, observed int64) *Lack {
	if observed >= generation {
		return nil
	}
	return &Lack{Missing: fmt.Sprintf("metadata.generation is %d, but status.observedGeneration is %d", generation, observed)}
}

// differ lists the numbers in a status that are not true; pairs are a name, what the status says, and what is.
func differ(pairs ...any) *Lack {
	for i := 0; i < len(pairs); i += 3 {
		says, is := pairs[i+1].(int32), pairs[i+2].(int32)
		if says != is {
			return &Lack{Missing: fmt.Sprintf("status.%s is %d, but the Pods make it %d", pairs[i], says, is)}
		}
	}
	return nil
}
