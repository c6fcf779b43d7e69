package metrics

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Load is the load of some pods for one metric, or the value of a metric of another object or of none.
type Load struct {
	Namespace string
	// Pods selects the pods; nil if the metric is not about pods.
	Pods labels.Selector
	// Object is what the metric describes; nil for pods and for external metrics.
	Object *Object
	// External are the labels of an external metric.
	External map[string]string
	// Metric is cpu, memory or the name of another metric.
	Metric string
	// Levels are sorted by time.
	Levels []Level
}

// Object is an object that a metric describes. It may exist or not.
type Object struct {
	schema.GroupVersionKind
	// Resource is the plural name, followed by a dot and the group unless that is core.
	Resource, Name string
}

// Level is a load from some time on: either for each running pod, or in total, which the ready pods share equally, as
// behind a Service.
type Level struct {
	At     time.Duration
	Value  resource.Quantity
	PerPod bool
}

// level is the load's current level; false means that the load has not begun.
func (l *Load) level(now time.Duration) (Level, bool) {
	for _, level := range slices.Backward(l.Levels) {
		if level.At <= now {
			return level, true
		}
	}
	return Level{}, false
}

// set sets the level from now on and drops later levels.
func (l *Load) set(level Level) {
	l.Levels = append(slices.DeleteFunc(l.Levels, func(old Level) bool { return old.At >= level.At }), level)
}

func (l *Load) concerns(pod *corev1.Pod) bool {
	return l.Pods != nil && pod.Namespace == l.Namespace && l.Pods.Matches(labels.Set(pod.Labels))
}

// shares are the current usage of each of these running pods, nil where the load does not apply to the pod.
func (l *Load) shares(running []*corev1.Pod, now time.Duration) []*resource.Quantity {
	level, begun := l.level(now)
	shares, serving := make([]*resource.Quantity, len(running)), int64(0)
	if !begun {
		return shares
	}
	for _, pod := range running {
		if l.concerns(pod) && serves(pod) {
			serving++
		}
	}
	for i, pod := range running {
		switch {
		case !l.concerns(pod):
		case level.PerPod:
			shares[i] = &level.Value
		case serves(pod):
			shares[i] = resource.NewMilliQuantity(level.Value.MilliValue()/serving, level.Value.Format)
		default:
			shares[i] = &resource.Quantity{}
		}
	}
	return shares
}

// serves reports whether a pod gets its share of a total: if it is Ready and is not being deleted, as in an
// EndpointSlice.
func serves(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}
