// Package autoscaling computes a sync of horizontal-pod-autoscaler-controller again: which Pods count, the ratio of each metric to its
// target, what that asks for, and what is left of it after the stabilization window, the policies of spec.behavior, minReplicas
// and maxReplicas. The values are those that the APIs of metrics returned in this very sync (trace.Request.Metrics).
//
// What the controller remembers, its earlier recommendations and changes of the scale, is computed from its earlier syncs. A
// recording does not hold the flags of kube-controller-manager: upstream's defaults are assumed for the tolerance and the times.
package autoscaling

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/retry"
	kubectrlmgrconfigv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/config/v1alpha1"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The files of upstream that the steps name.
const (
	horizontalFile = "pkg/controller/podautoscaler/horizontal.go"
	calculatorFile = "pkg/controller/podautoscaler/replica_calculator.go"
)

const autoscalers = "horizontalpodautoscalers.autoscaling"

// flags are the defaults of the controller's flags.
var flags = func() (of kubectrlmgrconfigv1alpha1.HPAControllerConfiguration) {
	v1alpha1.RecommendedDefaultHPAControllerConfiguration(&of)
	return of
}()

// autoscaler is one sync of a HorizontalPodAutoscaler.
type autoscaler struct {
	observed.Sync
	out   *arithmetic.Explanation
	hpa   *autoscalingv2.HorizontalPodAutoscaler
	scale *scale
	// asked is the index of the first request that no metric has claimed yet.
	asked int
	// read is the record, and at the time, at which the controller read its cache last: when an answer arrived.
	read int64
	at   time.Duration
	// typed are the Pods that have been converted. The earlier syncs whose recommendations count share it: most Pods are the same
	// in all of them.
	typed map[podVersion]*corev1.Pod
}

// podVersion is one version of a Pod of the namespace.
type podVersion struct{ name, resourceVersion string }

// HorizontalPodAutoscaler explains a sync of a HorizontalPodAutoscaler, as reconcileAutoscaler decides.
func HorizontalPodAutoscaler(s observed.Sync) *arithmetic.Explanation {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{}
	e, ok := s.Begin(autoscalers, "HorizontalPodAutoscaler", hpa)
	if !ok {
		return e
	}
	a := &autoscaler{Sync: s, out: e, hpa: hpa, typed: map[podVersion]*corev1.Pod{}}
	if !a.target() {
		return nil
	}
	if a.scale != nil {
		a.decide()
	}
	a.retried()
	if e.Why == "" {
		e.Why = e.Verdict
	}
	return a.Finish(e)
}

// decide goes from the size of the target to the size that it gets.
func (a *autoscaler) decide() {
	current, least, most := a.scale.replicas, a.least(), a.hpa.Spec.MaxReplicas
	a.condition(autoscalingv2.AbleToScale, "SucceededGetScale")
	switch {
	case current == 0 && !a.scalesFromZero():
		a.condition(autoscalingv2.ScalingActive, "ScalingDisabled")
		a.out.Verdict = "nothing: somebody has scaled " + a.scale.name() + " to 0, which disables the autoscaler"
		a.leaves(0)
	case current > most:
		a.rescale(most, fmt.Sprintf("%d is above maxReplicas %d", current, most))
	case current != 0 && current < least:
		a.rescale(least, fmt.Sprintf("%d is below minReplicas %d", current, least))
	default:
		a.byMetrics()
	}
}

// byMetrics follows the metrics, within the limits.
func (a *autoscaler) byMetrics() {
	wanted, ok := a.recommend()
	if !ok {
		a.leaves(a.hpa.Status.DesiredReplicas)
		return
	}
	current := a.scale.replicas
	var size int32
	var why string
	if a.hpa.Spec.Behavior == nil {
		size, why = a.normalize(wanted.replicas)
	} else {
		size, why = a.normalizeWithBehavior(wanted.replicas)
	}
	if current == 0 && size < a.least() {
		size = a.least()
	}
	because := wanted.why
	if why != "" {
		because += "; but " + why
	}
	if size != current {
		a.rescale(size, because)
		return
	}
	a.out.Why = because
	a.out.Verdict = "nothing: " + because
	if why == "" && wanted.replicas == current && !wanted.tolerated {
		a.out.Verdict = fmt.Sprintf("nothing: %s, which is the current number", because)
	}
	a.leaves(current)
}

// rescale changes the size of the target.
func (a *autoscaler) rescale(size int32, because string) {
	direction := "up"
	if size < a.scale.replicas {
		direction = "down"
	}
	a.out.Why = because
	a.out.Verdict = fmt.Sprintf("it scales %s %s from %d to %d: %s", a.scale.name(), direction, a.scale.replicas, size, because)
	a.out.Resize(a.scale.plural+"/scale", a.scale.object.Name, size)
	a.condition(autoscalingv2.AbleToScale, "SucceededRescale")
	a.leaves(size)
}

// retried removes conflicts that a repetition followed from the requests that count as refused: the controller reads the scale again
// after a conflict and writes its own number, up to five times (retry.RetryOnConflict).
func (a *autoscaler) retried() {
	writes := 0
	for i, r := range a.Requests {
		q := r.Request
		if q.Verb != "update" || q.Subresource != "scale" {
			continue
		}
		writes++
		conflict := q.Code == http.StatusConflict && writes < retry.DefaultRetry.Steps
		if !conflict || i+2 >= len(a.Requests) {
			continue
		}
		if again := a.Requests[i+2].Request; again.Verb == "update" && again.Subresource == "scale" {
			requests := append(a.Requests[:i:i], a.Requests[i+1:]...)
			a.out.Step("409 Conflict", horizontalFile, "reconcileAutoscaler").
				Line(trace.ObjectName(q.Object), "somebody wrote it since; the scale is read again, and the same size written", nil)
			a.Requests = requests
			a.retried()
			return
		}
	}
}

// least is minReplicas.
func (a *autoscaler) least() int32 {
	if a.hpa.Spec.MinReplicas == nil {
		return 1
	}
	return *a.hpa.Spec.MinReplicas
}

// scalesFromZero reports whether the controller scales up from 0, where it has scaled down to 0 itself. The API server stores
// the condition and minReplicas 0 with the feature gate HPAScaleToZero only.
func (a *autoscaler) scalesFromZero() bool {
	own := false
	for _, c := range a.hpa.Status.Conditions {
		own = own || c.Type == scaledToZero && c.Status == "True"
	}
	if !own {
		return false
	}
	for _, m := range a.hpa.Spec.Metrics {
		if m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType {
			return true
		}
	}
	return a.least() != 0
}

// condition notes the reason of a condition that the sync leaves.
func (a *autoscaler) condition(kind autoscalingv2.HorizontalPodAutoscalerConditionType, reason string) {
	a.out.Leave("conditions[type="+string(kind)+"].reason", reason)
}

// leaves notes the numbers of the status.
func (a *autoscaler) leaves(desired int32) {
	a.out.Leave("currentReplicas", a.scale.replicas)
	a.out.Leave("desiredReplicas", desired)
}

// short is a number with at most three digits after the point: 0.88, 1.067.
func short(f float64) string {
	text := fmt.Sprintf("%.3f", f)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
