package decision

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim/trace"
)

// Example: an autoscaler updates the scale of web from 2 to 2, and then writes status.desiredReplicas 5.
var autoscalerReplicas = Rule{
	Name: "autoscaler-replicas",
	Sentence: "A controller that has updated the scale of the target of a HorizontalPodAutoscaler has set it to the " +
		"status.desiredReplicas that it then writes.",
	Forgives: "Updates that fail. Sizes that somebody else sets afterwards. Targets that are custom resources.",
	Upstream: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#how-does-a-horizontalpodautoscaler-work; " +
		"reconcileAutoscaler in pkg/controller/podautoscaler/horizontal.go",
	Watch: func(r *Run) Watcher { return &scales{look: look{run: r}, syncs: map[int64]*scale{}} },
}

type scales struct {
	look
	syncs map[int64]*scale
}

// scale is the last update of a scale in a sync: its record, the target, and the size that it has then.
type scale struct {
	by       *trace.Record
	replicas int32
}

func (s *scales) Record(record *trace.Record) {
	switch r := record.Request; {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseEnd:
		delete(s.syncs, record.Sync.Start)
	case r == nil || r.Verb != "update" || r.Subresource != "scale" || r.Code != 200 || record.Cause == 0 ||
		!isBy(record, names.HorizontalPodAutoscalerController):
	default:
		delete(s.syncs, record.Cause)
		// An update that changes nothing is no write: the target has the size that it had.
		target, exists := s.run.Get(schema.ParseGroupResource(r.Resource), r.Namespace, r.Name)
		if replicas, known := sizeOf(target); exists && known {
			s.syncs[record.Cause] = &scale{record, replicas}
		}
	}
}

func (s *scales) Change(c *Change) {
	done := s.syncs[c.By.Cause]
	if done == nil {
		return
	}
	if c.By == done.by {
		if replicas, known := sizeOf(c.Object); known {
			done.replicas = replicas
		}
		return
	}
	scaler, ok := c.Object.(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok || !c.isBy(names.HorizontalPodAutoscalerController) || !hasScaled(scaler) {
		return
	}
	s.looked = true
	if desired := scaler.Status.DesiredReplicas; desired != done.replicas {
		target := scaler.Spec.ScaleTargetRef
		s.run.Broken(c.Seq, fmt.Sprintf(
			"%s set the scale of %s %s/%s to %d, but status.desiredReplicas of HorizontalPodAutoscaler %s is %d",
			c.By.Actor, target.Kind, scaler.Namespace, target.Name, done.replicas, scaler.Name, desired))
	}
}

// hasScaled reports whether the status says that the last update of the scale succeeded.
func hasScaled(scaler *autoscalingv2.HorizontalPodAutoscaler) bool {
	for _, c := range scaler.Status.Conditions {
		if c.Type == autoscalingv2.AbleToScale {
			return c.Status == corev1.ConditionTrue && c.Reason == "SucceededRescale"
		}
	}
	return false
}

// sizeOf is spec.replicas of an object.
func sizeOf(object runtime.Object) (replicas int32, known bool) {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return ptr.Deref(o.Spec.Replicas, 1), true
	case *appsv1.ReplicaSet:
		return ptr.Deref(o.Spec.Replicas, 1), true
	case *appsv1.StatefulSet:
		return ptr.Deref(o.Spec.Replicas, 1), true
	case *corev1.ReplicationController:
		return ptr.Deref(o.Spec.Replicas, 1), true
	}
	return 0, false
}
