package why

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// foreignPods says which Pods a HorizontalPodAutoscaler counts although they do not belong to its target, or exceed the replicas of
// the target during its rollout: it takes all that the selector of the target matches, and multiplies their number by the ratio of
// usage and target (GetResourceReplicas in pkg/controller/podautoscaler/replica_calculator.go). It is empty if there are none.
func (i *Instant) foreignPods(o trace.Object) string {
	hpa, ok := i.object(o).(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok {
		return ""
	}
	kind := kinds.BuiltIn().Named(strings.ToLower(hpa.Spec.ScaleTargetRef.Kind))
	if kind == nil {
		return ""
	}
	target := trace.Object{Resource: kind.GroupResource().String(), Namespace: o.Namespace, Name: hpa.Spec.ScaleTargetRef.Name}
	fields := i.rec.Replay.ObjectAt(target, i.seq)
	spec, _ := fields["spec"].(map[string]any)
	terms, _ := spec["selector"].(map[string]any)
	selector := &metav1.LabelSelector{}
	if len(terms) == 0 || runtime.DefaultUnstructuredConverter.FromUnstructured(terms, selector) != nil {
		return ""
	}
	matches, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return ""
	}
	metadata, _ := fields["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
	var foreign []trace.Object
	count := 0
	for _, object := range (world{i}).List(corev1.Resource("pods"), o.Namespace) {
		p := object.(*corev1.Pod)
		if !matches.Matches(labels.Set(p.Labels)) {
			continue
		}
		count++
		if !i.belongs(p, types.UID(uid)) {
			foreign = append(foreign, trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name})
		}
	}
	if len(foreign) == 0 {
		replicas, _ := spec["replicas"].(int64)
		if int64(count) <= replicas {
			return ""
		}
		return fmt.Sprintf("it counts %s that match the selector %s, but spec.replicas of %s is %d: those that a rollout adds count, too",
			trace.Count(count, "Pod"), matches, trace.ObjectName(target), replicas)
	}
	return fmt.Sprintf("it counts %s that match the selector %s, but %d of them do not belong to %s: %s",
		trace.Count(count, "Pod"), matches, len(foreign), trace.ObjectName(target), namesOf(foreign))
}

// belongs reports whether an object controls a Pod, or a ReplicaSet of the Pod.
func (i *Instant) belongs(p *corev1.Pod, uid types.UID) bool {
	owner := metav1.GetControllerOfNoCopy(p)
	if owner == nil || owner.UID == uid {
		return owner != nil
	}
	set, ok := i.object(trace.Object{Resource: "replicasets.apps", Namespace: p.Namespace, Name: owner.Name}).(metav1.Object)
	if !ok {
		return false
	}
	above := metav1.GetControllerOfNoCopy(set)
	return above != nil && above.UID == uid
}
