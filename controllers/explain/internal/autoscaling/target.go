package autoscaling

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// scale is what the subresource scale of the target said.
type scale struct {
	object           trace.Object
	plural           string
	replicas, status int32
	selector         labels.Selector
	uid              string
	// at is when the controller had it.
	at time.Duration
}

// name is like "deployments/web".
func (s *scale) name() string { return s.plural + "/" + s.object.Name }

// target reads the scale of the target from the answer that the sync got. It returns false if the target is of a kind that is
// not explained, such as a custom resource. There is no scale if the sync did not get one.
func (a *autoscaler) target() bool {
	ref := a.hpa.Spec.ScaleTargetRef
	step := a.out.Step("the target", horizontalFile, "scaleForResourceMappings")
	name := strings.ToLower(ref.Kind) + "/" + ref.Name
	n := slices.IndexFunc(a.Requests, func(r *trace.Record) bool {
		return r.Request.Verb == "get" && r.Request.Subresource == "scale" && r.Request.Code < http.StatusMultipleChoices
	})
	if n < 0 {
		why := "it was not read"
		for _, r := range a.Requests {
			if q := r.Request; q.Verb == "get" && q.Subresource == "scale" {
				why = strings.TrimSpace(fmt.Sprintf("%d %s", q.Code, q.Reason))
			}
		}
		step.Line(name, "its scale", why)
		a.condition(autoscalingv2.AbleToScale, "FailedGetScale")
		a.out.Verdict = fmt.Sprintf("nothing: the scale of %s cannot be read: %s", name, why)
		return true
	}
	q := a.Requests[n].Request
	object := a.Rec.Replay.ObjectVersion(q.Object, observed.Number(q.RV))
	selector, ok := selectorOf(q.Resource, object)
	if !ok {
		return false
	}
	plural, _, _ := strings.Cut(q.Resource, ".")
	a.scale = &scale{
		object: q.Object, plural: plural, selector: selector,
		replicas: count(object, 1, "spec", "replicas"), status: count(object, 0, "status", "replicas"),
	}
	a.scale.uid, _, _ = unstructured.NestedString(object, "metadata", "uid")
	a.asked = n + 1
	a.read, a.at = a.arrived(n)
	a.scale.at = a.at
	step.Line(a.scale.name(), "spec.replicas", a.scale.replicas)
	step.Line("limits", "minReplicas, maxReplicas", fmt.Sprintf("%d, %d", a.least(), a.hpa.Spec.MaxReplicas))
	return true
}

// selectorOf is the selector of Pods in the scale of an object (the Selector of the registries' ScaleREST).
func selectorOf(resource string, object map[string]any) (labels.Selector, bool) {
	switch resource {
	case "replicationcontrollers":
		rc := &corev1.ReplicationController{}
		if observed.Convert(object, rc) != nil {
			return nil, false
		}
		return labels.SelectorFromSet(rc.Spec.Selector), true
	case "deployments.apps", "replicasets.apps", "statefulsets.apps":
		of := &appsv1.ReplicaSet{}
		spec, _ := object["spec"].(map[string]any)
		terms, _ := spec["selector"].(map[string]any)
		of.Spec.Selector = &metav1.LabelSelector{}
		if runtime.DefaultUnstructuredConverter.FromUnstructured(terms, of.Spec.Selector) != nil {
			return nil, false
		}
		selector, err := metav1.LabelSelectorAsSelector(of.Spec.Selector)
		return selector, err == nil
	}
	return nil, false
}

func count(object map[string]any, missing int32, path ...string) int32 {
	n, found, err := unstructured.NestedInt64(object, path...)
	if !found || err != nil {
		return missing
	}
	return int32(n)
}

// arrived is when the client had the answer to a request: when it sent the next one, or when the sync ended. The record is the
// last one before that.
func (a *autoscaler) arrived(n int) (int64, time.Duration) {
	switch {
	case n+1 < len(a.Requests):
		at := a.Requests[n+1].Request.Sent
		return a.Rec.Find(at), at
	case a.End != nil:
		return min(a.Rec.Find(a.End.At), a.End.Seq), a.End.At
	}
	return a.Rec.Len(), a.Rec.At(a.Rec.Len())
}

// selected are the Pods of the namespace that the selector of the target matches, as the cache has them now. Whose they are does not
// matter to the controller.
func (a *autoscaler) selected() []*corev1.Pod {
	now := a.Sync
	now.Reads = a.read
	var found []*corev1.Pod
	for _, object := range now.List("pods") {
		of := unstructured.Unstructured{Object: object}
		if !a.scale.selector.Matches(labels.Set(of.GetLabels())) {
			continue
		}
		version := podVersion{of.GetName(), of.GetResourceVersion()}
		pod := a.typed[version]
		if pod == nil {
			pod = &corev1.Pod{}
			if observed.Convert(object, pod) != nil {
				continue
			}
			a.typed[version] = pod
		}
		found = append(found, pod)
	}
	return found
}

// foreign are the names of the Pods that do not belong to the target.
func (a *autoscaler) foreign(pods []*corev1.Pod) []string {
	var names []string
	for _, p := range pods {
		if !a.belongs(p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// belongs reports whether the target controls a Pod, or a ReplicaSet of the Pod.
func (a *autoscaler) belongs(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil || string(owner.UID) == a.scale.uid {
		return owner != nil
	}
	set := a.Rec.Replay.ObjectAt(trace.Object{Resource: "replicasets.apps", Namespace: pod.Namespace, Name: owner.Name}, a.read)
	if set == nil {
		return false
	}
	above := metav1.GetControllerOfNoCopy(&unstructured.Unstructured{Object: set})
	return above != nil && string(above.UID) == a.scale.uid
}

// ambiguous are the other HorizontalPodAutoscalers whose selectors, as the controller knows them, match one of its Pods.
func (a *autoscaler) ambiguous() []string {
	var names []string
	var pods []*corev1.Pod
	for _, o := range a.Cache(autoscalers).Objects(a.Namespace, a.read) {
		if o.Name == a.Name {
			continue
		}
		if pods == nil {
			pods = a.selected()
		}
		selector := a.selectorKnown(o)
		if selector != nil && slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return selector.Matches(labels.Set(p.Labels)) }) {
			names = append(names, o.Name)
		}
	}
	return names
}

// selectorKnown is the selector that the last sync of another autoscaler in this process found; nil for none.
func (a *autoscaler) selectorKnown(o trace.Object) labels.Selector {
	for s := range a.Before(o.Namespace+"/"+o.Name, a.read) {
		hpa := &autoscalingv2.HorizontalPodAutoscaler{}
		if found, err := s.Get(autoscalers, s.Name, hpa); !found || err != nil {
			return nil
		}
		other := a.discarding(s, hpa)
		if !other.target() || other.scale == nil || other.at > a.at || other.isOutside() {
			continue
		}
		return other.scale.selector
	}
	return nil
}

// isOutside reports whether the size of the target alone decides, so that the controller does not look at Pods.
func (a *autoscaler) isOutside() bool {
	current := a.scale.replicas
	return current == 0 && !a.scalesFromZero() || current != 0 && (current > a.hpa.Spec.MaxReplicas || current < a.least())
}
